"""The terms that stand for words and phrases of a query."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memslot_index.fulltext import analysis, irregular, prefixes, scripts, stopwords

TERM_LIMIT = 64
"""Tokens of one term; what follows them is not looked for."""

_UNSPACED = re.compile(f"([{scripts.UNSPACED}]+)")
_SHORTENED = re.compile("(?<=[a-z])['’](?:s|t|d|m|ll|re|ve)(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """Tokens that stand next to each other; with ``prefix`` the last one may go on."""

    tokens: tuple[str, ...]
    prefix: bool = False


@dataclass(slots=True)
class Wording:
    """The alternatives of the bare words of a query, collected one by one."""

    content: dict[Term, None] = field(default_factory=dict)
    """What the query is about, in its order."""
    further: dict[Term, None] = field(default_factory=dict)
    """Other forms of it, and words of it that stand together."""
    stopped: dict[Term, None] = field(default_factory=dict)
    """Stop words."""

    def terms(self, *, needed: bool) -> list[Term]:
        """All that is to be looked for, the most telling first; stop words if there is nothing else and a term is ``needed``."""
        if self.content or not needed:
            return list(self.content | self.further)
        return list(self.stopped)

    def add(self, word: str, *, prefix: bool) -> None:
        """Takes what stands between two spaces. ``prefix`` says that it goes on."""
        parts = [part for part in _UNSPACED.split(word) if part]
        for number, part in enumerate(parts, 1):
            if _UNSPACED.match(part):
                self._add_run(part)
            elif prefix and number == len(parts):
                self._add_prefix(part)
            else:
                self._add_word(part)

    def _add_word(self, word: str) -> None:
        begins = not (self.content or self.stopped)
        whole = analysis.tokens(_SHORTENED.sub(" ", word))
        for token in whole:
            # A capital within a sentence makes a name of it: Will.
            stopped = token in stopwords.ENGLISH and (begins or len(token) < 3 or not word.istitle())
            self._add_token(token, stopped=stopped)
        self._together(whole)
        for pieces in analysis.split(word):
            self._add_pieces(pieces)

    def _add_token(self, token: str, *, stopped: bool) -> None:
        (self.stopped if stopped else self.content)[Term((token,))] = None
        if not stopped:
            self.further.update((Term((form,)), None) for form in irregular.other_forms(token))

    def _add_pieces(self, pieces: list[str]) -> None:
        parts = analysis.tokens(" ".join(pieces))
        self._together(parts)
        self.further.update((Term((part,)), None) for part in parts if len(part) > 1 and part not in stopwords.ENGLISH)

    def _together(self, tokens: list[str]) -> None:
        if len(tokens) > 1:
            self.further[Term(tuple(tokens[:TERM_LIMIT]))] = None

    def _add_prefix(self, word: str) -> None:
        self.content.update(dict.fromkeys(phrase(word, prefix=True)))
        for pieces in analysis.split(word):
            self.further.update(dict.fromkeys(phrase(" ".join(pieces), prefix=True)))

    def _add_run(self, run: str) -> None:
        """A run of a script without spaces: the pairs of its characters, without those that lie in stop words.

        A single character between stop words is a word. The whole run is not looked for: whatever has it has all its pairs.
        """
        parts = analysis.clusters(run)
        stopped = _stopped(run, len(parts))
        for at in range(len(parts) - 1):
            terms = self.stopped if stopped[at] and stopped[at + 1] else self.content
            terms[Term((parts[at] + parts[at + 1],))] = None
        for at, part in enumerate(parts):
            if all(stopped[max(at - 1, 0) : at] + stopped[at + 1 : at + 2]):
                terms = self.stopped if stopped[at] else self.content
                terms[Term((part,), prefix=True)] = None


def phrase(text: str, *, prefix: bool = False) -> tuple[Term, ...]:
    """The terms any of which is the phrase ``text``; none when it has no token. ``prefix`` says that its last word goes on."""
    found = analysis.tokens(text)
    if not found:
        return ()
    if len(found) > TERM_LIMIT:
        return (Term(tuple(found[:TERM_LIMIT])),)
    *before, last = found
    if _UNSPACED.fullmatch(last):
        # A run ends with a single that only a document's end of the run has.
        closes_run = bool(before) and before[-1] != last and before[-1].endswith(last)
        return (Term(tuple(before)),) if closes_run else (Term(tuple(found), prefix=True),)
    if not prefix:
        return (Term(tuple(found)),)
    return tuple(Term((*before, word), prefix=goes_on) for word, goes_on in prefixes.alternatives(last))


def _stopped(run: str, length: int) -> list[bool]:
    """Of each character whether it lies in a stop word; of none, where characters have marks."""
    stopped = [False] * length
    if length == len(run):
        for found in stopwords.UNSPACED.finditer(run):
            stopped[slice(*found.span())] = [True] * len(found[0])
    return stopped
