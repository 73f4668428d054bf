"""Which lines of a prompt are receipts. Their texts are not kept: a line is one if a turn of the conversation noted a receipt of exactly
its length, and it holds that receipt's slot, or, where there was none, begins as receipts without a slot do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

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
    kinds = _by_length(notes)
    for number, text in enumerate(texts if kinds else ()):
        start = 0
        for line in text.split("\n"):
            if len(line) in kinds and kinds[len(line)].fits(line):
                yield number, start, start + len(line)
            start += len(line) + 1


@dataclass(slots=True)
class _Receipts:
    """What receipts of one length hold: names, by their lengths, so that a line is looked at no more often however many there are."""

    names: dict[int, set[str]] = field(default_factory=dict)
    nameless: bool = False

    def add(self, name: str) -> None:
        """Adds a receipt; of a slot, where there is one."""
        if name:
            held = shown(name)
            self.names.setdefault(len(held), set()).add(held)
        else:
            self.nameless = True

    def fits(self, line: str) -> bool:
        """Whether a line of that length is one of them."""
        if self.nameless and line.startswith(_BEGINNINGS):
            return True
        return any(
            line[start : start + length] in names
            for length, names in self.names.items()
            for start in range(len(line) - length + 1)
        )


def _by_length(notes: Iterable[Note]) -> dict[int, _Receipts]:
    found: dict[int, _Receipts] = {}
    for note in notes:
        if isinstance(note, ActionNote | RejectNote):
            found.setdefault(note.line_characters, _Receipts()).add(getattr(note, "name", ""))
    return found
