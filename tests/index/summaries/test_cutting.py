"""Text that is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.summaries.cutting import beginning, clean, cut

texts = st.text() | st.text("ab .\n\t\x00\u202e\ud800语😀👩\u200d🏽e\u0301", max_size=60)


@given(texts)
def test_a_clean_text_shows_what_it_holds(text: str) -> None:
    """Control characters, halves of characters and overrides of direction are gone; blanks and line breaks are single."""
    line = clean(text)
    assert clean(line) == line
    assert line.strip() == line
    assert not any(unicodedata.category(character) in {"Cc", "Cs"} and character != "\n" for character in line)
    assert not any(mark in line for mark in ("  ", "\n\n", "\u202e", "\u200b", "\U000e0041"))


@given(texts, st.integers(1, 40))
def test_a_cut_text_has_its_length(text: str, limit: int) -> None:
    """A text is whole where it fits, and else its start with an ellipsis, never longer than asked for, and never empty."""
    short = cut(text, limit)
    assert len(short) <= limit
    assert short == text or (short[-1] == "…" and text.startswith(short[:-1]))
    assert bool(short) == bool(text)


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("seven words", 11, "seven words"),
        ("seven words", 10, "seven…"),
        ("seven words", 6, "seven…"),
        ("a " + "b" * 20, 10, "a bbbbbbb…"),
        ("我们约好下周在上海见面", 6, "我们约好下…"),
        ("ab👩\u200d👩\u200d👧", 5, "ab…"),
        ("cafe\u0301s", 5, "caf…"),
        ("ab👋🏽", 4, "ab👋🏽"),
        ("ab👋🏽c", 4, "ab…"),
    ],
)
def test_cuts_are_made_between_words(text: str, limit: int, short: str) -> None:
    """A cut falls between words where there are blanks, and never within a character that is made of several."""
    assert cut(text, limit) == short


def test_a_text_begins_where_something_stands() -> None:
    """Blanks and control characters before a text do not count."""
    assert beginning(" \n\x00\u200b" * 1_000 + "text", 3) == "tex"
    assert beginning("", 3) == beginning(" \n", 3) == ""
