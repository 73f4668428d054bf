"""Vectors of another model or size go in portions, and nothing is lost where that ends in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from memslot_index import discarding
from memslot_index.changes import Entry, Made
from memslot_index.index import Index, SpaceStats
from memslot_index.vectors.choice import VectorSettings

np = pytest.importorskip("numpy")
COUNT = 20


def vector(size: int) -> bytes:
    """A vector of length 1."""
    return bytes(np.eye(1, size, dtype="<f4").tobytes())


def sent(names: range, size: int) -> list[Entry]:
    """Slots with vectors that their writers sent."""
    return [Entry("a", f"n{at}", at + 1, at + 1, "", (), "", "text", vector=vector(size)) for at in names]


def embedded(index: Index) -> None:
    """Slots whose vectors a model made."""
    index.use_model("a", "first", 4)
    index.apply([Entry("a", f"n{at}", at + 1, at + 1, "", (), "", "text", embed=True) for at in range(COUNT)])
    waiting = index.waiting("a", COUNT)
    assert index.add_vectors("a", [Made(one.id, one.digest, vector(4), truncated=True) for one in waiting]) == COUNT
    index.completed("a")


def stats(index: Index) -> SpaceStats:
    """What is there of the namespace."""
    found = index.stats("a")
    assert found is not None
    return found


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """An index, and portions of three documents."""
    monkeypatch.setattr(discarding, "PORTION", 3)
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    yield index
    index.close()


@contextmanager
def ending_after(index: Index, transactions: int) -> Iterator[list[int]]:
    """Lets the disk be full from a transaction on; tells how many rows each one changed."""
    writing, sizes = index._connections.writing, list[int]()

    @contextmanager
    def limited() -> Iterator[apsw.Connection]:
        if len(sizes) == transactions:
            raise apsw.FullError
        with writing() as connection:
            before = connection.total_changes()
            yield connection
            sizes.append(connection.total_changes() - before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index._connections, "writing", limited)
        yield sizes


def test_no_transaction_grows_with_the_namespace(index: Index) -> None:
    """A change of model takes many small transactions, after which no vector is left and all is to be indexed again."""
    embedded(index)
    with ending_after(index, -1) as sizes:
        index.use_model("a", "second", 8)
    assert len(sizes) > COUNT // 3
    assert max(sizes) <= 6
    found, space = stats(index), index.space("a")
    assert (found.documents, found.vectors, found.waiting, found.model, found.dimensions) == (COUNT, 0, 0, "second", 8)
    assert space is not None
    assert not space.complete


@pytest.mark.parametrize("transactions", range(9))
def test_a_change_of_model_that_ends_in_between_goes_on(index: Index, transactions: int) -> None:
    """The space has its model and fewer vectors, and says that it is incomplete; asked again it is done."""
    embedded(index)
    with ending_after(index, transactions), pytest.raises(apsw.FullError):
        index.use_model("a", "second", 8)
    space = index.space("a")
    assert space is not None
    assert space.complete == (transactions == 0)
    assert (space.model, space.dimensions) == ("first", 4)
    assert stats(index).vectors == COUNT - min(COUNT, 3 * max(0, transactions - 1))
    index.use_model("a", "second", 8)
    assert (stats(index).vectors, stats(index).model) == (0, "second")


@pytest.mark.parametrize("transactions", range(9))
def test_vectors_of_another_size_that_ends_in_between_goes_on(index: Index, transactions: int) -> None:
    """Writers send vectors of another size: what was put is the same, wherever the first attempt ended."""
    index.apply(sent(range(COUNT), 4))
    if transactions < 8:
        with ending_after(index, transactions), pytest.raises(apsw.FullError):
            index.apply(sent(range(5), 8))
        assert stats(index).dimensions == 4
    index.apply(sent(range(5), 8))
    assert (stats(index).vectors, stats(index).dimensions, stats(index).documents) == (5, 8, COUNT)
    index.apply(sent(range(COUNT), 8))
    assert stats(index).vectors == COUNT


def test_counting_reads_no_vector_and_no_document(index: Index) -> None:
    """How many vectors there are, and how many stand for the beginning of a text, is told by indexes alone."""
    embedded(index)
    asked: list[tuple[str, object]] = []
    with index._connections.reading() as connection:
        connection.exec_trace = lambda _cursor, sql, values: asked.append((sql, values)) or True
    assert (stats(index).vectors, stats(index).truncated) == (COUNT, COUNT)
    with index._connections.reading() as connection:
        connection.exec_trace = None
        plans = [
            step[3]
            for sql, values in asked
            if sql.startswith("SELECT")
            for step in connection.execute("EXPLAIN QUERY PLAN " + sql, values)
        ]
    assert len(plans) >= 5
    assert [plan for plan in plans if "COVERING INDEX" not in plan] == []
