"""A folder of audit files, as its settings say."""

from __future__ import annotations

import json
from pathlib import Path

from tests.system.process import Served, eventually

from memslot.v1 import slot_service_pb2


def test_the_limit_of_a_file_is_a_setting(tmp_path: Path) -> None:
    """Where the audit goes to a folder, a file that has reached the limit is followed by the next one, and no event is lost between them."""
    folder = tmp_path / "audit"
    flags = ("--audit-file", f"{folder}/", "--audit-file-limit-bytes", "4KiB", "--audit-file-limit", "1h")
    with Served("--data-dir", tmp_path / "data", "--listen", "127.0.0.1:0", *flags) as served:
        slots = served.ready().slots()
        for number in range(30):
            if number == 20:
                # What is written at once stays together, however much that is.
                eventually(lambda: len(_names(folder)) == 20, "the first events are written")
            slots.Write(slot_service_pb2.WriteRequest(namespace="default", name=f"n{number}", body=b"1"))
        assert served.stop() == 0, served.stderr
    assert len(list(folder.glob("audit-*.jsonl"))) > 1
    assert _names(folder) == [f"n{number}" for number in range(30)]


def _names(folder: Path) -> list[str]:
    """The slots that whole lines of the files speak of, in order."""
    lines = [
        line for file in sorted(folder.glob("audit-*.jsonl")) for line in file.read_text().splitlines(keepends=True)
    ]
    return [name for line in lines if line.endswith("\n") for name in json.loads(line)["names"]]
