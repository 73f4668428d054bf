"""Text as it is indexed: rewritten so that SQLite's own tokenizer :data:`TOKENIZER` yields the tokens that are wanted.

Plain ASCII passes as it is. In all other text

- compatibility forms, letter case and accents are folded: ``Ｓｔｒａßｅ`` and ``strasse``, ``é`` and ``e`` are one;
- a run ABC of a script without spaces becomes ``AB BC C``: two characters are a token, more are a phrase of adjacent tokens,
  and one is the prefix ``B*``, which the trailing single makes true at the end of a run too;
- each symbol is a token of its own, ``u1f600x``, and so are the two characters of a flag or a keycap; neither this Python nor
  this SQLite knows every emoji as a symbol.

The same is done to a query, so what is written one way is found by any other way of writing it.
"""

from __future__ import annotations

import re
import unicodedata
from operator import add

from memslot_index.fulltext import scripts

_RULES = 2
_MAJOR, _MINOR = map(int, unicodedata.unidata_version.split(".")[:2])
ANALYSIS_VERSION: int = _RULES * 1_000_000 + _MAJOR * 1_000 + _MINOR
"""Changes with the rules of this package and with Python's Unicode tables: an index of another version is to be made anew."""

TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
"""With marks as parts of words: by default a vowel sign would end a word of Hindi or Arabic."""

MARKS_LIMIT = 32
"""Combining marks kept in a row. To normalise takes time with the square of their number, and no script needs ten."""

_NOT_ASCII = r"\x00-\x7f"
_LONG = re.compile(rf"[^\w{_NOT_ASCII}]{{{MARKS_LIMIT + 1},}}")
_INVISIBLE = re.compile(f"[{scripts.INVISIBLE}]+")
_PERSIAN_JOIN = re.compile("(?<=[\u0600-\u06ff])\u200c(?=[\u0600-\u06ff])")
_ACCENTED = re.compile(f"[{scripts.ACCENTED}]")
_ACCENTS = re.compile(f"[{scripts.ACCENTS}]+")
_SHORT_I = "\u0438\u0306", "\u0439"
_LETTERS = re.compile(f"[{''.join(scripts.LETTERS)}]")
_PART = re.compile(
    rf"([{scripts.UNSPACED}]+)"
    r"|([\U0001f1e6-\U0001f1ff]{2}|[0-9#]\u20e3)"
    rf"|([^\w{_NOT_ASCII}])\3*"
)
_CLUSTER = re.compile(f".[{scripts.UNSPACED_MARKS}]*")
_CLUSTER_MARK = re.compile(f"[{scripts.UNSPACED_MARKS}]")
_TOKEN = re.compile(r"(?:[^\W_]|[^\x00-\x7f])+")
_SHAPE = str.maketrans({chr(code): scripts.shape(chr(code)) for code in range(128)})
_BORDER = re.compile("(?<=l)(?=[Ud])|(?<=U)(?=Ul|d)|(?<=d)(?=[lU])")
_IDENTIFIER = re.compile("[Uld]+")
_PIECE = re.compile("U+(?!l)|U?l+|d+")


def words(text: str) -> str:
    """``text`` as it is indexed."""
    if not text.isascii():
        text = _folded(compatible(text))
    return text if text.isascii() else _PART.sub(_part, text)


def name_words(name: str) -> str:
    """``name`` as it is indexed: whole, and what stands between borders of letter case and digits once more.

    A name without a letter, digit or symbol is spelled.
    """
    name = compatible(name)
    text = " ".join([name, *(piece for pieces in split(name) for piece in pieces)])
    indexed = words(text)
    return indexed if _TOKEN.search(indexed) else spelled(name)


def tokens(text: str) -> list[str]:
    """The tokens of ``text`` in order, in lower case, before stemming."""
    return _TOKEN.findall(text.lower() if text.isascii() else words(text))


def split(name: str) -> list[list[str]]:
    """The pieces of each identifier in ``name`` that has borders within: ``getURL2`` is get, URL and 2."""
    shape = name.translate(_SHAPE) if name.isascii() else "".join(map(scripts.shape, name))
    if not _BORDER.search(shape):
        return []
    found = [
        [name[slice(*piece.span())] for piece in _PIECE.finditer(shape, *identifier.span())]
        for identifier in _IDENTIFIER.finditer(shape)
    ]
    return [pieces for pieces in found if len(pieces) > 1]


def name_pieces(name: str) -> list[str]:
    """The words of a name in order, identifiers in their pieces, letter case as it is."""
    found: list[str] = []
    for word in re.split(r"[\s_./\\-]+", compatible(name)):
        pieces = split(word)
        found += [piece for pieces_of in pieces for piece in pieces_of] if pieces else [word] if word else []
    return found


def spelled(text: str) -> str:
    """Each character of ``text`` but spaces as a token."""
    return " ".join(_code(character) for character in text if not character.isspace())


def clusters(run: str) -> str | list[str]:
    """The characters of a run of a script without spaces, each with its marks."""
    return _CLUSTER.findall(run) if _CLUSTER_MARK.search(run) else run


def compatible(text: str) -> str:
    """``text`` in NFKC, in linear time."""
    if text.isascii():
        return text
    for wide, plain in zip("，。！？：；（）", ",.!?:;()", strict=True):
        text = text.replace(wide, plain)
    return unicodedata.normalize("NFKC", _LONG.sub(_fewer_marks, text))


def _fewer_marks(others: re.Match[str]) -> str:
    kept, marks = [], 0
    for character in others[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MARKS_LIMIT:
            kept.append(character)
    return "".join(kept)


def _folded(text: str) -> str:
    if "\u200c" in text:
        text = _PERSIAN_JOIN.sub(" ", text)
    text = _INVISIBLE.sub("", text).casefold()
    if not _ACCENTED.search(text):
        return text
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text).replace(*_SHORT_I))
    return _LETTERS.sub(_letter, unicodedata.normalize("NFC", bare))


def _letter(match: re.Match[str]) -> str:
    return scripts.LETTERS[match[0]]


def _part(part: re.Match[str]) -> str:
    run, pair, other = part.groups()
    if run:
        return f" {_bigrams(run)} "
    return _other(other) if other else f" {''.join(map(_code, pair))} "


def _bigrams(run: str) -> str:
    parts = clusters(run)
    return " ".join([*map(add, parts, parts[1:]), parts[-1]])


def _other(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Mn", "Mc"):
        return character
    # What is not assigned yet is most likely an emoji.
    if category[0] == "S" or category in ("Me", "Co", "Cn"):
        return f" {_code(character)} "
    return " "


def _code(character: str) -> str:
    return f"u{ord(character):x}x"
