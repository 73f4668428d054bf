"""Which matches are told, and what counts as leaked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memslot_sidecar.edge.inspection.choosing import chosen, leaked
from memslot_sidecar.edge.inspection.covering import Cover
from memslot_sidecar.edge.inspection.matching import Match
from memslot_sidecar.edge.inspection.portions import Body

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15)), max_size=12)


def match(name: str, start: int, end: int, *, text: int = 0, whole: bool = False) -> Match:
    """A match of a slot."""
    return Match(Body(name, 1, "x"), text, start, end, whole)


def told(*found: Match, allowed: str = "") -> list[tuple[str, int, int]]:
    """What is told, when one slot is allowed."""
    return [(one.body.name, one.start, one.end) for one in chosen(found, lambda one: one.body.name == allowed)]


def test_a_shared_text_is_told_once_of_the_longer_match() -> None:
    """The shorter one in it is not told, nor one that goes on for a few characters."""
    assert told(match("short", 10, 60), match("long", 0, 100), match("near", 50, 105)) == [("long", 0, 100)]


def test_one_that_goes_on_is_told_too() -> None:
    """Eight characters of its own are enough."""
    assert told(match("a", 0, 100), match("b", 50, 108)) == [("a", 0, 100), ("b", 50, 108)]


def test_an_allowed_one_comes_first() -> None:
    """Though it is shorter: what an injection shows is not another slot's leak."""
    assert told(match("b", 0, 105), match("a", 0, 100), allowed="a") == [("a", 0, 100)]


def test_of_equal_ones_the_whole_body_is_told() -> None:
    """Or else the first by name."""
    assert told(match("a", 0, 50), match("b", 0, 50, whole=True)) == [("b", 0, 50)]
    assert told(match("b", 0, 50), match("a", 0, 50)) == [("a", 0, 50)]


def test_findings_of_one_slot_that_overlap_are_one() -> None:
    """Also those that only touch; in another text they are another finding."""
    found = (match("a", 0, 50), match("a", 20, 70), match("a", 70, 90), match("a", 91, 140), match("a", 0, 50, text=1))
    assert told(*found) == [("a", 0, 90), ("a", 91, 140), ("a", 0, 50)]


def test_leaked_characters_are_counted_once_and_not_where_they_are_allowed() -> None:
    """Two leaks that overlap, and one that is partly of an allowed body."""
    found = [match("a", 0, 100), match("b", 50, 150), match("ok", 140, 200), match("b", 0, 10, text=1)]
    assert leaked(found, lambda one: one.body.name == "ok") == 140 + 10


@given(SPANS, st.integers(0, 50), st.integers(1, 20))
def test_a_cover_is_a_set_of_places(spans: list[tuple[int, int]], start: int, length: int) -> None:
    """Whatever spans are added, in whatever order."""
    cover, places = Cover(), set()
    for begin, size in spans:
        cover.add(begin, begin + size)
        places |= {*range(begin, begin + size)}
    assert cover.within(start, start + length) == len(places & {*range(start, start + length)})
    assert sorted(places) == [place for begin, end in cover.spans for place in range(begin, end)]
    assert all(end < begin for (_, end), (begin, _) in zip(cover.spans, cover.spans[1:], strict=False))
