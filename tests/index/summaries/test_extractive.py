"""The summariser ``extractive``."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.summaries.cutting import clean
from memslot_index.summaries.extractive import LIMIT_CHARS, ExtractiveSummariser
from memslot_index.summaries.sentences import sentences

SUMMARISER = ExtractiveSummariser()
ENGLISH = (
    "Nobody liked the new coffee machine. The team met on Monday to plan the launch of the memory service. Dr. Smith explained that the service keeps notes in named slots. "
    "Ana asked how slots are found among millions. Full text and vectors are combined, he said, and slots that are used often rank higher. "
    "Lunch was served at noon. The pasta was excellent. In the afternoon the team planned how slots of the memory service are found by vectors."
)
CHINESE = (
    "有人抱怨咖啡机。项目启动会在周一举行。我们决定使用SQLite作为存储。索引模块需要支持中文和英文的检索。午饭吃了面条。张伟负责索引模块的设计。"
    "下周将评审索引模块的设计文档！索引模块的检索结果由张伟测试。"
)
MIXED = "I met 王芳 yesterday. 她说她搬到了上海。She likes tea! 我们约好下周在上海见面。Then it rained. 王芳 will send her address in 上海."
LONG = {
    "English": (ENGLISH + " ") * 7_000,
    "Chinese": CHINESE * 30_000,
    "no blanks": "a" * 3_900_000,
    "no words": "}\n" * 1_900_000,
    "lines": "".join(f"key{number} = value\n" for number in range(200_000)),
    "one line of JSON": '{"a":[1,2,"x"],' * 250_000,
    "blanks first": " " * 3_000_000 + ENGLISH * 100,
}
parts = st.lists(
    st.sampled_from([*ENGLISH.split(". "), *CHINESE.split("。"), "{", "😀", "\x00", "- item", "Dr.", "a" * 50]),
    max_size=30,
)
texts = st.text() | st.builds(str.join, st.sampled_from([". ", "。", "\n", " "]), parts)


def assert_extracted(summary: str, text: str, max_chars: int) -> None:
    """Assert that a summary is made of sentences of the text, in their order, or is one that was cut."""
    assert len(summary) <= max_chars
    assert summary == clean(summary)
    known = [sentence.text for sentence in sentences(clean(text), 10_000)]
    if summary.endswith("…") and summary not in clean(text):
        assert any(sentence.startswith(summary[:-1]) for sentence in known)
        return
    ends = {0}
    for sentence in known:
        reached = {end + len(sentence) for end in ends if summary.startswith(sentence, end)}
        ends |= reached | {end + 1 for end in reached if summary[end : end + 1].isspace()}
    assert len(summary) in ends


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, MIXED], ids=["English", "Chinese", "mixed"])
@pytest.mark.parametrize("max_chars", [40, 80])
def test_a_summary_is_made_of_sentences_of_the_text(text: str, max_chars: int) -> None:
    """A summary says some sentences of the text, whole and in order, at most as long as asked for."""
    summary = SUMMARISER.summarise(text, max_chars)
    assert summary
    assert_extracted(summary, text, max_chars)


@pytest.mark.parametrize(
    ("text", "max_chars", "topic", "aside"),
    [(ENGLISH, 200, "memory service", "coffee"), (CHINESE, 60, "索引模块", "咖啡机")],
    ids=["English", "Chinese"],
)
def test_a_summary_is_about_what_the_text_is_about(text: str, max_chars: int, topic: str, aside: str) -> None:
    """Of the sentences, those are chosen that share their subject with others, not the asides."""
    summary = SUMMARISER.summarise(text, max_chars)
    assert topic in summary
    assert aside not in summary


def test_a_short_text_is_its_own_summary() -> None:
    """What fits is left as it is, but for control characters."""
    assert SUMMARISER.summarise("One.\r\n\r\nTwo \x00 三。", 100) == "One.\nTwo 三。"


@pytest.mark.parametrize(
    ("text", "max_chars", "summary"),
    [
        ("one sentence that is longer than what was asked for", 20, "one sentence that…"),
        ("没有标点符号的一段很长很长的文字", 8, "没有标点符号的…"),
        ("word " * 20 + "end. " + "other " * 20 + "end.", 13, "word word…"),
        ("😀" * 50, 10, "😀" * 9 + "…"),
        ("x" * 50, 1, "…"),
    ],
)
def test_one_long_sentence_is_cut(text: str, max_chars: int, summary: str) -> None:
    """Where no whole sentence fits, one is cut at a word and ends with an ellipsis."""
    assert SUMMARISER.summarise(text, max_chars) == summary


def test_nothing_is_said_twice() -> None:
    """A sentence that repeats another is left out, so that others have room."""
    text = "The gate is C19 now. " * 10 + "The flight leaves at nine in the evening. " + "Bring the red suitcase. " * 2
    assert SUMMARISER.summarise(text, 100).count("gate") == 1


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01", "\u200b"], ids=repr)
def test_nothing_is_summarised_as_nothing(text: str) -> None:
    """A text without content has an empty summary."""
    assert SUMMARISER.summarise(text, 10) == ""


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_the_longest_body_is_summarised_by_its_beginning(text: str) -> None:
    """Of the longest body the beginning is summarised, and the rest is not even looked at."""
    summary = SUMMARISER.summarise(text, 200)
    assert 0 < len(summary) <= 200
    assert summary == SUMMARISER.summarise(text.lstrip()[: LIMIT_CHARS + 1] + "and something else", 200)


@given(texts, st.integers(1, 120))
def test_any_text_has_a_summary(text: str, max_chars: int) -> None:
    """A summary is never longer than asked for, never empty where the text is not, and holds nothing that is not in the text."""
    summary = SUMMARISER.summarise(text, max_chars)
    assert bool(summary) == bool(clean(text))
    assert_extracted(summary, text, max_chars)


def test_every_process_makes_the_same_summary() -> None:
    """The same text has the same summary, whenever and wherever it is made."""
    code = "import sys; from memslot_index.summaries.extractive import ExtractiveSummariser as S; print(S().summarise(sys.argv[1], 120))"
    command = [sys.executable, "-c", code, ENGLISH + CHINESE]
    runs = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}, check=True, stdout=subprocess.PIPE
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {f"{SUMMARISER.summarise(ENGLISH + CHINESE, 120)}\n".encode()}


def test_half_a_sentence_is_none() -> None:
    """Where the part that is looked at ends within a sentence, that is not taken for one."""
    start = "Yes, we do. A" + "a" * (LIMIT_CHARS - 40) + ". "
    text = start + "We do this and more than anybody could say."
    assert SUMMARISER.summarise(text, 100) == "Yes, we do."
