"""The notes of the latest turns, for accounting and diagnosis."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memslot_sidecar.edge.note_codec import unpacked
from memslot_sidecar.edge.notes import AccountNote, CardNote, FoundNote, InjectionNote, Note, TurnKey

TURNS_KEPT = 10_000
"""Over all namespaces; the turns that were noted longest ago go first."""
TURNS_KEPT_PER_NAMESPACE = 2_000
BYTES_KEPT = 8 * 2**20
"""Over all namespaces, about: notes of very many turns with long cards are read at every start, and stay in memory."""
NOTES_KEPT = 1_000
BYTES_KEPT_PER_TURN = 2**18
"""Of one turn; its earliest notes make room for later ones, its account stays, and injections as long as there is anything else."""
_NOTE_BYTES = 250


@dataclass(slots=True)
class Held:
    """What is known of one turn: ``number`` counts turns in the order in which they were first noted. Notes that were read from a file
    stay ``packed`` until somebody asks. ``size`` is about how many bytes they take."""

    number: int
    notes: list[Note] = field(default_factory=list)
    packed: bytes = b""
    size: int = 0

    def __post_init__(self) -> None:
        self.size = len(self.packed)

    def unpack(self) -> list[Note]:
        """The notes."""
        if self.packed:
            self.notes, self.packed = list(unpacked(self.packed)), b""
        return self.notes

    def add(self, note: Note) -> None:
        """Adds a note. An account takes the place of the one before it, a card that was handed out again that of its note."""
        self.unpack()
        if isinstance(note, AccountNote | CardNote):
            for place in [place for place, other in enumerate(self.notes) if _replaces(note, other)][:1]:
                self._drop(place)
        self.notes.append(note)
        self.size += _size(note)
        while len(self.notes) > 1 and (len(self.notes) > NOTES_KEPT or self.size > BYTES_KEPT_PER_TURN):
            self._drop(self._least())

    def _least(self) -> int:
        """Where the note stands that can best be spared; never the last one."""
        for kinds in ((AccountNote, InjectionNote), (AccountNote,)):
            for place, note in enumerate(self.notes[:-1]):
                if not isinstance(note, kinds):
                    return place
        return 0

    def _drop(self, place: int) -> None:
        self.size = max(self.size - _size(self.notes.pop(place)), 0)


class Ledger:
    """Notes by turn, in memory. Used on the event loop's thread."""

    def __init__(self, turns_kept: int = TURNS_KEPT, turns_kept_per_namespace: int = TURNS_KEPT_PER_NAMESPACE) -> None:
        self._turns_kept = turns_kept
        self._per_namespace = turns_kept_per_namespace
        self._turns: OrderedDict[TurnKey, Held] = OrderedDict()
        self._spaces: dict[str, OrderedDict[TurnKey, Held]] = {}
        self._number = 0
        self._bytes = 0

    async def start(self, store_id: str) -> None:
        """Takes up what was kept for the store."""

    async def close(self) -> None:
        """Keeps what was noted; idempotent."""

    def note(self, key: TurnKey, *notes: Note) -> None:
        """Adds notes to a turn, of which the latest are kept. An account takes the place of the turn's account before it."""
        if not notes or not self._turns_kept or not self._per_namespace:
            return
        held = self._touched(key)
        self._bytes -= held.size
        for note in notes:
            held.add(note)
        self._bytes += held.size
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
            self._bytes -= self._turns.pop(key).size

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
        self._bytes += held.size
        self._spaces.setdefault(key.namespace, OrderedDict())[key] = held
        return held

    def _bound(self, namespace: str) -> Iterable[TurnKey]:
        """Removes the turns that are too many, and tells them."""
        gone: list[TurnKey] = []
        space = self._spaces[namespace]
        while len(space) > self._per_namespace:
            gone.append(self._remove(next(iter(space))))
        while len(self._turns) > self._turns_kept or (self._bytes > BYTES_KEPT and len(self._turns) > 1):
            gone.append(self._remove(next(iter(self._turns))))
        return gone

    def _remove(self, key: TurnKey) -> TurnKey:
        self._bytes -= self._turns.pop(key).size
        space = self._spaces[key.namespace]
        del space[key]
        if not space:
            del self._spaces[key.namespace]
        return key


def _replaces(note: Note, other: Note) -> bool:
    if isinstance(note, AccountNote):
        return isinstance(other, AccountNote)
    return (
        isinstance(note, CardNote)
        and isinstance(other, CardNote)
        and (note.card_revision, note.characters) == (other.card_revision, other.characters)
        and note.names == other.names
    )


def _size(note: Note) -> int:
    match note:
        case CardNote(characters=characters):
            return _NOTE_BYTES + characters
        case FoundNote(field=path):
            return _NOTE_BYTES + len(path)
    return _NOTE_BYTES
