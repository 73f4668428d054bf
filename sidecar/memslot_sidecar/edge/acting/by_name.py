"""Finding names by the words of a question, where texts are not indexed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memslot_sidecar.model import SlotRecord

_WORD = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_WORDS_MOST = 64
"""So many different words of a query are looked for, its first ones."""


def by_name(query: str, records: Sequence[SlotRecord]) -> list[str]:
    """Names of the slots whose name, description or tags hold words of the query: those with the most words first."""
    words = list(dict.fromkeys(_words(query)))[:_WORDS_MOST]
    told = [(_told(record), record.name) for record in records]
    scored = [(sum(word in text for word in words), name) for text, name in told]
    return [name for score, name in sorted((one for one in scored if one[0]), key=lambda one: -one[0])]


def _told(record: SlotRecord) -> str:
    return " ".join((record.name, record.description, *record.tags)).casefold()


def _words(query: str) -> list[str]:
    """Words of at least two characters; of scripts without spaces each pair of characters."""
    words: list[str] = []
    for word in _WORD.findall(query.casefold()):
        if word.isascii():
            words += [word] if len(word) > 1 else []
        else:
            words += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
    return words
