"""What every operation works with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memslot_index.ranking import Decay
from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.edge.card.keeping import Cards
from memslot_sidecar.edge.inspection.inspector import Inspector
from memslot_sidecar.edge.ledger import Ledger
from memslot_sidecar.model import Change, EffectiveSettings, FeedRecord, SlotRecord, VersionRecord
from memslot_sidecar.operations.once import InFlight
from memslot_sidecar.rules import Limits, Rules
from memslot_sidecar.stores.base import Store, Transaction

if TYPE_CHECKING:
    from memslot_sidecar.finding.finder import Finder

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Context:
    """The store, what finds in it, and the server's policies. One a process; ``settings`` is only for the loop's thread.

    ``rank_weight`` is the share of the importance rank in the order of what is found. ``ledger``
    holds what is noted of the latest turns. ``inspector`` has the fingerprints of bodies. ``token_counter`` counts tokens
    where a request does not say what does.
    """

    store: Store
    rules: Rules
    decay: Decay = Decay()
    limits: Limits = Limits()
    finder: Finder | None = None
    rank_weight: float = 0.0
    ledger: Ledger = field(default_factory=Ledger)
    cards: Cards = field(default_factory=Cards)
    inspector: Inspector = field(default_factory=Inspector)
    token_counter: str = "estimate"  # noqa: S105 - no secret
    in_flight: InFlight = field(default_factory=InFlight)
    _settings: dict[str, EffectiveSettings] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store.subscribe(self._forget_settings)
        self.store.subscribe(self.cards.changed)
        self.store.subscribe(self._forget_turns)
        self.store.subscribe(self.inspector.told)
        if self.finder is not None:
            self.finder.attach(self.settings)

    def settings(self, path: str) -> EffectiveSettings:
        """What holds for a namespace now, remembered until any namespace is configured."""
        found = self._settings.get(path)
        if found is None:
            if len(self._settings) >= _REMEMBERED:
                self._settings.clear()
            found = self.rules.effective(path, self.store.configured(names.ancestors(path)))
            self._settings[path] = found
        return found

    def settings_in(self, tx: Transaction, path: str) -> EffectiveSettings:
        """What holds for a namespace inside a transaction, its own changes included."""
        return self.rules.effective(path, tx.configured(names.ancestors(path)))

    def _forget_turns(self, records: Sequence[FeedRecord]) -> None:
        """The turns of a namespace go when it is deleted."""
        for record in records:
            if any(change.change is Change.DELETED for change in record.changes):
                self.ledger.drop(record.namespace)

    def _forget_settings(self, records: Sequence[FeedRecord]) -> None:
        for record in records:
            if any(change.change in (Change.CONFIGURED, Change.DELETED) for change in record.changes):
                self._settings.clear()
                return


def seen(revision: int, found: Iterable[SlotRecord | VersionRecord | None]) -> int:
    """The revision of a reply that shows ``found``: a commit can be read a moment before the store counts it as its last."""
    return max([revision, *(record.revision for record in found if record is not None)])


def about(call: Call, namespace: str, name: str | None = None) -> tuple[str, str]:
    """Checks the namespace and name of a call and notes them for its audit event, as far as they can be told."""
    call.namespace = names.namespace_path(namespace)
    if name is None:
        return call.namespace, ""
    name = names.slot_name(name)
    call.names = (name,)
    return call.namespace, name
