"""Trails that were damaged, cut off, or written while the clock stood still: `memslot audit reconcile` says so, and what is whole is whole."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.audit.test_reconcile import reconcile, write_whole_trail

from memslot_sidecar.audit.revisions import RevisionSet
from memslot_sidecar.cli import main
from memslot_sidecar.errors import UsageError

FAR = 10**15


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    """A whole trail's lines."""
    write_whole_trail(tmp_path / "whole")
    return (tmp_path / "whole").read_bytes().splitlines(keepends=True)


def damaged(line: bytes, **fields: Any) -> bytes:
    """A line with other fields; without those that are None."""
    event = {**json.loads(line), **fields}
    return json.dumps({name: value for name, value in event.items() if value is not None}).encode() + b"\n"


@pytest.mark.parametrize(
    "fields",
    [
        {"instance_id": None},
        {"instance_id": 5},
        {"sequence": None},
        {"sequence": "3"},
        {"sequence": -1},
        {"sequence": True},
        {"event_id": ["e"]},
        {"operation": None},
        {"operation": "AuditOverflow", "count": None},
        {"time": 12},
        {"revision": None},
        {"revision": "3"},
        {"revision": 0},
        {"store_id": {}},
        {"part": 0},
    ],
    ids=str,
)
def test_a_line_that_lost_what_is_counted_is_damaged(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str], fields: dict[str, Any]
) -> None:
    """It is named by file and line, and fails, whatever else is right."""
    trail = tmp_path / "trail"
    trail.write_bytes(b"".join([*lines, damaged(lines[0], **fields)]))
    code, found = reconcile(capsys, "--audit-file", trail)
    assert (code, found["complete"]) == (1, False)
    assert found["damages"] == [{"file": str(trail), "line": len(lines) + 1, "torn": False}]


def test_a_number_that_damage_made_huge_is_told_like_any(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes neither the machine's memory nor its time."""
    trail = tmp_path / "trail"
    trail.write_bytes(b"".join([*lines, damaged(lines[0], revision=FAR, sequence=FAR)]))
    for flags in ([], ["--at-least-once"]):
        code, found = reconcile(capsys, *flags, "--audit-file", trail)
        assert (code, found["missing"]) == (1, [[15, FAR - 1]])
        assert found["lost_line_count"] == FAR - 1 - len(lines)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("cut.gz", lambda data: gzip.compress(data)[:-40]),
        ("flipped.gz", lambda data: gzip.compress(data)[:200] + b"\0\xff" * 50 + gzip.compress(data)[300:]),
        ("plain.gz", lambda data: data),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_compressed_file_that_is_damaged_is_named(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str], name: str, spoil: Any
) -> None:
    """As any file that cannot be read is."""
    trail = tmp_path / name
    trail.write_bytes(spoil(b"".join(lines)))
    with pytest.raises(UsageError, match=f"{name}: the compressed file is damaged or cut off"):
        reconcile(capsys, "--audit-file", trail)


def test_files_of_a_clock_that_stood_still_are_read_in_the_order_of_their_lines(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """A clock that was set back lets all lines have one time, and their files names in any order; no line is lost for all that."""
    still = [damaged(line, time="2026-11-30T15:20:00.000Z") for line in lines]
    for name, part in (("b", still[:5]), ("c", still[5:12]), ("a", still[12:])):
        (tmp_path / f"audit-{name}.jsonl").write_bytes(b"".join(part))
    code, found = reconcile(capsys, "--audit-file", tmp_path, "--from-start")
    assert (code, found["lost_lines"]) == (0, [])


@given(st.sets(st.one_of(st.integers(1, 9000), st.integers(FAR, FAR + 9000)), max_size=60), st.integers(1, 9000))
def test_missing_ranges_of_a_set_with_gaps(revisions: set[int], first: int) -> None:
    """Between two that are far apart too, what is missing begins behind one that is there and ends before the next."""
    numbers = RevisionSet()
    assert all(numbers.add(revision) for revision in revisions)
    last = FAR + 9001
    found = list(numbers.missing(first, last))
    kept = sorted(revision for revision in revisions if first <= revision <= last)
    bounds = [first - 1, *kept, last + 1]
    expected = [(low + 1, high - 1) for low, high in pairwise(bounds) if high > low + 1]
    assert found == expected


def test_a_read_that_is_there_twice_is_found(
    tmp_path: Path, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Who counts operations by their lines counts each once; where repeats are allowed, it is noted and counted once."""
    trail = tmp_path / "trail"
    read = next(line for line in lines if b'"Read"' in line)
    trail.write_bytes(b"".join([*lines, read]))
    code, found = reconcile(capsys, "--audit-file", trail)
    event = json.loads(read)
    again = {"instance_id": event["instance_id"], "sequence": event["sequence"]}
    assert (code, found["duplicates"], found["other_events"]) == (1, [again], 10)
    code, found = reconcile(capsys, "--at-least-once", "--audit-file", trail)
    assert (code, found["repeated_count"], found["other_events"]) == (0, 1, 10)
    assert main(["audit", "reconcile", "--audit-file", str(trail)]) == 1
    assert f"TWICE line {event['sequence']} of instance {event['instance_id']}" in capsys.readouterr().out
