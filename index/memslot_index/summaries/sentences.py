"""Sentences and words of a text in any script, found by ICU: Unicode's rules for both, a dictionary for Chinese and Japanese words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from icu4py.breakers import SentenceBreaker, WordBreaker

_LOCALE = "en-u-ss-standard"
"""With the abbreviations of English that end no sentence; the rules are the same for all scripts."""
_WRAPPED = re.compile(r"(?<=[^\n]{40})\n(?=[a-zà-öø-ÿ])")
"""A break within a sentence, as in a mail: behind a long line and before a small letter."""
_UNFINISHED = re.compile(r"(?:^(?:\d{1,3}|[A-Z][a-z]?)|\b(?:Dr|St|e\.g|i\.e)|(?<!\.)\b[A-Z])\. $")
"""The number of an item in a list, an initial, and abbreviations that ICU takes for the end of a sentence."""
_JOINED_CHARS = 200


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a line of what has no sentences, as it stands in the text; ``separator`` is what stands behind it."""

    text: str
    separator: str


def sentences(text: str, most: int) -> list[Sentence]:
    """Return the first ``most`` sentences of a text that is clean. Lines end them, so that lists, logs and code come apart too."""
    found: list[Sentence] = []
    for part in _parts(text):
        if len(found) == most:
            break
        inner = part.strip()
        separator = part[len(part.rstrip()) :]
        if inner:
            found.append(Sentence(inner, separator))
    return found


def words(sentence: str) -> list[str]:
    """Return the words of a sentence, without case."""
    return [word.casefold() for word in WordBreaker(sentence, _LOCALE) if any(map(str.isalnum, word))]


def _parts(text: str) -> Iterator[str]:
    """Yield the text in parts, in order and whole. What is unfinished goes with what follows."""
    start = end = 0
    for part in SentenceBreaker(_WRAPPED.sub(" ", text), _LOCALE):
        end += len(part)
        if end - start < _JOINED_CHARS and _UNFINISHED.search(text[start:end]):
            continue
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]
