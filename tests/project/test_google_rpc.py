"""Error details are read with and without the package that usually defines google.rpc, in whatever order things are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDE = "import sys; sys.modules['google.rpc'] = None\n"
USE = """
from memslot._google_rpc import error_details_pb2, status_pb2
from memslot.v1 import slot_service_pb2
status = status_pb2.Status(code=5)
status.details.add().Pack(error_details_pb2.ErrorInfo(reason="SLOT_NOT_FOUND"))
result = slot_service_pb2.DescribeResult(status=status)
info = error_details_pb2.ErrorInfo()
assert result.status.details[0].Unpack(info) and info.reason == "SLOT_NOT_FOUND"
print(status_pb2.__name__)
"""
THEIRS = "from google.rpc import error_details_pb2, status_pb2; import grpc_status.rpc_status\n"


@pytest.mark.parametrize(
    ("code", "module"),
    [
        pytest.param(HIDE + USE, "memslot._google_rpc.status_pb2", id="absent"),
        pytest.param(USE + THEIRS, "google.rpc.status_pb2", id="ours first"),
        pytest.param(THEIRS + USE, "google.rpc.status_pb2", id="theirs first"),
    ],
)
def test_error_details_are_read(code: str, module: str) -> None:
    """One definition of google.rpc.Status serves the whole process: the installed one, or ours where there is none."""
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == module
