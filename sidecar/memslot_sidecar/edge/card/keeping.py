"""The cards that are kept, so that a conversation's prompts begin with the same bytes. In RAM, bounded, the least lately asked for go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from memslot_sidecar.edge.card.changes import Changes
from memslot_sidecar.edge.card.drawing import Card, CardForm
from memslot_sidecar.model import FeedRecord

CARDS_KEPT = 1024
BYTES_KEPT = 16 * 2**20
NAMESPACES_KEPT = 1024


@dataclass(frozen=True, slots=True)
class CardKey:
    """Whose card it is, and of what form."""

    namespace: str
    conversation: str
    form: CardForm


class Cards:
    """Cards by key, and what changed since they were made. Used on the event loop's thread; told of each commit."""

    def __init__(self, cards_kept: int = CARDS_KEPT, bytes_kept: int = BYTES_KEPT) -> None:
        self._cards_kept = cards_kept
        self._bytes_kept = bytes_kept
        self._bytes = 0
        self._cards: OrderedDict[CardKey, Card] = OrderedDict()
        self._changes: OrderedDict[str, Changes] = OrderedDict()
        self._keys: dict[str, set[CardKey]] = {}

    def changed(self, records: Sequence[FeedRecord]) -> None:
        """Takes the records of a commit."""
        if not self._changes:
            return
        for record in records:
            changes = self._changes.get(record.namespace)
            if changes is not None:
                changes.note(record)

    def watch(self, namespace: str, revision: int) -> Changes:
        """The changes of a namespace, noted from ``revision`` on if they were not before."""
        changes = self._changes.get(namespace)
        if changes is None:
            changes = self._changes[namespace] = Changes(revision)
            while len(self._changes) > NAMESPACES_KEPT:
                self._forget_namespace(next(iter(self._changes)))
        self._changes.move_to_end(namespace)
        return changes

    def get(self, key: CardKey) -> Card | None:
        """The card that is kept."""
        card = self._cards.get(key)
        if card is not None:
            self._cards.move_to_end(key)
            self._changes.move_to_end(key.namespace)
        return card

    def put(self, key: CardKey, card: Card) -> None:
        """Keeps a card, in place of the one before."""
        if key.namespace not in self._changes:
            return
        self._drop(key)
        self._cards[key] = card
        self._keys.setdefault(key.namespace, set()).add(key)
        self._bytes += card.size_bytes
        while len(self._cards) > self._cards_kept or self._bytes > self._bytes_kept:
            self._drop(next(iter(self._cards)))

    def of(self, namespace: str, conversation: str) -> Sequence[Card]:
        """The cards that are kept of a conversation."""
        keys = [key for key in self._keys.get(namespace, ()) if key.conversation == conversation]
        return [self._cards[key] for key in keys]

    def _drop(self, key: CardKey) -> None:
        card = self._cards.pop(key, None)
        if card is None:
            return
        self._bytes -= card.size_bytes
        self._keys[key.namespace].discard(key)
        if not self._keys[key.namespace]:
            del self._keys[key.namespace]

    def _forget_namespace(self, namespace: str) -> None:
        del self._changes[namespace]
        for key in list(self._keys.get(namespace, ())):
            self._drop(key)
