"""Where sentences end, and what is a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.summaries.cutting import clean
from memslot_index.summaries.sentences import sentences, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Dr. Smith paid 3.5 euros. Really? Yes!",
            ["Dr. Smith paid 3.5 euros.", "Really?", "Yes!"],
        ),
        ("See e.g. Prof. Lee, not Dr. J. Ho. Done.", ["See e.g. Prof. Lee, not Dr. J. Ho.", "Done."]),
        ("今天天气很好。我去公园散步了！你去吗？好的……", ["今天天气很好。", "我去公园散步了！", "你去吗？", "好的……"]),
        ("他说：“走吧。”然后离开了。", ["他说：“走吧。”", "然后离开了。"]),
        ("I like 苹果。It is good. 我也喜欢! Yes", ["I like 苹果。", "It is good.", "我也喜欢!", "Yes"]),
        ("明日は休みです。会いましょう！", ["明日は休みです。", "会いましょう！"]),
        ("- milk\n- eggs\n1. Open the box. 2. Close it.", ["- milk", "- eggs", "1. Open the box.", "2. Close it."]),
        ('{"a": 1.5, "b": "x. y"}\n{"c": 2}', ['{"a": 1.5, "b": "x. y"}', '{"c": 2}']),
        (
            "The rest of this long sentence stands on\nthe next line. End",
            ["The rest of this long sentence stands on\nthe next line.", "End"],
        ),
        ("😀 first. 👩‍👩‍👧 Second.", ["😀 first.", "👩‍👩‍👧 Second."]),
        ("no end at all", ["no end at all"]),
        ("End. Dr. ", ["End.", "Dr."]),
        ("", []),
    ],
)
def test_sentences_end_where_readers_end_them(text: str, found: list[str]) -> None:
    """Sentences of English, Chinese and Japanese come apart, lines of lists and code as well, and abbreviations end none."""
    assert [sentence.text for sentence in sentences(clean(text), 100)] == found


@given(st.text() | st.text("aB. \n。！语😀’”\u00a0\u3000", max_size=100))
def test_nothing_is_lost_between_sentences(text: str) -> None:
    """The sentences of a text, with what stands between them, are the text."""
    line = clean(text)
    assert "".join(sentence.text + sentence.separator for sentence in sentences(line, 1_000)) == line


def test_only_so_many_are_looked_for() -> None:
    """The number of sentences is bounded."""
    assert len(sentences("Yes. " * 100, 7)) == 7


def test_not_everything_is_joined() -> None:
    """A text of nothing but initials comes apart all the same."""
    found = sentences(clean("A. " * 1_000), 1_000)
    assert 2 <= len(found) <= 20


def test_words_are_found_in_any_script() -> None:
    """Chinese comes apart into words; case and punctuation do not count."""
    assert words("我们决定使用SQLite, don't!") == ["我们", "决定", "使用", "sqlite", "don't"]
