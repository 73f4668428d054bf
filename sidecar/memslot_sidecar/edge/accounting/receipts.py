"""Which lines of a prompt are receipts. Their texts are not kept: a line is one if a turn of the conversation noted a receipt of exactly
its length, and it holds that receipt's slot, or, where there was none, begins as receipts without a slot do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memslot_sidecar.edge.accounting.amounts import Span
from memslot_sidecar.edge.acting.lines import shown
from memslot_sidecar.edge.acting.wording import say
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.notes import ActionNote, Note, RejectNote

_NAMELESS = (
    "names", "no_names", "found", "found_by_name", "nothing_found", "nothing_found_by_name", "reject", "unanswered",
)  # fmt: skip
_BLANK = {"names": "", "hint": "", "problem": ""}
_BEGINNINGS = tuple(say(language, key, **_BLANK) for language in Language for key in _NAMELESS)


def receipts_in(texts: Sequence[str], notes: Iterable[Note]) -> Iterator[Span]:
    """The receipts of these notes in the texts."""
    names = _names_by_length(notes)
    for number, text in enumerate(texts if names else ()):
        start = 0
        for line in text.split("\n"):
            if any(_fits(line, name) for name in names.get(len(line), ())):
                yield number, start, start + len(line)
            start += len(line) + 1


def _names_by_length(notes: Iterable[Note]) -> dict[int, set[str]]:
    """What receipts of each length hold; nothing for those without a slot."""
    found: dict[int, set[str]] = {}
    for note in notes:
        if isinstance(note, ActionNote):
            found.setdefault(note.line_characters, set()).add(shown(note.name) if note.name else "")
        elif isinstance(note, RejectNote):
            found.setdefault(note.line_characters, set()).add("")
    return found


def _fits(line: str, name: str) -> bool:
    return name in line if name else line.startswith(_BEGINNINGS)
