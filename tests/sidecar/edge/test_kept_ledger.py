"""Turns survive the process, are bounded, and are never in the way."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_sidecar.edge.kept_ledger import KeptLedger
from memslot_sidecar.edge.ledger import BYTES_KEPT, BYTES_KEPT_PER_TURN, NOTES_KEPT, Ledger
from memslot_sidecar.edge.note_codec import packed, unpacked
from memslot_sidecar.edge.notes import (
    AccountNote,
    ActionNote,
    ActNote,
    Amount,
    CardNote,
    FoundNote,
    InjectionNote,
    Note,
    RejectNote,
    TurnKey,
    Usage,
)

ACCOUNT = AccountNote(
    5, *(Amount(number, number + 1) for number in range(8)), 3, 4096, Usage(10, None, 2), "estimate"
)  # fmt: skip
NOTES: tuple[Note, ...] = (
    ActNote(1, 20, lenient=True, validate_only=False),
    ActionNote(2, "mem_write", "用户偏好", "json", ("single_quotes",), "DONE", "", 7, 60, 12),
    RejectNote(3, "TRUNCATED", 0, 9, "close the object", 30),
    CardNote(4, 7, ("a", "b"), 900),
    InjectionNote(4, "abcdefghij", "a", 7, summarised=False, characters=50),
    FoundNote(4, "a", 7, 2, "content", 40, whole=True, injection_id=""),
    ACCOUNT,
)
ACT, CARD = ActNote(1, 20, lenient=True, validate_only=False), CardNote(4, 7, ("a", "b"), 900)
INJECTION = InjectionNote(4, "abcdefghij", "a", 7, summarised=False, characters=50)
FOUND = FoundNote(4, "a", 7, 2, "content", 40, whole=True, injection_id="")
STORE = "store-1"


def key(turn: str, namespace: str = "n", conversation: str = "c") -> TurnKey:
    """A turn's key."""
    return TurnKey(namespace, conversation, turn)


async def reopened(directory: Path, store_id: str = STORE, **bounds: int) -> KeptLedger:
    """A ledger on the directory, as a new process has it."""
    ledger = KeptLedger(directory, **bounds)
    await ledger.start(store_id)
    return ledger


def test_every_kind_of_note_survives_packing() -> None:
    """Each note comes back as it was, and there is an example of each kind."""
    assert {type(note) for note in NOTES} == set(get_args(Note))
    assert tuple(unpacked(packed(NOTES))) == NOTES


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_read_as_notes_or_none(data: bytes) -> None:
    """Bytes that are no notes are no error."""
    assert all(isinstance(note, get_args(Note)) for note in unpacked(data))


def test_notes_of_another_version_are_read_as_far_as_they_are_known() -> None:
    """A field more, an unknown kind, or a missing field spoils no other note."""
    known = packed(NOTES[:1]).decode()[2:-2]
    assert unpacked(f'[["act",{{}}],["new",{{}}],[{known[:-1]},"more":1}}]]'.encode()) == [NOTES[0]]


async def test_the_file_is_for_its_user_alone(tmp_path: Path) -> None:
    """Names of slots stand in it, so that nobody else may read it, also in a directory that is open to all."""
    tmp_path.chmod(0o755)
    ledger = await reopened(tmp_path)
    ledger.note(key("1"), ACCOUNT)
    await ledger.close()
    files = [file for file in tmp_path.iterdir() if file.name.startswith("turns.db")]
    assert files
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


async def test_turns_survive_the_process(tmp_path: Path) -> None:
    """What was noted is there after a restart: in the same order, and it can be added to."""
    ledger = await reopened(tmp_path)
    ledger.note(key("1"), *NOTES[:2])
    ledger.note(key("2"), *NOTES)
    ledger.note(key("1"), NOTES[2])
    await ledger.close()
    ledger = await reopened(tmp_path)
    assert ledger.turns("n") == [key("1"), key("2")]
    assert ledger.of(key("2")) == NOTES
    ledger.note(key("1"), replace(ACCOUNT, slots=1))
    ledger.note(key("1"), ACCOUNT)
    ledger.note(key("3"), NOTES[0])
    await ledger.close()
    ledger = await reopened(tmp_path)
    assert ledger.of(key("1")) == (*NOTES[:3], ACCOUNT)
    assert ledger.turns("n", "c") == [key("1"), key("2"), key("3")]
    await ledger.close()


async def test_written_behind_without_being_closed(tmp_path: Path) -> None:
    """What was noted is in the file soon, so that a crash loses no more than the last moments."""
    ledger = KeptLedger(tmp_path, interval_s=0.01)
    await ledger.start(STORE)
    ledger.note(key("1"), *NOTES)
    copy = tmp_path / "crashed"
    copy.mkdir()
    while not await asyncio.to_thread(_copied, tmp_path, copy):
        await asyncio.sleep(0.01)
    after = await reopened(copy)
    assert after.of(key("1")) == NOTES
    await ledger.close()


def _copied(source: Path, target: Path) -> bool:
    """Copies the file as a crash leaves it, if there is a turn in it."""
    for path in source.glob("turns.db*"):
        (target / path.name).write_bytes(path.read_bytes())
    try:
        connection = sqlite3.connect(target / "turns.db")
        found = connection.execute("SELECT count(*) FROM turns").fetchone()[0] == 1
        connection.close()
    except sqlite3.Error:
        found = False
    if not found:
        for path in target.glob("turns.db*"):
            path.unlink()
    return found


async def test_nothing_noted_is_nothing_done(tmp_path: Path) -> None:
    """A sidecar in which nothing is noted has no file, and no thread for it."""
    threads = threading.active_count()
    ledger = await reopened(tmp_path)
    await asyncio.sleep(0)
    assert not list(tmp_path.iterdir())
    assert threading.active_count() <= threads + 1  # of the executor, which read that there is no file
    await ledger.close()
    assert not list(tmp_path.iterdir())


async def test_bounds_hold_in_the_file_too(tmp_path: Path) -> None:
    """The oldest turns go, of a namespace and of all, and a lower bound holds from the next start."""
    ledger = await reopened(tmp_path, turns_kept=6, turns_kept_per_namespace=4)
    for turn in range(10):
        ledger.note(key(str(turn)), NOTES[0])
    assert ledger.turns("n") == [key(str(turn)) for turn in range(6, 10)]
    for turn in range(4):
        ledger.note(key(str(turn), "m"), NOTES[0])
    assert ledger.turns("n") == [key("8"), key("9")]
    await ledger.close()
    assert _rows(tmp_path) == 6
    ledger = await reopened(tmp_path, turns_kept=1)
    assert ledger.turns("n") == []
    assert ledger.turns("m") == [key("3", "m")]
    await ledger.close()
    assert _rows(tmp_path) == 1
    ledger = await reopened(tmp_path, turns_kept=0)
    ledger.note(key("1"), NOTES[0])
    assert ledger.of(key("1")) == ()
    await ledger.close()
    assert _rows(tmp_path) == 0


def _rows(directory: Path) -> int:
    connection = sqlite3.connect(directory / "turns.db")
    try:
        return int(connection.execute("SELECT count(*) FROM turns").fetchone()[0])
    finally:
        connection.close()


async def test_a_dropped_namespace_takes_its_turns_along(tmp_path: Path) -> None:
    """The turns of a dropped namespace are in neither memory nor file, and those noted afterwards are."""
    ledger = await reopened(tmp_path)
    ledger.note(key("1"), *NOTES)
    ledger.note(key("1", "m"), *NOTES)
    await ledger.close()
    ledger = await reopened(tmp_path)
    ledger.note(key("2"), *NOTES)
    ledger.drop("n")
    ledger.note(key("3"), NOTES[0])
    await ledger.close()
    ledger = await reopened(tmp_path)
    assert ledger.turns("n") == [key("3")]
    assert ledger.turns("m") == [key("1", "m")]
    await ledger.close()


@pytest.mark.parametrize("how", ["damaged", "foreign", "newer", "directory", "another store"])
async def test_a_file_that_cannot_be_used_is_set_aside(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the file is, the start goes on with a new one, the old one is kept beside it, and the log says so."""
    path = tmp_path / "turns.db"
    if how == "damaged":
        path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    elif how == "directory":
        path.mkdir()
    elif how == "another store":
        ledger = await reopened(tmp_path, "another")
        ledger.note(key("1"), *NOTES)
        await ledger.close()
    else:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE theirs (x)")
        connection.execute(f"PRAGMA application_id = {0x6D737475 if how == 'newer' else 5}")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
    with caplog.at_level(logging.WARNING):
        ledger = await reopened(tmp_path)
    assert "turns.db.damaged" in caplog.text
    assert (tmp_path / "turns.db.damaged").exists()
    assert ledger.turns("n") == []
    ledger.note(key("2"), NOTES[0])
    await ledger.close()
    ledger = await reopened(tmp_path)
    assert ledger.turns("n") == [key("2")]
    await ledger.close()


async def test_a_file_that_is_damaged_while_it_is_open_is_made_anew_whole(tmp_path: Path) -> None:
    """All turns that are known go into the new file, not only the latest."""
    ledger = await reopened(tmp_path)
    ledger.note(key("1"), *NOTES)
    await ledger.close()
    ledger = await reopened(tmp_path)
    (tmp_path / "turns.db").write_bytes(b"x" * 8192)
    for path in tmp_path.glob("turns.db-*"):
        path.unlink()
    ledger.note(key("2"), NOTES[0])
    await ledger.close()
    assert (tmp_path / "turns.db.damaged").exists()
    ledger = await reopened(tmp_path)
    assert ledger.turns("n") == [key("1"), key("2")]
    await ledger.close()


async def test_notes_of_a_turn_are_bounded() -> None:
    """A turn keeps its latest notes, and its account and injections in any case: a conversation whose turns nobody names goes on for ever."""
    ledger = Ledger()
    ledger.note(key("1"), INJECTION, ACCOUNT)
    for number in range(NOTES_KEPT + 5):
        ledger.note(key("1"), replace(ACT, time_ms=number))
    kept = ledger.of(key("1"))
    assert len(kept) == NOTES_KEPT
    assert kept[:2] == (INJECTION, ACCOUNT)
    assert kept[-1] == replace(ACT, time_ms=NOTES_KEPT + 4)


def test_a_card_that_is_handed_out_again_is_noted_once() -> None:
    """The latest time counts; a card that was made anew is another."""
    ledger = Ledger()
    ledger.note(key("1"), CARD, ACT, replace(CARD, time_ms=9), replace(CARD, card_revision=8))
    assert ledger.of(key("1")) == (ACT, replace(CARD, time_ms=9), replace(CARD, card_revision=8))


async def test_long_notes_are_bounded_by_their_size(tmp_path: Path) -> None:
    """However many turns have a long card: what is kept, and read at a start, has a bound, and the latest turns are there."""
    ledger = await reopened(tmp_path)
    for turn in range(3 * BYTES_KEPT // 100_000):
        ledger.note(key(str(turn)), replace(CARD, characters=100_000, names=("n" * 50_000, str(turn))), ACT)
    turns = ledger.turns("n")
    assert BYTES_KEPT // 200_000 < len(turns) <= BYTES_KEPT // 100_000
    assert turns[-1] == key(str(3 * BYTES_KEPT // 100_000 - 1))
    for revision in range(20):
        ledger.note(key("long"), replace(CARD, card_revision=revision, characters=100_000))
    assert len(ledger.of(key("long"))) <= BYTES_KEPT_PER_TURN // 100_000
    for place in range(1_000):
        ledger.note(key("deep"), replace(FOUND, message_index=place, field="x[0]" * 500))
    assert len(ledger.of(key("deep"))) <= BYTES_KEPT_PER_TURN // 2_000
    ledger.drop("n")
    for turn in range(50):
        ledger.note(key(str(turn)), replace(CARD, characters=100_000))
    assert len(ledger.turns("n")) == 50
    await ledger.close()


@pytest.mark.parametrize(
    "row", ["x'ff', 'c', '1', 1, 1", "'n', 'c', '5', 'x', 1", "'n', 'c', CAST(x'ff' AS TEXT), 1, 1"]
)
async def test_a_row_that_nobody_wrote_is_no_hindrance(tmp_path: Path, row: str) -> None:
    """A start goes on, whatever stands in the file."""
    ledger = await reopened(tmp_path)
    ledger.note(key("1"), *NOTES)
    await ledger.close()
    with closing(sqlite3.connect(tmp_path / "turns.db")) as connection:
        connection.execute(f"INSERT INTO turns VALUES ({row}, x'5b5d')")
        connection.commit()
    ledger = await reopened(tmp_path)
    ledger.note(key("2"), ACT)
    assert key("2") in ledger.turns("n")
    await ledger.close()
