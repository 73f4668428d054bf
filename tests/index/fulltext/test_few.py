"""Among few documents a word that many of them have still counts; beyond a bound, which is passed without a step, it does not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.fulltext.tables import HIGH, LOW, document, of

from memslot_index.fulltext import few
from memslot_index.fulltext.few import LIMIT, correction
from memslot_index.fulltext.query import TextQuery, parse
from memslot_index.fulltext.table import FullText, Match

WORDS = ["apple", "pear", "plum", "going", "went", "上海", "北京"]
bodies = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=1, max_size=30)
QUERIES = [
    "apple",
    "apple pear plum",
    "ap* pl*",
    '"apple pear" plum',
    '"pear" "plum apple" go',
    "go",
    "上海 apple",
    '"ap"*',
]


def _query(text: str) -> TextQuery:
    query = parse(text)
    assert query is not None
    return query


def _all(table: FullText, text: str, limit: int, chosen: list[int] | None) -> tuple[list[Match], list[Match]]:
    query = _query(text)
    ids = [LOW + 2, LOW + 5, LOW + 11] if chosen is None else [LOW + at for at in chosen]
    found = table.search(query, LOW, HIGH - 1, limit, None if chosen is None else ids)
    return found, sorted(table.among(query, ids))


@given(bodies, st.sampled_from(QUERIES), st.integers(1, 30), st.none() | st.lists(st.integers(0, 30)))
def test_all_but_the_weight_is_as_among_many(texts: list[str], text: str, limit: int, chosen: list[int] | None) -> None:
    """With FTS5's own weights each search finds the same documents as one statement does, with the same scores to the last bit, fields and
    order; whatever is asked for."""
    table = of(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few, "correction", lambda *_: 1.0)
        one_by_one = _all(table, text, limit, chosen)
        patch.setattr(few, "LIMIT", 0)
        assert one_by_one == _all(table, text, limit, chosen)


@given(bodies, st.sampled_from(QUERIES))
def test_the_weight_changes_no_more_than_scores(texts: list[str], text: str) -> None:
    """The same documents are found in the same fields, every score is to be seen, and equal documents come in the order of their ids."""
    table = of(*texts)
    found = table.search(_query(text), LOW, HIGH, 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few, "LIMIT", 0)
        others = table.search(_query(text), LOW, HIGH, 100)
    assert {match.id: match.fields for match in found} == {match.id: match.fields for match in others}
    assert all(match.score > 0.001 for match in found)
    assert [(-match.score, match.id) for match in found] == sorted((-match.score, match.id) for match in found)


def test_a_word_that_most_have_tells_who_has_it() -> None:
    """Of ten documents seven are about the move; two of these say what is asked for, and come first by more than a trifle."""
    table = of(*["the move to Leeds"] * 5, *["the move to Leeds by van"] * 2, *["a quiet day"] * 3)
    found = table.search(_query("the move by van"), LOW, HIGH, 10)
    assert [match.id - LOW for match in found] == [5, 6, 0, 1, 2, 3, 4]
    assert found[-1].score > 0.2


def test_the_weight_is_that_of_robertson_and_zaragoza() -> None:
    """A word of one field and average length, that each of two documents has once, scores its weight."""
    found = of("apple", "apple").search(_query("apple"), LOW, HIGH, 10)
    assert [match.score for match in found] == pytest.approx([math.log(1 + 0.5 / 2.5)] * 2)


@given(st.data())
def test_a_document_more_makes_no_step(data: st.DataObject) -> None:
    """Around and below the bound a weight differs little from that among one document more, and from the bound on it is FTS5's own."""
    documents = data.draw(st.integers(LIMIT // 4, LIMIT + 10))
    holding = data.draw(st.integers(1, min(documents, LIMIT)))

    def weight(documents: int) -> float:
        return correction(documents, holding) * max(math.log((documents - holding + 0.5) / (holding + 0.5)), 1e-6)

    assert abs(weight(documents + 1) - weight(documents)) < 0.02
    assert correction(LIMIT, holding) == correction(LIMIT + 1, holding) == 1.0


def test_pages_go_on_across_the_bound() -> None:
    """While documents come that nobody asked for, the order of those that were found stays, below the bound and beyond it."""
    texts = [f"{'apple ' * (at % 5 + 1)} {'pear ' * (at % 3)} word{at}" for at in range(600)]
    table = of(*texts, *["other words"] * (LIMIT - 605))
    query, orders = _query("apple pear"), []
    for at in range(LIMIT - 5, LIMIT + 5):
        orders.append([match.id for match in table.search(query, LOW, HIGH, 100)])
        table.put([document(at, "other words")])
    assert len(orders[0]) == 100
    assert all(order == orders[0] for order in orders)
