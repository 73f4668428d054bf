"""The audit trail as a reader finds it: whole lines, and the one event of each revision."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.system.process import MEMSLOT

LINE_LIMIT_BYTES = 16_384

Event = dict[str, Any]


def read_trail(*files: Path) -> list[Event]:
    """The events of all lines, but of a last one that is just being written. No line may be torn or too long."""
    lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert max(map(len, lines), default=0) <= LINE_LIMIT_BYTES
    return [json.loads(line) for line in lines]


def operations_told(events: Iterable[Event]) -> list[tuple[str, str]]:
    """Operation and code of each event, one an operation."""
    return [(event["operation"], event["code"]) for event in events if event.get("last_part", True)]


def revisions_told(events: Iterable[Event]) -> list[int]:
    """The revisions that have their event, sorted. Each must be told exactly once: by one line, or by the parts of one event,
    which are numbered without gaps or repeats."""
    told: dict[int, list[Event]] = {}
    for event in events:
        if event.get("mutation"):
            told.setdefault(event["revision"], []).append(event)
    for revision, lines in told.items():
        assert len({line["event_id"] for line in lines}) == 1, (revision, lines)
        first = lines[0].get("part", 0)
        assert [line.get("part", 0) for line in lines] == list(range(first, first + len(lines))), (revision, lines)
        assert len(lines) == 1 or first > 0, (revision, lines)
    return sorted(told)


def reconcile(directory: Path, *files: Path) -> str:
    """What `memslot audit reconcile` finds wrong between a stopped store and its trail, from revision 1 on; empty when nothing."""
    where = [
        "--data-dir",
        str(directory),
        "--from-start",
        "--audit-file",
        *map(str, files or [directory / "audit.jsonl"]),
    ]
    done = subprocess.run([MEMSLOT, "audit", "reconcile", *where], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stdout}{done.stderr}"
