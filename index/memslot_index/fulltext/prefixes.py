"""Prefixes of words, where the index holds stems: ``connecti*`` means "connection" too, whose stem is ``connect``.

SQLite stems a prefix as it stems words, which can lengthen the list of words (``bus*`` becomes ``bu*``) or miss all (``cry*`` does not,
``play*`` becomes ``plai*``). So each prefix is given to it with an ending that the stemmer takes away, and beside it stand, as
whole words, words that begin so and whose stems do not.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import cast

import apsw

from memslot_index.fulltext.analysis import TOKENIZER

_TAKEN_AWAY = ("", "ness", "e", "s", "ed", "ing", "ful", "ment", "ly")
_NEXT = "abcdefghijklmnopqrstuvwxyz0123456789"
_ENDINGS = """
    s es ed ing ings eed ies ied ier ly er ers
    al als ally ality alities alism alize alized alizing alization alizations ational ationally
    ance ances ancy ence ences ency ent ents ently ant ants antly
    able ably ability abilities ible ibly ibility ibilities
    ic ical ically icate icated icating icates icity ication
    ate ates ated ating ation ations ative atively ator ators ion ions ional ionally
    ive ives ively iveness ivity ize izes ized izing izer izers ization izations ise ised ising
    ism isms ity ities iti ment ments ement ements ful fully fulness ous ously ousness ness ou logy logi
"""


@lru_cache(maxsize=1024)
def alternatives(word: str) -> tuple[tuple[str, bool], ...]:
    """What to look for instead of ``word*``: words, each with whether it stands for all that begin with it.

    A single letter stands for itself: too much begins with it.
    """
    if len(word) < 2:
        return ((word, False),)
    if len(word) < 3 or not (word.isascii() and word.isalnum()):
        return ((word, True),)
    return (*_beginnings(word), *((other, False) for other in _stemmed_away(word)))


def _beginnings(word: str) -> list[tuple[str, bool]]:
    """Words whose stems are ``word`` or one letter more, so that each stem that begins with ``word`` begins with one of them."""
    for ending in _TAKEN_AWAY:
        if _stem(word + ending) == word:
            return [(word + ending, True)]
    return [(word + letter, True) for letter in _NEXT]


def _stemmed_away(word: str) -> list[str]:
    """One word for each stem that does not begin with ``word`` though a word of that stem does."""
    found: dict[str, str] = {}
    for whole in _completions(word):
        stem = _stem(whole)
        if not stem.startswith(word):
            found.setdefault(stem, whole)
    return list(found.values())


def _completions(word: str) -> list[str]:
    completed = [
        word + ending[length:]
        for ending in _ENDINGS.split()
        for length in range(len(ending) + 1)
        if len(word) > length and word.endswith(ending[:length])
    ]
    return [word, *completed]


def _stem(word: str) -> str:
    found = _stemmer()(word.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False)
    return cast("list[str]", found)[0]


@cache
def _stemmer() -> apsw.FTS5Tokenizer:
    name, *arguments = TOKENIZER.replace("'", "").split(" ", 5)
    return apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
