"""What a person types, as a full-text query.

Bare words are alternatives: a document that has more of them, or rarer ones, ranks higher. A phrase in straight double quotes must
stand in a document as it is given. ``word*`` stands for all words that begin so. Nothing else has a meaning, and no text is an error.
A question is understood by its content words: stop words only count when there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memslot_index.fulltext import analysis, wording

TEXT_LIMIT = 4096
"""Characters of a query that are read."""
TERMS_LIMIT = 64
"""Terms of a query that are looked for, the first ones."""

_PIECE = re.compile(r'"(?P<phrase>[^"]*)"(?P<open>\*?)|(?P<word>[^\s"*]+)(?P<prefix>\*?)')


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A query that :meth:`match` puts in the words of FTS5."""

    phrases: tuple[tuple[wording.Term, ...], ...]
    """What must be there: of each phrase one of its forms."""
    words: tuple[wording.Term, ...]
    """What raises the rank. Without phrases, one of these must be there."""
    terms: int = 1
    """How many words and phrases were asked for; their further forms do not count."""

    def parts(self) -> Iterator[str]:
        """The expressions of all that raises the rank, in the order of :meth:`match`; as often as it is in there."""
        again = self.phrases[:1] if self.words else ()
        for forms in (*self.phrases, *again, self.words):
            yield from map(_expression, forms)

    def match(self, fields: Sequence[str] | None = None) -> str:
        """The expression for FTS5's MATCH, within ``fields`` or, without any, anywhere."""
        required = [_any_of(forms) for forms in self.phrases]
        if not required:
            expression = _any_of(self.words)
        else:
            # The second mention of a phrase is always true: it lets the words count without asking for them.
            optional = [_any_of((*self.phrases[0], *self.words))] if self.words else []
            expression = " AND ".join(required + optional)
        if not fields:
            return expression
        return f"{{{' '.join(map(_quoted, fields))}}} : ({expression})"


def parse(text: str) -> TextQuery | None:
    """The query that ``text`` means; None when it has nothing but spaces."""
    text = analysis.compatible(text[:TEXT_LIMIT])
    phrases: list[tuple[wording.Term, ...]] = []
    found = wording.Wording()
    for piece in _PIECE.finditer(text):
        if word := piece["word"]:
            found.add(word, prefix=bool(piece["prefix"]))
        elif forms := wording.phrase(piece["phrase"], prefix=bool(piece["open"])):
            phrases.append(forms)
    words = found.terms(needed=not phrases)[:TERMS_LIMIT]
    if not phrases and not words:
        words = _spelled(text)
    if not phrases and not words:
        return None
    asked = len(phrases) + (len(found.content) or len(words))
    return TextQuery(tuple(phrases[:TERMS_LIMIT]), tuple(words), min(asked, TERMS_LIMIT))


def _spelled(text: str) -> list[wording.Term]:
    """The signs of a text without letters, digits and symbols, which only a name is found by."""
    signs = analysis.spelled(text.replace('"', "")) or analysis.spelled(text)
    return [wording.Term((sign,)) for sign in dict.fromkeys(signs.split())][:TERMS_LIMIT]


def _any_of(terms: Iterable[wording.Term]) -> str:
    return f"({' OR '.join(_expression(term) for term in terms)})"


def _expression(term: wording.Term) -> str:
    return _quoted(" ".join(term.tokens)) + "*" * term.prefix


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
