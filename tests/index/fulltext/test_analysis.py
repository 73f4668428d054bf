"""What is indexed is what SQLite makes tokens of."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memslot_index.fulltext import analysis

NAME, *ARGUMENTS = analysis.TOKENIZER.replace("'", "").removeprefix("porter ").split(" ", 4)
SQLITE = apsw.Connection(":memory:").fts5_tokenizer(NAME, ARGUMENTS)
ascii_texts = st.text(st.characters(max_codepoint=127))


def _seen(text: str) -> list[str]:
    return SQLITE(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)  # type: ignore[return-value]


@given(ascii_texts)
def test_plain_text_passes_as_it_is(text: str) -> None:
    """ASCII needs no work and gets none."""
    assert analysis.words(text) is text


@given(st.text())
@example("का中文é😀")
def test_sqlite_sees_the_tokens_that_are_meant(text: str) -> None:
    """SQLite splits a prepared text into as many tokens as are counted on."""
    assert len(_seen(analysis.words(text))) == len(analysis.tokens(text))


def _characters(plane: int) -> list[str]:
    return [chr(code) for code in range(plane << 16, (plane + 1) << 16) if not 0xD800 <= code < 0xE000]


@pytest.mark.slow
@pytest.mark.parametrize("plane", range(17))
def test_every_character_is_known(plane: int) -> None:
    """Each character there is or will be, alone and within a word, yields the tokens that are meant, and no error."""
    text = " ".join(f"{character} a{character}b" for character in _characters(plane))
    assert len(_seen(analysis.words(text))) == len(analysis.tokens(text))


@given(st.text(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_forms_of_unicode_are_one(text: str, form: str) -> None:
    """A text in another normal form has the same tokens."""
    assert analysis.tokens(unicodedata.normalize(form, text)) == analysis.tokens(unicodedata.normalize("NFC", text))


@given(st.text("她上周末在哪里ガーいろ한국어กินข้าวที่", min_size=1, max_size=12))
def test_a_run_is_its_overlapping_pairs(run: str) -> None:
    """Each character of a run begins a token, and all tokens but the last have two of them."""
    parts = analysis.clusters(run)
    assert "".join(parts) == run
    pairs = [*(first + second for first, second in pairwise(parts)), parts[-1]]
    assert analysis.tokens(run) == pairs


@given(st.text())
def test_a_name_keeps_its_tokens(name: str) -> None:
    """A name is indexed with all tokens that it has as a text, first and in order."""
    tokens = _seen(analysis.words(name))
    assert _seen(analysis.name_words(name))[: len(tokens)] == tokens


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("userPref", [["user", "Pref"]]),
        ("XMLHttpRequest2", [["XML", "Http", "Request", "2"]]),
        ("a_bC.d1-E", [["b", "C"], ["d", "1"]]),
        ("ÉtéÀVenir", [["Été", "À", "Venir"]]),
        ("plain_name", []),
        ("CONSTANT", []),
        ("第三章", []),
        ("", []),
    ],
)
def test_borders_within_names(name: str, pieces: list[list[str]]) -> None:
    """A border is where a capital begins a word, and between letters and digits."""
    assert analysis.split(name) == pieces


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u3099\u0301", "\u05b0\u0591", "\U0001d165\U0001d16d"])
def test_endless_marks_are_cut(marks: str) -> None:
    """A million combining marks are no work for minutes, and what stands beside them is found."""
    assert {"before", "after"} <= set(analysis.tokens(f"before {marks * 500_000} after"))


def test_a_version_is_told() -> None:
    """The version is a number that Python's Unicode tables are part of."""
    unicode_version = divmod(analysis.ANALYSIS_VERSION % 1_000_000, 1_000)
    assert unicodedata.unidata_version.startswith("{}.{}.".format(*unicode_version))
