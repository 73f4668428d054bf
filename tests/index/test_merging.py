"""Parts of the words are merged a little at a time: nothing is found otherwise, and no word is written again too often."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from memslot_index import merging
from memslot_index.candidates import Wanted
from memslot_index.changes import Change, Entry, Removal
from memslot_index.database.connections import NAME
from memslot_index.database.stopping import Stop
from memslot_index.fulltext.query import parse
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

WORDS = [f"w{number}x" for number in range(400)]
_RANDOM = random.Random(1)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """An index in a file."""
    index = Index(tmp_path, VectorSettings())
    yield index
    index.close()


def entry(at: int, revision: int, path: str = "a") -> Entry:
    """A slot of fifty words."""
    return Entry(path, f"n{at}", revision, 1, "", (), "", " ".join(_RANDOM.choices(WORDS, k=50)))


def filled(index: Index, batches: int = 60, path: str = "a") -> None:
    """Slots in batches of ten, half of which overwrite some that are there, and a few that go."""
    _RANDOM.seed(1)
    for batch in range(batches):
        changes: list[Change] = [entry(_RANDOM.randrange(5 * batch + 10), batch + 1, path) for _ in range(10)]
        index.apply([*changes, Removal(path, f"n{_RANDOM.randrange(5 * batch + 10)}")])


def merged(index: Index) -> int:
    """Merges all that there is; how many portions that took."""
    portions = 0
    while index.merging.waiting:
        index.merging.portion(Stop())
        portions += 1
    return portions


def parts(index: Index, table: int = 1) -> int:
    """How many parts a table's words are in."""
    with index._connections.reading() as connection:
        rows = connection.execute(f"SELECT count(DISTINCT segid) FROM words_{table}_idx").fetchall()
    return int(rows[0][0])


def found(index: Index) -> list[list[tuple[str, float]]]:
    """What some searches find."""
    queries = [parse(text) for text in (*WORDS[:20], "w1x w2x w3x", '"w5x w6x"', "w1*")]
    searched = [index.search("a", Wanted(query, None, 1000), Stop()).items for query in queries]
    return [[(item.name, item.score) for item in items] for items in searched]


def test_what_is_found_stays_and_parts_become_few(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merged in portions, the words are in fewer parts, every search finds the same with the same scores, and the file is sound."""
    monkeypatch.setattr(merging, "_PAGES", 1)
    filled(index)
    before, were = found(index), parts(index)
    assert merged(index) > 5
    assert found(index) == before
    assert parts(index) < were / 2
    assert index.check() == []
    assert merged(index) == 0


def test_each_portion_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash between two portions the next start goes on where they ended, and need not be told what was written."""
    monkeypatch.setattr(merging, "_PAGES", 1)
    index = Index(tmp_path, VectorSettings())
    filled(index, 207)
    before, were = found(index), parts(index)
    index.merging.portion(Stop())
    index.merging.portion(Stop())
    copy = tmp_path / "crashed"
    copy.mkdir()
    for path in tmp_path.glob(f"{NAME}*"):
        (copy / path.name).write_bytes(path.read_bytes())
    rest = merged(index)
    index.close()
    crashed = Index(copy, VectorSettings())
    assert merged(crashed) == rest > 2
    assert parts(crashed) < were / 2
    assert found(crashed) == before
    assert crashed.check() == []
    crashed.close()


def test_words_are_written_again_a_bounded_number_of_times(index: Index) -> None:
    """However often it is quiet: all merging writes fewer rows than putting did. It would be more than that with everything merged each time."""
    writer = index._connections.writer
    put = again = 0
    batches = 300
    for batch in range(batches):
        start = writer.total_changes()
        index.apply([entry(_RANDOM.randrange(5 * batch + 10), batch + 1) for _ in range(10)])
        put += writer.total_changes() - start
        start = writer.total_changes()
        while index.merging.waiting:
            index.merging.portion(Stop())
        again += writer.total_changes() - start
    assert again < put


def test_a_portion_gives_way(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops it in its midst has all as it was, may write at once, and it is done later."""
    monkeypatch.setattr(merging, "_PAGES", 100_000)
    filled(index, 200)
    before, were = found(index), parts(index)
    stop, steps = Stop(), itertools.count()

    def end_in_the_midst() -> bool:
        if next(steps) == 100:
            stop.give()
        return False

    writer = index._connections.writer
    writer.set_progress_handler(end_in_the_midst, 10)
    with pytest.raises(apsw.InterruptError):
        index.merging.portion(stop)
    writer.set_progress_handler(None)
    assert next(steps) > 100
    assert parts(index) == were
    assert found(index) == before
    with pytest.raises(apsw.InterruptError):
        index.merging.portion(stop)
    index.apply([entry(1, 10_000)])
    before = found(index)
    merged(index)
    assert parts(index) < were / 2
    assert found(index) == before
    assert index.check() == []


def test_only_tables_that_were_written_are_looked_at(index: Index) -> None:
    """Each root's words are merged after a write into it, and those of a namespace that goes too."""
    for root in ("a", "b", "c"):
        filled(index, 10, f"{root}/x")
    merged(index)
    index.apply([entry(0, 1000, "b/x")])
    assert list(index.merging._tables) == [2]
    merged(index)
    index.drop("c/x")
    assert list(index.merging._tables) == [3]
    merged(index)
    assert index.check() == []


def test_a_wipe_waits_for_the_log(index: Index) -> None:
    """Who erases is not refused because what was merged is just being brought into the file."""
    filled(index)
    merged(index)
    ended = threading.Event()

    def settle() -> None:
        while not ended.is_set():
            index.merging.settle()

    settling = threading.Thread(target=settle)
    settling.start()
    try:
        for batch in range(20):
            index.apply([entry(at, 1000 + batch) for at in range(50)])
            index.wipe()
    finally:
        ended.set()
        settling.join()
    assert index.check() == []
