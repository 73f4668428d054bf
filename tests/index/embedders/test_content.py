"""What of a text is embedded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.embedders.content import excerpts, head, readable

texts = st.text() | st.text("ab \n\x00语😀\ufdfae\u0301", max_size=400)


@given(texts)
def test_readable_text_has_no_control_characters(text: str) -> None:
    """What is handed to a model is one line, without control characters, that encodes as UTF-8 and does not grow by NFKC any more."""
    line = readable(text)
    assert line.encode().decode() == line
    assert line == line.strip()
    assert not any(character < " " or character == "\x7f" for character in line)
    assert "\ufdfa" not in line


@given(texts, st.integers(1, 60))
def test_a_head_is_the_start(text: str, limit: int) -> None:
    """A head is at most as long as is asked for, a start of the readable text, and whole if it is said to be."""
    start, left_out = head(text, limit)
    assert len(start.encode()) <= limit
    if not left_out:
        assert start == readable(text)


@pytest.mark.parametrize("blank", [" ", "\n", "\x00"])
def test_blanks_before_a_text_take_no_room(blank: str) -> None:
    """A text behind many blanks is found, and blanks behind it are not missed."""
    assert head(blank * 1_000 + "text" + blank * 1_000, 10) == ("text", False)


def test_a_short_text_is_one_piece() -> None:
    """Up to its limit a text stays whole, and nothing has no pieces."""
    assert excerpts("one two", 7, 3, 2) == (["one two"], False)
    assert excerpts(" \n", 7, 3, 2) == ([], False)


def test_a_longer_text_is_cut_at_words() -> None:
    """A text that fits into the excerpts is embedded from its first to its last word."""
    words = [f"word{number}" for number in range(100)]
    pieces, left_out = excerpts(" ".join(words), 200, 100, 16)
    assert not left_out
    assert " ".join(pieces).split() == words
    assert len(pieces) == 7


@given(st.text("ab \n语😀", min_size=300, max_size=4_000))
def test_excerpts_are_bounded(text: str) -> None:
    """However long a text, its excerpts are few and short, and each is a part of it."""
    pieces, left_out = excerpts(text, 200, 100, 8)
    assert all(pieces)
    assert len(pieces) <= 8
    if len(pieces) > 1:
        assert max(len(piece.encode()) for piece in pieces) <= 125
    if not left_out:
        assert "".join(pieces).replace(" ", "") == readable(text).replace(" ", "")


def test_a_very_long_text_is_felt_to_its_end() -> None:
    """Excerpts of a text of any length come from all of it."""
    text = "".join(f"{number:09d} " for number in range(390_000))
    pieces, left_out = excerpts(text, 1_000, 240, 16)
    starts = [int(piece.split()[0]) for piece in pieces]
    assert left_out
    assert len(pieces) == 16
    assert starts == pytest.approx([number * 390_000 / 16 for number in range(16)], abs=3)
