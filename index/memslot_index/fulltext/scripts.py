"""Facts about scripts, as parts of character classes of regular expressions."""

from __future__ import annotations

CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3031-\u3035\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"
)
"""Chinese (with Bopomofo, Tangut, Khitan, Nushu), Japanese and Korean, of NFKC text."""

_SOUTH_EAST_ASIAN = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\u1780-\u17d3\u17d7\u17dc\u17dd"
    "\u1950-\u19cf\u1a20-\u1a7f\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaadd"
)

UNSPACED_MARKS = (
    "\u302a-\u302f\u3099\u309a"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
    "\u17b4-\u17d3\u17dd\u19b0-\u19c0\u19c8\u19c9\u1a55-\u1a7f\ua9e5\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1"
)
"""What belongs to the character before it in a script without spaces."""

UNSPACED = CJK + _SOUTH_EAST_ASIAN + UNSPACED_MARKS
"""All scripts that write no spaces between words, or whose words carry their particles: CJK, Thai, Lao, Khmer, Burmese and their like."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200c\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
    "\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\ufe20-\ufe2f"
)
"""What may stand in a word or not: joiners, variation selectors, soft hyphens, points of Hebrew, vowels of Arabic, accents of transcription."""

ACCENTED = "\u00c0-\u06ff\u1d00-\u1fff\u2c60-\u2c7f\ua640-\ua7ff"
"""Where letters with accents stand, and the accents."""

ACCENTS = "\u0300-\u036f\u0653-\u0655"
"""Accents of Latin, Greek, Cyrillic and Arabic."""

LETTERS = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ħ": "h",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ð": "d",
    "ى": "ي",
    "ی": "ي",
    "ک": "ك",
    "ة": "ه",
}
"""Letters that are written as others where a keyboard lacks them; none of them decomposes."""


def shape(character: str) -> str:
    """``U`` for a capital, ``d`` for a digit, ``l`` for another letter or mark, and a space for what separates."""
    if character.isupper() or character.istitle():
        return "U"
    if character.isdecimal():
        return "d"
    return "l" if character.isalpha() or character > "\x7f" else " "
