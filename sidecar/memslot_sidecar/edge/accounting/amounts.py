"""Sizes of texts and of parts of them, in characters and tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memslot_sidecar.edge.accounting.counters import Counter
from memslot_sidecar.edge.notes import Amount

_PIECE = 1 << 16
"""No more characters are counted at once, since some counters keep the interpreter to themselves meanwhile."""

Span = tuple[int, int, int]
"""The number of a text, a part's first character in it, and the character behind its last."""


def amount_of(text: str, counter: Counter) -> Amount:
    """The size of a text."""
    return Amount(len(text), tokens_of(text, counter))


def tokens_of(text: str, counter: Counter) -> int:
    """Tokens of a text; a long one is cut at white space, where there is some."""
    tokens = start = 0
    while len(text) - start > _PIECE:
        end = _cut(text, start)
        tokens += counter.count(text[start:end])
        start = end
    return tokens + counter.count(text[start:] if start else text)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    listed = list(amounts)
    return Amount(sum(one.characters for one in listed), sum(one.tokens for one in listed))


def difference(left: Amount, *right: Amount) -> Amount:
    """``left`` less all of ``right``; it may be negative."""
    gone = total(right)
    return Amount(left.characters - gone.characters, left.tokens - gone.tokens)


def amount_at(spans: Iterable[Span], texts: Sequence[str], counter: Counter) -> Amount:
    """The size of parts of texts; what stands in several of them counts once."""
    return total(amount_of(texts[number][start:end], counter) for number, start, end in merged(spans))


def merged(spans: Iterable[Span]) -> Sequence[Span]:
    """The same characters in parts that do not overlap, in order."""
    whole: list[Span] = []
    for number, start, end in sorted(spans):
        if whole and whole[-1][0] == number and whole[-1][2] >= start:
            whole[-1] = (number, whole[-1][1], max(whole[-1][2], end))
        else:
            whole.append((number, start, end))
    return whole


def _cut(text: str, start: int) -> int:
    end = start + _PIECE
    near = max(text.rfind(blank, end - 1024, end) for blank in "\n ")
    return near if near > start else end
