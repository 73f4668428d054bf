"""The .proto files ship with the package, and anybody can generate code from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import memslot


def test_a_user_generates_code_from_the_shipped_files(tmp_path: Path) -> None:
    """With `memslot.proto_path()` as its only include folder, grpc_tools.protoc generates the whole API."""
    root = Path(memslot.proto_path())
    files = sorted(path.relative_to(root).as_posix() for path in root.glob("memslot/v1/*.proto"))
    outputs = [f"--python_out={tmp_path}", f"--grpc_python_out={tmp_path}"]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", f"-I{root}", *outputs, *files], check=True)
    assert "slot_service.proto" in {Path(name).name for name in files}
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*_pb2.py")}
    assert made == {name.replace(".proto", "_pb2.py") for name in files}


def test_code_that_a_user_generated_and_ours_live_in_one_process(tmp_path: Path) -> None:
    """A process that loads a user's generated code beside `memslot.v1` meets no descriptor conflict."""
    root = memslot.proto_path()
    protoc = [sys.executable, "-m", "grpc_tools.protoc", f"-I{root}", f"--python_out={tmp_path}"]
    subprocess.run([*protoc, "memslot/v1/filter.proto", "memslot/v1/slot.proto"], check=True)
    theirs = tmp_path / "memslot/v1/slot_pb2.py"
    code = f"import memslot.v1.slot_pb2, runpy; print(runpy.run_path({str(theirs)!r})['SlotInfo'].DESCRIPTOR.full_name)"
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == "memslot.v1.SlotInfo"
