"""Check an installed wheel without extras: run it with the Python of an environment that holds nothing else.

The client must import with grpcio and protobuf alone, read error details, and show where its .proto files are.
"""

import importlib.util
import pkgutil
from importlib import import_module
from pathlib import Path

import memslot
import memslot.v1
from memslot._google_rpc import error_details_pb2, status_pb2


def _absent(*modules: str) -> None:
    present = [name for name in modules if importlib.util.find_spec(name)]
    assert not present, f"not a base install: {present}"


def _all_generated_code_imports() -> None:
    names = [module.name for module in pkgutil.iter_modules(memslot.v1.__path__, "memslot.v1.")]
    assert "memslot.v1.slot_service_pb2_grpc" in names
    for name in names:
        import_module(name)


def _error_details_are_read() -> None:
    status = status_pb2.Status(code=5, message="no such slot")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason="SLOT_NOT_FOUND", domain="memslot"))
    info = error_details_pb2.ErrorInfo()
    assert status_pb2.Status.FromString(status.SerializeToString()).details[0].Unpack(info)
    assert info.reason == "SLOT_NOT_FOUND"


def _proto_files_are_there() -> None:
    root = Path(memslot.proto_path())
    assert root.is_relative_to(Path(memslot.__file__).parent), root
    assert {path.name for path in root.glob("memslot/v1/*.proto")} >= {"slot.proto", "slot_service.proto"}
    assert (root / "google/rpc/status.proto").is_file()


if __name__ == "__main__":
    _absent("google.rpc", "grpc_status", "apsw", "structlog", "orjson")
    _all_generated_code_imports()
    _error_details_are_read()
    _proto_files_are_there()
    print(f"A base install in {Path(memslot.__file__).parent} works.")
