"""What of a text is embedded."""

from __future__ import annotations

import itertools
import re
import unicodedata

_NOTHING = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


def readable(text: str) -> str:
    """Return ``text`` in NFKC, on one line and without control characters or lone surrogates, which no model can read.

    Engines that are written in C stop at the first NUL, and some break on the few characters that NFKC makes many of.
    """
    return _NOTHING.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def head(text: str, limit_bytes: int) -> tuple[str, bool]:
    """Return as much of the start of ``text`` as is made of at most ``limit_bytes`` bytes, `readable`, and whether that leaves anything out.

    Bytes of UTF-8 foretell tokens better than characters: English and Chinese have about four bytes a token, and no text has less than one.
    """
    start = _nothing(text, 0)
    end = start + limit_bytes + 1
    whole = readable(text[start:end])
    taken = whole.encode()[:limit_bytes].decode(errors="ignore")
    return taken, len(taken) < len(whole) or _nothing(text, end) < len(text)


def excerpts(text: str, whole_bytes: int, size_bytes: int, most: int) -> tuple[list[str], bool]:
    """Return ``text`` in pieces, none of them empty, and whether they leave anything out.

    A text of at most ``whole_bytes`` is one piece. A longer one is cut into at most ``most`` parts of equal length, and the start of each is taken,
    about ``size_bytes`` of it: so the whole of a text of ``most * size_bytes`` is embedded, and a longer one is felt from its start to its end.
    """
    piece, left_out = head(text, whole_bytes)
    if not left_out:
        return [piece] if piece else [], False
    parts = min(most, -(-_bytes(text, size_bytes * most) // size_bytes))
    cuts = [0, *(_word_start(text, len(text) * part // parts) for part in range(1, parts)), len(text)]
    # Parts have the same number of characters, and some more bytes than others.
    taken = [head(text[start:end], size_bytes * 5 // 4) for start, end in itertools.pairwise(cuts)]
    return [piece for piece, _ in taken if piece], any(left_out for _, left_out in taken)


def _nothing(text: str, start: int) -> int:
    """Return where, from ``start`` on, there is something to read."""
    blank = _NOTHING.match(text, start)
    return blank.end() if blank else start


def _bytes(text: str, most: int) -> int:
    return most if len(text) >= most else len(text.encode(errors="replace"))


def _word_start(text: str, position: int) -> int:
    """Return ``position``, or the next blank if one follows soon."""
    blank = text.find(" ", position, position + 20)
    return position if blank < 0 else blank
