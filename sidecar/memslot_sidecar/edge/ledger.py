"""The notes of the latest turns, for accounting and diagnosis."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from memslot_sidecar.edge.notes import AccountNote, Note, TurnKey

TURNS_KEPT = 10_000
"""Over all namespaces; the turns that were noted longest ago go first."""
NOTES_KEPT = 1_000
"""Of one turn; further ones are not noted, but its account is."""


class Ledger:
    """Notes by turn, in the order in which turns were last noted. Used on the event loop's thread."""

    def __init__(self, turns_kept: int = TURNS_KEPT) -> None:
        self._turns_kept = turns_kept
        self._notes: OrderedDict[TurnKey, list[Note]] = OrderedDict()

    def note(self, key: TurnKey, *notes: Note) -> None:
        """Adds notes to a turn. An account takes the place of the turn's account before it."""
        held = self._notes.setdefault(key, [])
        self._notes.move_to_end(key)
        for note in notes:
            if isinstance(note, AccountNote):
                held[:] = [other for other in held if not isinstance(other, AccountNote)]
                held.append(note)
            elif len(held) < NOTES_KEPT:
                held.append(note)
        while len(self._notes) > self._turns_kept:
            self._notes.popitem(last=False)

    def of(self, key: TurnKey) -> Sequence[Note]:
        """The notes of a turn, in order; empty when there are none."""
        return tuple(self._notes.get(key, ()))

    def turns(self, namespace: str, conversation: str | None = None) -> Sequence[TurnKey]:
        """The turns of a namespace, those of one conversation or of all, in the order in which they were first noted."""
        found = [
            key
            for key in self._notes
            if key.namespace == namespace and (conversation is None or key.conversation == conversation)
        ]
        return sorted(found, key=lambda key: self._notes[key][0].time_ms if self._notes[key] else 0)

    def drop(self, namespace: str) -> None:
        """Forgets the turns of a namespace."""
        for key in [key for key in self._notes if key.namespace == namespace]:
            del self._notes[key]
