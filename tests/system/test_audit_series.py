"""A folder of audit files, as its settings say."""

from __future__ import annotations

import json
from pathlib import Path

from tests.system.process import Served

from memslot.v1 import slot_service_pb2


def test_the_limit_of_a_file_is_a_setting(tmp_path: Path) -> None:
    """Where the audit goes to a folder, a file that has reached the limit is followed by the next one, and no event is lost between them."""
    folder = tmp_path / "audit"
    flags = ("--audit-file", f"{folder}/", "--audit-file-limit-bytes", "4KiB", "--audit-file-limit", "1h")
    with Served("--data-dir", tmp_path / "data", "--listen", "127.0.0.1:0", *flags) as served:
        slots = served.ready().slots()
        for number in range(30):
            slots.Write(slot_service_pb2.WriteRequest(namespace="default", name=f"n{number}", body=b"1"))
        assert served.stop() == 0, served.stderr
    files = sorted(folder.glob("audit-*.jsonl"))
    assert len(files) > 1
    names = [name for file in files for line in file.read_text().splitlines() for name in json.loads(line)["names"]]
    assert names == [f"n{number}" for number in range(30)]
