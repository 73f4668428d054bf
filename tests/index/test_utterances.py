"""Turns of a conversation, told by their form."""

import pytest

from memslot_index.utterances import speaker_of


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Ana: I did!", "Ana"),
        ("[8 May 2023, 1:56 pm] Caroline: Hey Mel!", "Caroline"),
        ("Jean-Luc Picard: Engage.", "Jean-Luc Picard"),
        ("user: what is my name?", "user"),
        ("小明：我昨天去了北京。", "小明"),
        ("Ana (laughing): so he did?", "Ana"),
        ("[8 May 2023] [D1:3] Ana: hey", "Ana"),
        ("2023-05-08 13:56 Ana: hey", "Ana"),
        ("2023-05-08T13:56:00Z | Ana: hey", "Ana"),
        ("1:56 pm on 8 May, 2023 - Ana: hey", "Ana"),
        ("DATE: 1:56 pm on Monday, 8 May, 2023\nAna: hey", "Ana"),
        ("Session 1 (8 May 2023). Ana: hey", "Ana"),
        ("D1:3 Ana: hey", "Ana"),
        ("2023年5月8日 小明：你好", "小明"),
        ("**Ana**: hey", "Ana"),
        ("**Ana:** hey", "Ana"),
        ('(8 May 2023) Ana said, "Hey!"', "Ana"),
        ("Ana asked: who is it?", "Ana"),
        ("May: hey", "May"),
        ("Maria: hey", "Maria"),
    ],
)
def test_a_turn_has_a_speaker(text: str, speaker: str) -> None:
    """One label at the beginning, with or without a time before it."""
    assert speaker_of(text) == speaker


@pytest.mark.parametrize(
    "text",
    [
        "prefers window seats",
        "User: hello\nAssistant: hi there",
        "用户：你好。助手：你好",
        "用户说：想去北京",
        "Note: buy milk",
        "https://example.org/a: b",
        '{"a": 1}',
        "12:30 lunch",
        "Ana:",
        "2023-05-08 the ferry leaves",
        "on 8 May at 9: the dentist",
        "Ana said, without a doubt, yes",
        "At noon Ana says hello",
        "",
    ],
)
def test_what_is_no_turn_has_none(text: str) -> None:
    """Notes, several turns in one text, reported speech, addresses and times are told apart."""
    assert speaker_of(text) == ""


def test_no_text_takes_long() -> None:
    """Words that might be dates are read in one way only: a text of nothing else is read at once."""
    for text in ("1 " * 2_000, "1-" * 2_000, "(" * 2_000, "may " * 2_000, "[1] " * 1_000, "A " * 2_000, "1: " * 1_000):
        assert speaker_of(text) == ""
