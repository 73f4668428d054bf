"""Words are found in each language as its writers write them."""

from __future__ import annotations

import pytest
from tests.index.fulltext.tables import finds, found, of

FOUND = {
    "english plural": ("Two horses were grazing.", "horse"),
    "english verb form": ("She was connecting the cables.", "connection"),
    "english case": ("The NASA report", "nasa"),
    "irregular verb": ("We went to the museum.", "Where did they go?"),
    "irregular verb, backwards": ("I want to buy a guitar.", "bought"),
    "irregular noun": ("Her children play chess.", "child"),
    "possessive": ("Caroline’s guitar", "Caroline's"),
    "chinese word": ("我喜欢吃北京烤鸭", "烤鸭"),
    "chinese word at the end": ("明天去上海", "上海"),
    "chinese character": ("我喜欢吃北京烤鸭", "鸭"),
    "chinese name": ("和李小龙见面", "李小龙"),
    "chinese beyond the BMP": ("在𠮷野家吃牛丼", "𠮷野家"),
    "chinese between latin": ("用Python写程序", "程序"),
    "latin between chinese": ("用Python写程序", "python"),
    "full-width letters": ("ＰＹＴＨＯＮ３", "python3"),
    "chinese question": ("上周末我们在公园附近的小店吃了饭", "她上周末在哪里吃的饭?"),
    "bopomofo": ("注音ㄅㄆㄇㄈ", "ㄆㄇ"),
    "iteration mark": ("人々の声", "人々"),
    "variation selector": ("葛\U000e0100飾区", "葛飾"),
    "japanese kanji": ("昨日東京駅で会いました", "東京"),
    "japanese katakana": ("コーヒーを飲む", "コーヒー"),
    "japanese half-width katakana": ("ｺｰﾋｰを飲む", "コーヒー"),
    "japanese voiced half-width": ("ガム", "ｶﾞﾑ"),
    "japanese hiragana": ("りんごを買った", "りんご"),
    "japanese question": ("昼ご飯はカレーでした", "彼女はどこで昼ご飯を食べましたか？"),
    "korean word": ("한국어를 공부합니다", "한국어"),
    "korean with particle": ("밥 먹었다", "밥을"),
    "korean decomposed": ("한국어", "한국"),
    "korean question": ("지난주에 도서관에서 책을 읽었다", "그녀는 지난주에 어디에서 책을 읽었나요?"),
    "accent": ("Le café est fermé", "cafe ferme"),
    "accent asked for": ("the resume", "résumé"),
    "accent decomposed": ("re\u0301sume\u0301", "résumé"),
    "accents of vietnamese": ("Phở Việt Nam", "pho viet"),
    "sharp s": ("Hauptstraße", "HAUPTSTRASSE"),
    "turkish capitals": ("İSTANBUL", "istanbul"),
    "turkish dotless i": ("Diyarbakır", "diyarbakir"),
    "polish l": ("Łódź", "lodz"),
    "scandinavian letters": ("Smørrebrød på Ærø", "aero smorrebrod"),
    "greek accents": ("Αθήνα", "ΑΘΗΝΑ"),
    "greek final sigma": ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
    "russian case": ("МОСКВА", "москва"),
    "russian yo": ("ёлка", "елка"),
    "arabic vowels": ("كِتَابٌ", "كتاب"),
    "arabic hamza": ("أحمد", "احمد"),
    "persian half-space": ("می\u200cخواهم", "خواهم"),
    "hebrew points": ("שָׁלוֹם", "שלום"),
    "hindi": ("मैं हिन्दी बोलता हूँ", "हिन्दी"),
    "hindi joiner": ("क्\u200dष", "क्ष"),
    "tamil": ("தமிழ் மொழி", "மொழி"),
    "thai": ("ฉันกินข้าวที่บ้าน", "กินข้าว"),
    "thai syllable": ("ฉันกินข้าวที่บ้าน", "กิน"),
    "burmese": ("မြန်မာစာ", "မြန်မာ"),
    "soft hyphen": ("co\u00adoperate", "cooperate"),
    "ligature": ("the ﬁnal oﬃce", "final office"),
    "nul": ("before\0after", "after"),
}
APART = {
    "another chinese order": ("海上日出", "上海"),
    "characters of two runs": ("在上，海边", "上海"),
    "short i": ("мои", "мой"),
    "persian half-space is a border": ("می\u200cخواهم", "میخواهم"),
    "another vowel sign": ("की", "का"),
    "an irregular form is another word": ("the sun rises", "roses"),
    "a stem is a whole word": ("butter", "bus"),
}


@pytest.mark.parametrize(("body", "text"), FOUND.values(), ids=FOUND)
def test_found(body: str, text: str) -> None:
    """A document is found by its words in whatever form they are asked for."""
    assert finds(body, text)


@pytest.mark.parametrize(("body", "text"), APART.values(), ids=APART)
def test_apart(body: str, text: str) -> None:
    """What is another word is not found."""
    assert found(of(body), text) == []


EMOJI = [
    "😀",
    "👍🏽",
    "👨‍👩‍👧",
    "🇩🇪",
    "1️⃣",
    "❤️",
    "🫠",
    "🏴\U000e0067\U000e0062\U000e007f",
    "\U0001fae9",
    "→",
    "€",
    "♫",
    "\uf8ff",
]


@pytest.mark.parametrize("emoji", EMOJI)
@pytest.mark.parametrize("body", ["{}", "party{}time", "派对{}时间", "a {} b"])
def test_a_symbol_is_found(emoji: str, body: str) -> None:
    """An emoji or another symbol is found alone and between letters, by itself and as a phrase."""
    table = of(body.format(emoji), "party time 派对时间 a b 2")
    assert found(table, emoji) == [0]
    assert found(table, f'"{emoji}"') == [0]


@pytest.mark.parametrize(
    ("body", "text"), [("👍🏽", "👍"), ("👨‍👩‍👧", "👩"), ("❤️", "❤"), ("❤", "❤️"), ("🎉🎉🎉", "🎉"), ("🎉", "🎉🎉")]
)
def test_a_symbol_is_found_in_another_dress(body: str, text: str) -> None:
    """Skin tone, joined companions, presentation and repetition do not hide a symbol."""
    assert finds(body, text)


def test_flags_are_told_apart() -> None:
    """A flag is not found by another one that shares a letter with it."""
    assert found(of("🇩🇪", "🇪🇸", "🇪🇩"), "🇩🇪") == [0]


def test_more_words_rank_higher() -> None:
    """Of the documents that have some words of a question, the one with most of them comes first."""
    table = of(
        "The group meets here.",
        "Caroline went to a support group for new parents on Friday.",
        "When and to where did the support go?",
        "Nothing to see.",
    )
    assert found(table, "When did Caroline go to the support group?")[0] == 1
    assert 3 not in found(table, "When did Caroline go to the support group?")


def test_more_words_rank_higher_in_chinese() -> None:
    """A Chinese question ranks the document first that has most of its words."""
    table = of("他在哪里工作？", "上周末她和朋友在海边吃了晚饭", "周末天气很好", "的的的了了了在哪里")
    assert found(table, "她上周末在哪里吃的饭？")[0] == 1
    assert 3 not in found(table, "她上周末在哪里吃的饭？")
