"""The notes of the latest turns, for accounting and diagnosis."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memslot_sidecar.edge.note_codec import unpacked
from memslot_sidecar.edge.notes import AccountNote, Note, TurnKey

TURNS_KEPT = 10_000
"""Over all namespaces; the turns that were noted longest ago go first."""
TURNS_KEPT_PER_NAMESPACE = 2_000
NOTES_KEPT = 1_000
"""Of one turn; further ones are not noted, but its account is."""


@dataclass(slots=True)
class Held:
    """What is known of one turn: ``number`` counts turns in the order in which they were first noted. Notes that were read from a file
    stay ``packed`` until somebody asks."""

    number: int
    notes: list[Note] = field(default_factory=list)
    packed: bytes = b""

    def unpack(self) -> list[Note]:
        """The notes."""
        if self.packed:
            self.notes, self.packed = [*unpacked(self.packed), *self.notes], b""
        return self.notes


class Ledger:
    """Notes by turn, in memory. Used on the event loop's thread."""

    def __init__(self, turns_kept: int = TURNS_KEPT, turns_kept_per_namespace: int = TURNS_KEPT_PER_NAMESPACE) -> None:
        self._turns_kept = turns_kept
        self._per_namespace = turns_kept_per_namespace
        self._turns: OrderedDict[TurnKey, Held] = OrderedDict()
        self._spaces: dict[str, OrderedDict[TurnKey, Held]] = {}
        self._number = 0

    async def start(self, store_id: str) -> None:
        """Takes up what was kept for the store."""

    async def close(self) -> None:
        """Keeps what was noted; idempotent."""

    def note(self, key: TurnKey, *notes: Note) -> None:
        """Adds notes to a turn. An account takes the place of the turn's account before it."""
        if not notes or not self._turns_kept or not self._per_namespace:
            return
        held = self._touched(key)
        for note in notes:
            _add(held.unpack(), note)
        self._bound(key.namespace)

    def of(self, key: TurnKey) -> Sequence[Note]:
        """The notes of a turn, in order; empty when there are none."""
        held = self._turns.get(key)
        return () if held is None else tuple(held.unpack())

    def turns(self, namespace: str, conversation: str | None = None) -> Sequence[TurnKey]:
        """The turns of a namespace, those of one conversation or of all, in the order in which they were first noted."""
        space: Mapping[TurnKey, Held] = self._spaces.get(namespace, {})
        found = [key for key in space if conversation is None or key.conversation == conversation]
        return sorted(found, key=lambda key: space[key].number)

    def drop(self, namespace: str) -> None:
        """Forgets the turns of a namespace."""
        for key in self._spaces.pop(namespace, ()):
            del self._turns[key]

    def _touched(self, key: TurnKey) -> Held:
        """The turn, now the last one noted."""
        held = self._turns.get(key)
        if held is None:
            self._number += 1
            held = self._put(key, Held(self._number))
        self._turns.move_to_end(key)
        self._spaces[key.namespace].move_to_end(key)
        return held

    def _put(self, key: TurnKey, held: Held) -> Held:
        self._turns[key] = held
        self._spaces.setdefault(key.namespace, OrderedDict())[key] = held
        return held

    def _bound(self, namespace: str) -> Iterable[TurnKey]:
        """Removes the turns that are too many, and tells them."""
        gone: list[TurnKey] = []
        space = self._spaces[namespace]
        while len(space) > self._per_namespace:
            gone.append(self._remove(next(iter(space))))
        while len(self._turns) > self._turns_kept:
            gone.append(self._remove(next(iter(self._turns))))
        return gone

    def _remove(self, key: TurnKey) -> TurnKey:
        del self._turns[key]
        space = self._spaces[key.namespace]
        del space[key]
        if not space:
            del self._spaces[key.namespace]
        return key


def _add(held: list[Note], note: Note) -> None:
    if isinstance(note, AccountNote):
        held[:] = [other for other in held if not isinstance(other, AccountNote)]
        held.append(note)
    elif len(held) < NOTES_KEPT:
        held.append(note)
