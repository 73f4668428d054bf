"""Where the .proto files of the API are, for whoever generates code of their own."""

from pathlib import Path


def proto_path() -> str:
    """Return the folder to give protoc as `-I`: it holds `memslot/v1/*.proto` and the `google/rpc/*.proto` that they import.

    For example, with grpcio-tools and googleapis-common-protos (the modules of `google/rpc`) installed:

        P=$(python -c 'import memslot; print(memslot.proto_path())')
        python -m grpc_tools.protoc -I "$P" --python_out=out --grpc_python_out=out "$P"/memslot/v1/*.proto

    Python code made so is a package `memslot` as well, and cannot live in one environment with this client.
    """
    here = Path(__file__).resolve()
    installed = here.parent / "_proto"
    return str(installed if installed.is_dir() else here.parents[3] / "proto")
