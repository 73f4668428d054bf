"""What changed in namespaces whose cards are kept, as far as memory allows: by name, the latest change last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from memslot_sidecar.model import Change, FeedRecord

NAMES_KEPT = 256


class Latest:
    """The names that something happened to, with the revisions at which it last did: of those after ``complete_after`` all."""

    def __init__(self, revision: int) -> None:
        self.complete_after = revision
        self._names: OrderedDict[str, int] = OrderedDict()

    def note(self, name: str, revision: int) -> None:
        """Notes that it happened."""
        self._names[name] = revision
        self._names.move_to_end(name)
        if len(self._names) > NAMES_KEPT:
            self.complete_after = self._names.popitem(last=False)[1]

    def since(self, revision: int) -> Mapping[str, int]:
        """Those after ``revision``, the latest first."""
        found = {}
        for name in reversed(self._names):
            if self._names[name] <= revision:
                break
            found[name] = self._names[name]
        return found


class Changes:
    """The latest changes in one namespace. Expiries that were set anew are apart: they may be many, and are no change to a model."""

    def __init__(self, revision: int) -> None:
        self.made = Latest(revision)
        self.renewed = Latest(revision)

    def note(self, record: FeedRecord) -> None:
        """Notes what a revision changed."""
        for change in record.changes:
            if change.name:
                kind = self.renewed if change.change is Change.RENEWED else self.made
                kind.note(change.name, record.revision)
