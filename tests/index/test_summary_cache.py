"""The cache of summaries: what it keeps follows the text of its slot, and what is worth least goes first."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from memslot_index.changes import Entry, Removal, Summarise
from memslot_index.database.summaries import Due, Kept
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

EXTRACTIVE, MODEL = 2, 3
ROOM = 1 << 20


@pytest.fixture(params=["memory", "file"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Index:
    """An empty index."""
    return Index(tmp_path if request.param == "file" else None, VectorSettings())


def wanted(
    name: str, revision: int, text: str = "t", source: int = EXTRACTIVE, *, path: str = "a", indexed: bool = False
):
    """A slot of which a summary is wanted."""
    summarise = Summarise(revision, f"digest of {text}", source, float(revision))
    if indexed:
        return Entry(path, name, revision, revision, "", (), "", text, summarise=summarise)
    return Removal(path, name, summarise)


def kept(name: str, revision: int, text: str = "t", *, size: int = 10, rank: float | None = None, **fields) -> Kept:
    """A summary that was made of a slot."""
    given = {"path": "a", "source": EXTRACTIVE} | fields
    rank = float(revision) if rank is None else rank
    return Kept(name=name, revision=revision, digest=f"digest of {text}", rank=rank, text="s" * size, **given)


def waiting(index: Index, source: int = EXTRACTIVE, now_ms: int = 0) -> list[tuple[str, int]]:
    """Names and revisions of what is due."""
    return [(row.name, row.revision) for row in index.summaries.due(source, now_ms, 100)[0]]


def shown(index: Index, *names: str, path: str = "a") -> dict[str, int]:
    """Revisions of what is kept."""
    return {name: found.revision for name, found in index.summaries.of(path, names).items()}


@pytest.mark.parametrize("indexed", [False, True])
def test_a_text_waits_until_its_summary_is_there(index: Index, indexed: bool) -> None:
    """A slot that is told of waits, whether or not it is searched; it waits no longer when its summary was made."""
    index.apply([wanted("x", 1, indexed=indexed), wanted("y", 2, indexed=indexed)])
    assert waiting(index) == [("x", 1), ("y", 2)]
    index.summaries.finish([kept("x", 1)], [], [], ROOM)
    assert (waiting(index), shown(index, "x", "y")) == ([("y", 2)], {"x": 1})
    assert index.summaries.sums() == (1, 10)


def test_metadata_change_carries_the_summary_over(index: Index) -> None:
    """The same text at a later revision keeps its summary, under that revision and with the present rank, and nothing waits."""
    index.apply([wanted("x", 1)])
    index.summaries.finish([kept("x", 1)], [], [], ROOM)
    index.apply([wanted("x", 7)])
    assert index.summaries.of("a", ["x"])["x"] == kept("x", 7, rank=7.0)
    assert waiting(index) == []


@pytest.mark.parametrize("change", [wanted("x", 2, "other"), Removal("a", "x")])
def test_another_text_drops_the_summary_at_once(index: Index, change: Entry | Removal) -> None:
    """A summary goes in the very call that tells of another text, or that the slot is gone."""
    index.apply([wanted("x", 1)])
    index.summaries.finish([kept("x", 1)], [], [], ROOM)
    index.apply([change])
    assert shown(index, "x") == {}
    assert index.summaries.sums() == (0, 0)
    assert waiting(index) == ([("x", 2)] if change.summarise else [])


def test_a_later_change_still_waits_after_an_earlier_one_is_done(index: Index) -> None:
    """What is settled of an earlier revision takes nothing away from a later one."""
    index.apply([wanted("x", 1)])
    index.apply([wanted("x", 2, "other")])
    index.summaries.finish([], [("a", "x", 1, EXTRACTIVE)], [], ROOM)
    assert waiting(index) == [("x", 2)]


def test_another_way_to_make_it_waits_beside_the_present_one(index: Index) -> None:
    """A summary that was made in another way than is wanted now stays until the wanted one takes its place."""
    index.apply([wanted("x", 1)])
    index.summaries.finish([kept("x", 1)], [], [], ROOM)
    index.apply([wanted("x", 1, source=MODEL)])
    assert (shown(index, "x"), waiting(index), waiting(index, MODEL)) == ({"x": 1}, [], [("x", 1)])
    index.summaries.finish([kept("x", 1, source=MODEL, size=20)], [], [], ROOM)
    assert (index.summaries.sums(), waiting(index, MODEL)) == ((1, 20), [])


def test_lowest_rank_goes_first(index: Index) -> None:
    """Beyond the room there is, summaries go in the order of their rank, over all namespaces; one that does not fit is not kept."""
    ranks = random.Random(1).sample(range(1000), 50)
    for number, rank in enumerate(ranks):
        made = kept(f"n{number}", number + 1, path=f"p{number % 3}", size=100, rank=float(rank))
        index.summaries.finish([made], [], [], 2000)
        assert index.summaries.sums()[1] <= 2000
    left = {
        found.rank
        for path in ("p0", "p1", "p2")
        for found in index.summaries.of(path, [f"n{n}" for n in range(50)]).values()
    }
    assert left == set(sorted(ranks)[-20:])
    assert index.summaries.least_rank(2000, 1) == min(left)
    assert index.summaries.least_rank(3000, 1000) is None
    index.summaries.finish([kept("large", 99, size=5000, rank=9999.0)], [], [], 2000)
    assert index.summaries.sums() == (0, 0)


def test_asking_renews_the_rank(index: Index) -> None:
    """A summary that is asked for counts with its slot's present rank; one that is missing waits, one that is there does not."""
    index.summaries.finish([kept("x", 1, size=10), kept("y", 2, size=10)], [], [], ROOM)
    missing = [Due("a", name, 3, EXTRACTIVE, asked=True) for name in ("x", "z")]
    index.summaries.asked([("a", "x", 9.0), ("a", "z", 9.0)], missing)
    assert waiting(index) == [("z", 3)]
    index.summaries.finish([], [], [], 10)
    assert shown(index, "x", "y") == {"x": 1}


def test_postponed_comes_at_its_time(index: Index) -> None:
    """What is postponed is due at its time, and asking does not hasten what failed before; a new text does."""
    index.apply([wanted("x", 1), wanted("y", 2)])
    (row, _), _ = index.summaries.due(EXTRACTIVE, 0, 2)
    later = Due("a", "x", 1, EXTRACTIVE, due_ms=500, tries=1)
    index.summaries.finish([kept("y", 2)], [], [later], ROOM)
    assert (row.name, waiting(index)) == ("x", [])
    assert index.summaries.due(EXTRACTIVE, 0, 1) == ([], 500)
    index.summaries.asked([], [Due("a", "x", 1, EXTRACTIVE, asked=True)])
    assert (waiting(index, now_ms=499), waiting(index, now_ms=500)) == ([], [("x", 1)])
    index.apply([wanted("x", 1)])
    assert waiting(index) == []
    index.apply([wanted("x", 3, "other")])
    assert waiting(index) == [("x", 3)]


def test_news_comes_after_the_commit(index: Index) -> None:
    """Whoever listens is called when slots have begun to wait, and then sees them; a change that makes none wait is no news."""
    seen: list[list[tuple[str, int]]] = []
    index.summaries.news = lambda: seen.append(waiting(index))
    index.apply([wanted("x", 1)])
    index.apply([Removal("b", "y"), Entry("b", "z", 2, 2, "", (), "", "no summary")])
    assert seen == [[("x", 1)]]


def test_a_namespace_that_is_dropped_leaves_nothing(index: Index) -> None:
    """Dropping a namespace removes what it has and what waits, however much, and no other's."""
    changes = [wanted(f"{number}", number + 1, path=path) for path in ("a", "a/b") for number in range(1200)]
    index.apply(changes)
    index.summaries.finish([kept(f"{n}", n + 1, path=path) for path in ("a", "a/b") for n in range(600)], [], [], ROOM)
    index.summaries.drop("a")
    assert (index.summarised("a", "", 10), index.paths()) == ([], {"a/b"})
    assert index.summaries.sums() == (600, 6000)
    assert len(index.summarised("a/b", "", 2000)) == 1200


def test_sums_that_are_wrong_keep_nobody_waiting(tmp_path: Path) -> None:
    """Where the sums say that there is more than there is, all that may go is removed once, and they are counted anew."""
    index = Index(tmp_path, VectorSettings())
    index.apply([wanted("x", 1)])
    index.summaries.finish([kept("x", 1)], [], [], ROOM)
    other = apsw.Connection(str(next(tmp_path.glob("*.db"))))
    other.execute("UPDATE summary_sums SET count = 7, bytes = 5000")
    other.close()
    index.summaries.finish([], [], [], 100)
    assert (shown(index, "x"), index.summaries.sums()) == ({}, (0, 0))
    index.summaries.finish([kept("x", 1)], [], [], 100)
    assert index.summaries.sums() == (1, 10)
    index.close()


def test_what_waits_survives(tmp_path: Path) -> None:
    """An index that is opened again knows what is kept and what waits; one that is reset knows nothing."""
    first = Index(tmp_path, VectorSettings())
    first.apply([wanted("x", 1), wanted("y", 2)])
    first.summaries.finish([kept("x", 1)], [], [], ROOM)
    first.close()
    again = Index(tmp_path, VectorSettings())
    assert (shown(again, "x"), waiting(again), again.paths()) == ({"x": 1}, [("y", 2)], {"a"})
    again.reset()
    assert (again.summarised("a", "", 10), again.paths()) == ([], set())
    again.close()


@pytest.mark.parametrize("seed", range(20))
def test_never_of_another_text(index: Index, seed: int) -> None:
    """After any sequence of changes, made, evicted and dropped summaries, what is kept is of the present text, and the sums are right."""
    chance = random.Random(seed)
    present: dict[str, tuple[int, str]] = {}
    for revision in range(1, 150):
        name = chance.choice("uvwxyz")
        match chance.randrange(6):
            case 0 | 1:
                present[name] = revision, chance.choice(["one", "two"])
                index.apply([wanted(name, *present[name], indexed=chance.random() < 0.5)])
            case 2:
                present.pop(name, None)
                index.apply([Removal("a", name)])
            case 3 if present and chance.random() < 0.2:
                present.clear()
                index.drop("a")
                index.summaries.drop("a")
            case _:
                rows, _ = index.summaries.due(EXTRACTIVE, 0, 2)
                made = [
                    kept(row.name, row.revision, present[row.name][1], size=chance.randrange(1, 99)) for row in rows
                ]
                index.summaries.finish(made, [], [], 200)
        found = index.summaries.of("a", list("uvwxyz"))
        assert {name: (one.revision, one.digest) for name, one in found.items()} == {
            name: (present[name][0], f"digest of {present[name][1]}") for name in found
        }
        assert index.summaries.sums() == (len(found), sum(len(one.text) for one in found.values()))
        assert index.summaries.sums()[1] <= 200
