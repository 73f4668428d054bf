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
        "",
    ],
)
def test_what_is_no_turn_has_none(text: str) -> None:
    """Notes, several turns in one text, reported speech, addresses and times are told apart."""
    assert speaker_of(text) == ""
