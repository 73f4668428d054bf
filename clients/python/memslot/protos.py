"""Where the .proto files of the API are, for whoever generates code of their own."""

from pathlib import Path


def proto_path() -> str:
    """Return the folder to give protoc as `-I`: it holds `memslot/v1/*.proto` and the `google/rpc/*.proto` that they import.

    For example `python -m grpc_tools.protoc -I "$(python -c 'import memslot; print(memslot.proto_path())')" --python_out=out
    memslot/v1/slot_service.proto`.
    """
    here = Path(__file__).resolve()
    installed = here.parent / "_proto"
    return str(installed if installed.is_dir() else here.parents[3] / "proto")
