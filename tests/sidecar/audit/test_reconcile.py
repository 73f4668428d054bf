"""A missing, repeated or damaged event is found; a whole trail is proven whole."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.audit.harness import call, commit, created, expiry, forgotten, record, started

from memslot_sidecar.audit.reconcile import Findings, Reconciliation
from memslot_sidecar.audit.revisions import RevisionSet
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.trail import Trail
from memslot_sidecar.commands import audit as command
from memslot_sidecar.errors import UsageError
from memslot_sidecar.stores.base import Store
from memslot_sidecar.stores.ram import RamStore
from memslot_sidecar.stores.sqlite import SqliteStore

Edit = Callable[[list[bytes]], list[bytes]]


def reconcile(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    """The exit code of `memslot audit reconcile --json`, and what it found."""
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["audit", "reconcile", "--json", *map(str, arguments)])
    code = args.run(args)
    return code, json.loads(capsys.readouterr().out)


async def write_trail(path: Path, store: Store, first: int = 0) -> None:
    """Ten writes with a read after each, an expiry, and a long operation over three revisions."""
    async with started(FileSink(path), store) as (audit, _):
        for number in range(first, first + 10):
            made = call("Write", f"s{number}")
            await record(store, made, created(f"s{number}"))
            audit.finished(made, "OK")
            audit.finished(call("Read", f"s{number}", revision=1), "OK")
        await commit(store, expiry(), forgotten(["x"]), "EXPIRED")
        made = call("ForgetMatching")
        for _ in range(3):
            await record(store, made, *forgotten(f"{n:0100}" for n in range(300)), outcome="FORGOTTEN")
        audit.finished(made, "OK")


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    """Where the trail is written."""
    return tmp_path / "trail"


def write_whole_trail(path: Path) -> None:
    """The trail of a store that is gone afterwards."""

    async def run() -> None:
        store = RamStore()
        await store.start()
        await write_trail(path, store)

    asyncio.run(run())


async def test_a_whole_trail_is_complete(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each revision is told exactly once; other events and long ones do not disturb."""
    store = RamStore()
    await store.start()
    await write_trail(trail, store)
    code, found = reconcile(capsys, "--audit-file", trail, "--from-start")
    assert (code, found["complete"]) == (0, True)
    assert (found["first"], found["last"], found["mutations"], found["other_events"]) == (1, 14, 14, 10)
    assert found["store_id"] == store.store_id


EDITS: list[tuple[str, Edit, str]] = [
    ("a mutation's line removed", lambda lines: [x for x in lines if b'"revision":5,' not in x], "missing_count"),
    ("a read's line removed", lambda lines: lines[:7] + lines[8:], "lost_line_count"),
    ("a line repeated", lambda lines: [*lines, lines[4]], "duplicate_count"),
    ("a part repeated", lambda lines: [*lines, lines[-2]], "duplicate_count"),
    ("a part removed", lambda lines: lines[:-3] + lines[-2:], "lost_part_count"),
    ("another event under the same revision", lambda lines: [*lines, lines[4].replace(b'"Write"', b'"X"')], "duplicate_count"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "edit", "found_in"), EDITS, ids=[what for what, _, _ in EDITS])
def test_a_trail_that_is_not_whole_is_found_out(
    trail: Path, capsys: pytest.CaptureFixture[str], what: str, edit: Edit, found_in: str
) -> None:
    """Whatever is missing or there twice is counted and fails."""
    write_whole_trail(trail)
    trail.write_bytes(b"".join(edit(trail.read_bytes().splitlines(keepends=True))))
    code, found = reconcile(capsys, "--audit-file", trail)
    assert code == 1, what
    assert found[found_in] == 1


async def test_the_store_proves_that_the_end_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Compared with the files of a stopped store, a trail whose last events are missing fails, and says which."""
    path = tmp_path / "audit.jsonl"
    store = SqliteStore(tmp_path / "data")
    await store.start()
    await write_trail(path, store)
    await store.close()
    assert reconcile(capsys, "--audit-file", path, "--data-dir", tmp_path / "data")[0] == 0
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b"ForgetMatching" not in line))
    assert reconcile(capsys, "--audit-file", path)[0] == 0
    code, found = reconcile(capsys, "--audit-file", path, "--data-dir", tmp_path / "data")
    assert (code, found["missing"]) == (1, [[12, 14]])


async def test_no_file_of_the_store_is_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A stopped store is only read."""
    path = tmp_path / "audit.jsonl"
    store = SqliteStore(tmp_path / "data")
    await store.start()
    await write_trail(path, store)
    await store.close()
    before = (tmp_path / "data" / "memslot.db").read_bytes()
    reconcile(capsys, "--audit-file", path, "--data-dir", tmp_path / "data")
    assert (tmp_path / "data" / "memslot.db").read_bytes() == before


async def test_rotated_files_are_read_in_the_order_of_their_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All rotated files together are proven, in whatever order they are given, compressed or not."""
    store = RamStore()
    await store.start()
    path = tmp_path / "audit.jsonl"
    for turn in range(3):
        await write_trail(path, store, first=turn * 10)
        with gzip.open(tmp_path / f"audit.jsonl.{turn}.gz", "wb") as file:
            file.write(path.read_bytes())
        path.unlink()
    await write_trail(path, store, first=30)
    rotated = [tmp_path / f"audit.jsonl.{turn}.gz" for turn in (1, 0, 2)]
    code, found = reconcile(capsys, "--from-start", "--audit-file", path, *rotated)
    assert (code, found["last"]) == (0, 56)
    code, found = reconcile(capsys, "--audit-file", path, *rotated[1:])
    assert (code, found["missing"]) == (1, [[15, 28]])
    code, found = reconcile(capsys, "--audit-file", path, rotated[2])
    assert (code, found["first"]) == (0, 29)
    assert reconcile(capsys, "--from-start", "--audit-file", path, rotated[2])[0] == 1


async def test_a_collected_stream_may_repeat_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What standard output tells again after a crash is allowed when asked for, under the same event id only."""
    store = RamStore()
    await store.start()
    first, second = tmp_path / "first", tmp_path / "second"
    await write_trail(first, store)
    await store.set_watermark("audit", 8)
    async with started(FileSink(second), store):
        pass
    code, found = reconcile(capsys, "--audit-file", first, second)
    assert (code, found["duplicate_count"] > 0) == (1, True)
    code, found = reconcile(capsys, "--at-least-once", "--audit-file", first, second)
    assert (code, found["duplicate_count"]) == (0, 0)
    text = second.read_text()
    second.write_text(text.replace(json.loads(text.splitlines()[0])["event_id"], "f" * 32))
    assert reconcile(capsys, "--at-least-once", "--audit-file", first, second)[0] == 1


def test_other_lines_are_passed_over(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The server's log and plain text may stand in between; a torn last line is noted; a damaged one fails."""
    write_whole_trail(trail)
    lines = trail.read_bytes().splitlines(keepends=True)
    mixed = [b"listening\n", b'{"log":"server"}\n', *lines, b'{"log":"audit","sch']
    trail.write_bytes(b"".join(mixed))
    code, found = reconcile(capsys, "--audit-file", trail)
    assert (code, found["damages"]) == (0, [{"file": str(trail), "line": len(mixed), "torn": True}])
    trail.write_bytes(b"".join([b'{"log":"aud\n', *mixed]))
    assert reconcile(capsys, "--audit-file", trail)[0] == 1


async def test_another_stores_revisions_are_not_counted(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that two stores wrote to, one after the other, is compared with one of them."""
    for _ in range(2):
        store = RamStore()
        await store.start()
        await write_trail(trail, store)
    code, found = reconcile(capsys, "--audit-file", trail)
    assert (code, found["mutations"], found["of_other_stores"] > 13) == (0, 14, True)


def test_people_are_told_in_words(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the findings are lines that say what is wrong."""
    about = {"log": "audit", "instance_id": "i", "store_id": "s", "time": "t", "operation": "Write", "mutation": True}
    numbers = [(1, 1), (2, 2), (4, 3), (4, 5)]
    lines = [json.dumps({**about, "event_id": "e", "revision": r, "sequence": n}) for r, n in numbers]
    trail.write_text("\n".join(lines) + "\n")
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["audit", "reconcile", "--audit-file", str(trail)])
    assert args.run(args) == 1
    assert capsys.readouterr().out.splitlines()[2:] == [
        "MISSING revision 3",
        "TWICE revision 4 (event e)",
        "LOST line 4 of instance i",
        "3 problems",
    ]


def test_a_file_that_is_not_there_is_wrong_usage(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that cannot be read is told."""
    with pytest.raises(UsageError, match="trail"):
        reconcile(capsys, "--audit-file", trail)


def test_a_folder_stands_for_its_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `memslot serve --audit-file` takes is taken here too: all files of the series, and nothing else in the folder."""
    with pytest.raises(UsageError, match=r"no file audit-\*\.jsonl"):
        reconcile(capsys, "--audit-file", tmp_path)
    write_whole_trail(tmp_path / "all")
    lines = (tmp_path / "all").read_bytes().splitlines(keepends=True)
    (tmp_path / "audit-1.jsonl").write_bytes(b"".join(lines[:6]))
    (tmp_path / "audit-2.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[6:])))
    code, found = reconcile(capsys, "--audit-file", tmp_path, "--from-start")
    assert (code, found["mutations"]) == (0, 14)


def test_a_file_without_events_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a store to compare with, a file that holds no event is not called complete."""
    empty = tmp_path / "other.log"
    empty.write_text("no event\n")
    with pytest.raises(UsageError, match="no audit event"):
        reconcile(capsys, "--audit-file", empty)


def test_a_directory_without_a_store_is_wrong_usage(trail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A data directory that holds no store is told."""
    with pytest.raises(UsageError, match="no store"):
        reconcile(capsys, "--audit-file", trail, "--data-dir", trail.parent)


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`memslot audit schema` prints the JSON Schema."""
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["audit", "schema"])
    assert args.run(args) == 0
    assert json.loads(capsys.readouterr().out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@given(st.sets(st.integers(1, 200)), st.integers(1, 60), st.integers(1, 220))
def test_missing_ranges_are_those_of_a_set(revisions: set[int], first: int, last: int) -> None:
    """Ranges of what is missing are the same as of a plain set."""
    compact = RevisionSet()
    assert all(compact.add(revision) for revision in revisions)
    assert not any(compact.add(revision) for revision in revisions)
    missing = [revision for span in compact.missing(first, last) for revision in range(span[0], span[1] + 1)]
    assert missing == [revision for revision in range(first, last + 1) if revision not in revisions]


@given(st.randoms(use_true_random=False), st.integers(0, 35))
def test_what_a_collector_kept_is_proven_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, random: Random, removed: int
) -> None:
    """Lines that were shuffled and repeated on their way are complete; one that is missing, whatever it tells, is found missing."""
    trail = tmp_path_factory.mktemp("kept") / "trail"
    lines = whole_trail().splitlines(keepends=True)
    kept = [*lines, *random.choices(lines, k=10)]
    random.shuffle(kept)
    trail.write_bytes(b"".join(kept))
    assert findings(trail).complete
    gone = lines[removed % len(lines)]
    trail.write_bytes(b"".join(line for line in kept if line != gone))
    assert findings(trail).lost_line_count + findings(trail).missing_count > 0 or gone == lines[-1]


@cache
def whole_trail() -> bytes:
    """A whole trail's lines."""
    with TemporaryDirectory() as folder:
        write_whole_trail(Path(folder) / "trail")
        return (Path(folder) / "trail").read_bytes()


def findings(trail: Path) -> Findings:
    """What reconciliation finds in what a collector kept, from the first line on."""
    reconciliation = Reconciliation(None, from_start=True, at_least_once=True)
    reconciliation.take(Trail([trail]))
    return reconciliation.findings()
