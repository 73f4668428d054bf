"""Taking injections out of a history: nothing but them, and to the last one, in linear time.

What stands left and right of a removed injection may be a delimiter together, if somebody wrote it so. Therefore what is left is kept
with the delimiters in it, and looked at again where it was joined: what comes out has no injection, and to scrub it again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from io import StringIO

from memslot_sidecar.edge.injection.delimiting import BEGIN, MARK, MARK_CHARS, ends, outer_quote

NOTHING_ELSE = "[memslot: shown for one turn]"
"""Stands in a message that held nothing but injections, since providers refuse empty ones."""
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_BLANK = re.compile(r"(?:\s|\\[nrt])*")
_QUOTE = re.compile(r'\\*"')


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text without injections, how many it had, and how many characters they took."""

    text: str
    removed: int = 0
    characters: int = 0


def scrub_text(text: str, keep: Collection[str] = ()) -> Scrubbed:
    """A text without its injections but those with the ids in ``keep``."""
    return _Rest(text, frozenset(keep)).scrubbed() if BEGIN in text else Scrubbed(text)


def scrub_strings(document: str, keep: Collection[str] = ()) -> Scrubbed:
    """A JSON document without the injections in its strings, every other character of it as it was written."""
    if BEGIN not in document:
        return Scrubbed(document)
    removed = characters = 0

    def without(found: re.Match[str]) -> str:
        nonlocal removed, characters
        inner = scrub_text(found[1], keep)
        if not inner.removed:
            return found[0]
        removed += inner.removed
        characters += inner.characters
        note = NOTHING_ELSE if _BLANK.fullmatch(inner.text) else ""
        return f'"{note}{inner.text}"'

    return Scrubbed(_STRING.sub(without, document), removed, characters)


class _Rest:
    """What is left of ``text`` so far, and the marks in it: each with its place, None for what keeps those before it from being ended."""

    def __init__(self, text: str, keep: frozenset[str]) -> None:
        self._text = text
        self._keep = keep
        self._at = 0
        self._left = StringIO()
        self._marks: list[tuple[int, re.Match[str] | None]] = []
        self._removed = 0

    def scrubbed(self) -> Scrubbed:
        """Reads the text to its end."""
        while (found := self._next()) is not None:
            self._left.write(self._text[self._at : found.end()])
            self._at = found.end()
            while found is not None and self._removes(found):
                found = self._joined()
        self._left.write(self._text[self._at :])
        left = self._left.getvalue()
        return Scrubbed(left, self._removed, len(self._text) - len(left))

    def _next(self) -> re.Match[str] | None:
        """The next mark, or a quote before it that ends the string in which the last mark began an injection."""
        mark = MARK.search(self._text, self._at)
        slashes = self._slashes()
        if mark is None or not slashes:
            return mark
        return outer_quote(slashes).search(self._text, self._at, mark.start()) or mark

    def _removes(self, found: re.Match[str]) -> bool:
        """Takes what was found, with which what is left ends; whether it ended an injection, which then is gone."""
        place, begun = self._marks[-1] if self._marks else (0, None)
        if found.re is MARK and found["begin"]:
            self._marks.append((self._left.tell() - len(found.group()), found))
        elif found.re is MARK and begun is not None and ends(found, begun) and found["end"] not in self._keep:
            self._marks.pop()
            self._left.seek(place)
            self._left.truncate()
            self._removed += 1
            return True
        elif begun is not None:
            self._marks.append((0, None))
        return False

    def _joined(self) -> re.Match[str] | None:
        """A mark that stands across the place where something was removed, now taken to what is left."""
        place = self._left.tell()
        self._left.seek(max(0, place - MARK_CHARS))
        before = self._left.read()
        for mark in MARK.finditer(before + self._text[self._at : self._at + MARK_CHARS]):
            if mark.start() < len(before) < mark.end():
                self._write(mark.end() - len(before))
                return mark
        self._join_quote(before)
        return None

    def _join_quote(self, before: str) -> None:
        """Takes a quote that has its backslashes on both sides of such a place."""
        slashes = self._slashes()
        quote = _QUOTE.match(self._text, self._at) if slashes else None
        if quote is None:
            return
        self._write(len(quote.group()))
        if len(before) - len(before.rstrip("\\")) + len(quote.group()) <= slashes:
            self._marks.append((0, None))

    def _write(self, count: int) -> None:
        self._left.write(self._text[self._at : self._at + count])
        self._at += count

    def _slashes(self) -> int:
        """How many backslashes the quotes of the last mark have, if it began an injection."""
        last = self._marks[-1][1] if self._marks else None
        return 0 if last is None else len(last["begin_slashes"])
