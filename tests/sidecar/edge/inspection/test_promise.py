"""What is found in a prompt is what the definition says: nothing less, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.sidecar.edge.inspection.definition import PLAIN, alike, found_in, respaced

from memslot_sidecar.edge.inspection.bodies import Portion
from memslot_sidecar.edge.inspection.choosing import chosen
from memslot_sidecar.edge.inspection.matching import Match, matches
from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.prompts import Prompt
from memslot_sidecar.edge.inspection.readings import as_it_is, readings, text_of
from memslot_sidecar.edge.inspection.space import Space, fingerprints_of


def bodies_of(texts: list[str]) -> list[Body]:
    """Bodies named by their numbers."""
    return [Body(str(number), 1, text) for number, text in enumerate(texts)]


def found(texts: list[str], bodies: list[Body]) -> list[Match]:
    """All matches, those included that are not told."""
    return list(matches(Prompt(texts), Portion(bodies), lambda body: (False, 0, body.name)))


def told(text: str, *bodies: Body) -> list[Match]:
    """What is told of one text."""
    return chosen(found([text], list(bodies)), lambda _: False)


def covered(texts: list[str], matches: list[Match]) -> list[set[int]]:
    """The places that stand in matches, white space left out."""
    places: list[set[int]] = [set() for _ in texts]
    for match in matches:
        text = texts[match.text]
        places[match.text] |= {at for at in range(match.start, match.end) if not text[at].isspace()}
    return places


@given(alike())
@example((["a" * 40], ["a" * 39, "a" * 40]))
@example((["ab " * 14], ["ab" * 14]))
@settings(max_examples=300)
def test_found_is_what_the_definition_says(drawn: tuple[list[str], list[str]]) -> None:
    """Body by body, each character of a text that is promised to be found is, and no other; and the fingerprints lead there."""
    bodies, texts = bodies_of(drawn[0]), drawn[1]
    assume(not any("\\" in text for text in texts))
    space, prompt = Space(), Prompt(texts)
    space.add(fingerprints_of(bodies, [space.number(body.name) for body in bodies]))
    suspects = space.names(space.holders(prompt))
    for body in bodies:
        promised = [found_in(text, body.text) for text in texts]
        assert covered(texts, found(texts, [body])) == promised
        assert body.name in suspects or not any(promised)


@given(alike())
def test_bodies_do_not_hide_each_other(drawn: tuple[list[str], list[str]]) -> None:
    """Whatever is promised of any body is found among many at once."""
    bodies, texts = bodies_of(drawn[0]), drawn[1]
    promised = [set().union(*(found_in(text, body.text) for body in bodies)) for text in texts]
    places = covered(texts, found(texts, bodies))
    assert all(one <= place for one, place in zip(promised, places, strict=True))


@given(st.data())
def test_a_part_is_found_however_it_was_wrapped(data: st.DataObject) -> None:
    """A part of 40 characters or more, with any other white space, escaped as JSON not at all, once or twice, in any text: its place in the
    text is told."""
    body = data.draw(st.text(PLAIN, min_size=60, max_size=300))
    start = data.draw(st.integers(0, len(body) - 45))
    part = body[start : start + data.draw(st.integers(45, 200))].strip()
    assume(sum(not letter.isspace() for letter in part) >= 40)
    copy = data.draw(respaced(part))
    for _ in range(data.draw(st.integers(0, 2))):
        copy = json.dumps(copy, ensure_ascii=data.draw(st.booleans()))[1:-1]
    before, after = data.draw(st.text("xyz .,\n", max_size=50)), data.draw(st.text("xyz .,\n", max_size=50))
    matches = told(before + copy + after, Body("slot", 1, body))
    assert any(match.start <= len(before) and match.end >= len(before + copy) for match in matches)
    assert all(match.end - match.start <= len(copy) + 50 for match in matches)


@given(
    st.lists(st.text("abcdefghijklmnop ", min_size=12, max_size=200)), st.text('qrstuvwxyz ABC\\"n\n', max_size=2_000)
)
def test_a_text_of_no_body_has_no_finding(bodies: list[str], text: str) -> None:
    """Where no letter is shared, nothing is found."""
    assert not found([text], bodies_of([body for body in bodies if body.strip()]))


@given(st.text('\\nu"0aé😀/> \n', max_size=60))
def test_escapes_are_undone_as_json_does(text: str) -> None:
    """What was escaped once and twice is read again, and every character of a reading has its place in the text."""
    for escaped in (json.dumps(text), json.dumps(json.dumps(text)), json.dumps(text, ensure_ascii=False)):
        read = list(readings(escaped))
        assert any(text in text_of(reading.codes) for reading in read)
        for reading in read:
            assert (reading.start < reading.end).all()
            assert (reading.end[:-1] <= reading.start[1:]).all()
            assert len(reading.codes) <= len(escaped)
    assert text_of(as_it_is(text).codes) == text


def test_surrogate_pairs_and_slashes_are_read() -> None:
    """Escapes that JSON allows and few write."""
    body = "https://example.org/a/rather/long/path/😀/with/an/emoji"
    escaped = body.replace("/", r"\/").replace("😀", r"\uD83D\ude00")
    (match,) = told(f"see {escaped}!", Body("url", 1, body))
    assert (match.start, match.end, match.whole) == (4, 4 + len(escaped), True)


def test_a_quotation_is_found() -> None:
    """Markdown puts `> ` before each line."""
    body = "The quick brown fox jumps over the lazy dog, and over the fence."
    quoted = "> The quick brown fox jumps\n> > over the lazy dog, and\n>over the fence."
    (match,) = told(f"He wrote:\n{quoted}\nAnd so on", Body("fox", 1, body))
    assert (match.start, match.end, match.whole) == (12, 10 + len(quoted), True)


def test_json_is_found_written_otherwise_and_by_its_strings() -> None:
    """A JSON body is found with other white space, and a long string of it as the text that it stands for."""
    value = {"name": "Ann", "said": 'He said "hello" to everybody,\nand "good-bye" to the rest of them'}
    body = Body("j", 1, json.dumps(value, separators=(",", ":")), escaped=True)
    (match,) = told(json.dumps(value, indent=4), body)
    assert match.whole
    (match,) = told("x" + value["said"], body)
    assert (match.start, match.end) == (1, 1 + len(value["said"]))


@pytest.mark.parametrize(("body", "text", "is_found"), [
    ("Ann Lee, Rome", "is Ann\nLee,Rome ok", True),
    ("Ann Lee Rom", "is Ann Lee Rom ok", False),
    ("Ann Lee, Rome", "is ann lee, rome ok", False),
    ("a" * 39, "a" * 38, False),
    ("a" * 39, "a" * 39, True),
])  # fmt: skip
def test_short_bodies_are_found_as_a_whole(body: str, text: str, is_found: bool) -> None:
    """From 12 characters up, as they are written."""
    assert bool(told(text, Body("short", 1, body))) is is_found


def test_white_space_of_the_body_counts() -> None:
    """Forty characters of a body are forty with its blanks, also where the prompt has none; thirty-nine are not."""
    body = "1 one two three four five six seven eight nine ten eleven twelve"
    assert told("~" + body[2:42].replace(" ", "") + "~", Body("b", 1, body))
    assert not told("~" + body[3:41].replace(" ", "") + "~", Body("b", 1, body))
