"""What a person types is understood, and is never an error."""

from __future__ import annotations

import string
from operator import add

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.index.fulltext.tables import HIGH, LOW, document, empty, found, of

from memslot_index.fulltext.query import TERMS_LIMIT, parse
from memslot_index.fulltext.table import FIELDS
from memslot_index.fulltext.wording import TERM_LIMIT

SYNTAX = [
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "(",
    ")",
    "{",
    "}",
    '"',
    "'",
    "*",
    "^",
    "+",
    "-",
    ":",
    ",",
    "\\",
    "NEAR(a b)",
    "name:",
    "\0",
    " ",
    "中",
    "é",
    "😀",
]
texts = st.text() | st.lists(st.sampled_from(SYNTAX) | st.text(max_size=3), max_size=12).map("".join)
TABLE = of("a word", "中文 é 😀 name", "NEAR the AND or NOT")


@given(texts, st.none() | st.lists(st.sampled_from(FIELDS)))
@example('"', None)
@example('a" OR b*', ["name"])
@example("\ud800", None)
def test_no_text_is_an_error(text: str, fields: list[str] | None) -> None:
    """Any text is a query that runs, within any fields, or no query at all."""
    query = parse(text)
    if query is None:
        assert not text.strip()
        return
    TABLE.search(query, LOW, HIGH, 10)
    TABLE.among(query, [LOW, LOW + 1])
    assert query.match(fields)


@given(texts)
def test_a_query_is_bounded(text: str) -> None:
    """A query asks for no more than a fixed number of terms, and none of them is long."""
    query = parse(text * 1000)
    if query is None:
        return
    assert len(query.words) <= TERMS_LIMIT
    assert len(query.phrases) <= TERMS_LIMIT
    terms = [*query.words, *(term for forms in query.phrases for term in forms)]
    assert max(len(term.tokens) for term in terms) <= TERM_LIMIT


@pytest.mark.parametrize(
    "text",
    [
        "word " * 800_000,
        "x" * 4_000_000,
        "中" * 1_300_000,
        '"' * 4_000_000,
        "ab* " * 10_000,
        '"' + "a b " * 100_000 + '"',
        "\u0301" * 1_000_000,
    ],
    ids=["words", "one word", "run", "quotes", "prefixes", "phrase", "marks"],
)
def test_a_long_text_is_cut(text: str) -> None:
    """A text of megabytes is a query like another."""
    query = parse(text)
    assert query is not None
    assert len(query.match()) < 100_000
    of("word a b 中 x").search(query, LOW, HIGH, 10)


def test_ten_thousand_words_are_no_error() -> None:
    """Of more words than are looked for, the first ones count."""
    text = " ".join(f"word{number}" for number in range(10_000))
    assert found(of("word0", "word9999"), text) == [0]


def test_spaces_are_no_query() -> None:
    """Nothing typed is nothing asked for."""
    assert parse("") is None
    assert parse(" \t\n\u3000") is None


def test_words_are_alternatives() -> None:
    """A document needs one of the words."""
    assert sorted(found(of("red apple", "green pear", "blue plum"), "apple pear")) == [0, 1]


def test_a_phrase_is_required() -> None:
    """A phrase must stand in a document as given; words beside it only decide the order."""
    table = of("a support group met", "a group with support met Caroline", "Caroline at the support group", "Caroline")
    assert found(table, '"support group" Caroline') == [2, 0]
    assert found(table, 'Caroline "support group"') == [2, 0]


def test_every_phrase_is_required() -> None:
    """Of several phrases none may be missing."""
    assert found(of("a b c d", "a b d c", "c d"), '"a b" "c d"') == [0]


def test_words_of_a_phrase_are_stemmed_and_none_is_dropped() -> None:
    """A phrase is found in another inflection, its stop words count."""
    assert found(of("the cat of the house", "the house cats", "cats in house"), '"cat of the houses"') == [0]


@pytest.mark.parametrize(
    ("body", "phrase", "there"),
    [
        ("我喜欢北京烤鸭", "北京烤鸭", True),
        ("我喜欢北京的烤鸭", "北京烤鸭", False),
        ("烤鸭在北京", "北京烤鸭", False),
        ("我说你好，世界", "你好，世界", True),
        ("我说你好，世界杯", "你好，世界", True),
        ("你好吗，世界", "你好，世界", False),
        ("用Python写", "用Python写", True),
        ("常用Python写作", "用python写", True),
        ("鸭", "鸭", True),
        ("烤鸭子", "鸭", True),
        ("烤鸭", "love 烤", False),
        ("I love 烤鸭", "love 烤", True),
        ("東京タワー", "京タワ", True),
        ("ฉันกินข้าว", "กินข้าว", True),
        ("ข้าวกิน", "กินข้าว", False),
    ],
)
def test_a_phrase_without_spaces(body: str, phrase: str, there: bool) -> None:
    """A phrase of a script without spaces is any part of a text, as it is written."""
    assert found(of(body), f'"{phrase}"') == ([0] if there else [])


def test_unbalanced_quotes_are_signs() -> None:
    """A quote that nothing closes means nothing."""
    assert sorted(found(of("a 5 inch disk", "disk"), '5" disk')) == [0, 1]


def test_stop_words_count_when_there_is_nothing_else() -> None:
    """A query of stop words alone finds them; beside others they find nothing."""
    assert found(of("the who", "apple"), "the who") == [0]
    assert found(of("the who", "apple"), "the apple") == [1]
    assert found(of("是的", "苹果"), "是的") == [0]
    assert found(of("是的", "苹果"), "是的 苹果") == [1]


def test_a_capital_within_a_sentence_is_no_stop_word() -> None:
    """Will is somebody."""
    assert found(of("Will plays chess", "chess club"), "chess with Will")[0] == 0
    assert found(of("Will plays", "chess club"), "will chess") == [1]


@pytest.mark.parametrize(
    ("prefix", "word"),
    [
        ("connecti", "connection"),
        ("connect", "connecting"),
        ("generali", "generalisation"),
        ("bus", "bus"),
        ("bus", "buses"),
        ("bus", "business"),
        ("cry", "crypto"),
        ("cry", "crying"),
        ("play", "player"),
        ("happ", "happiness"),
        ("happy", "happy"),
        ("runni", "running"),
        ("actuall", "actually"),
        ("news", "newspaper"),
        ("User", "username"),
        ("pré", "preference"),
        ("прив", "привет"),
        ("user_pr", "user_preference"),
        ("userPr", "userPreference"),
        ("mp3s", "mp3s"),
        ("中", "中国"),
        ("北京", "北京人"),
    ],
)
def test_a_prefix_finds_the_word(prefix: str, word: str) -> None:
    """A word is found by its beginning, though the index holds only its stem."""
    assert found(of(word, "zebra"), f"{prefix}*") == [0]


@pytest.mark.parametrize(
    ("prefix", "word"), [("bus", "butter"), ("news", "newt"), ("cry", "crisis"), ("cat", "concat"), ("a", "apple")]
)
def test_a_prefix_finds_no_other_word(prefix: str, word: str) -> None:
    """What the stemmer would make of a prefix is not looked for, nor all that begins with one letter."""
    assert found(of(word), f"{prefix}*") == []


_ENDINGS = """
    s es ed ing ings er ers ly ation ations ational ative ator ment ments ness fulness ousness iveness ize izing ization ility ies able ible
    ence ism y
"""
endings = st.builds(add, st.sampled_from(["", *_ENDINGS.split()]), st.sampled_from(["", "s", "ly"]))


@given(st.text(string.ascii_lowercase, min_size=2, max_size=8), endings, st.data())
def test_every_beginning_finds_its_word(start: str, ending: str, data: st.DataObject) -> None:
    """A word is found by each of its beginnings of two letters and more."""
    word = start + ending
    prefix = word[: data.draw(st.integers(2, len(word)))]
    assert found(of(word), f"{prefix}*") == [0]


def test_a_phrase_may_end_in_a_prefix() -> None:
    """An asterisk behind a phrase lets its last word go on."""
    assert found(of("support groups", "support grouping old", "group support"), '"support gro"*') == [0, 1]


def test_a_query_within_fields() -> None:
    """The expression can be kept to some of the fields, phrases included."""
    table = empty()
    table.put([document(0, "red apple", name="pear"), document(1, "pear", name="red apple")])
    query = parse('"red apple" pear')
    assert query is not None
    match = query.match(["name"])
    assert table._execute("SELECT rowid FROM fulltext WHERE fulltext MATCH ?", (match,)).fetchall() == [(LOW + 1,)]


def test_a_field_is_quoted_like_a_word() -> None:
    """Nothing but one field is named by a field's name."""
    query = parse("ab")
    assert query is not None
    assert query.match(['x" : "y']) == '{"x"" : ""y"} : (("ab"))'
