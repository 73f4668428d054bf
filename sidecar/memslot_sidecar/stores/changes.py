"""What one mutation changes, as a backend applies it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memslot_sidecar.model import FeedRecord, NamespaceRecord, SlotRecord, StoredAnswer, Supplied, Usage


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """An earlier body that a slot keeps."""

    revision: int
    body_bytes: int


@dataclass(frozen=True, slots=True)
class SlotPut:
    """A slot to create (``previous`` None) or to replace. ``body`` None leaves the body.

    ``supplied`` takes the place of what was sent before; None removes that with the old body, and leaves it where the body stays. The
    record tells the sizes. With ``keep_previous`` the replaced body becomes a version; ``dropped`` are the revisions of versions to remove.
    """

    record: SlotRecord
    previous: SlotRecord | None
    body: bytes | None
    supplied: Supplied | None = None
    keep_previous: bool = False
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotRemoved:
    """A slot to remove with its body and its ``kept`` earlier bodies."""

    record: SlotRecord
    kept: int = 0


@dataclass(slots=True)
class ChangeSet:
    """What one mutation changes. ``slots`` in order; ``namespaces`` and ``usage`` (per root, signed) once each.

    A namespace whose value is None vanishes; ``revision`` is the last one taken.
    """

    revision: int
    slots: list[SlotPut | SlotRemoved] = field(default_factory=list)
    namespaces: dict[str, NamespaceRecord | None] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    answers: list[StoredAnswer] = field(default_factory=list)
    feed: list[FeedRecord] = field(default_factory=list)
    erase: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to make durable."""
        return not (self.slots or self.namespaces or self.answers or self.feed or self.erase)


def usage_after(usage: Usage, deltas: Mapping[str, Usage]) -> Usage:
    """The store's sums after a change set's ``usage``."""
    namespaces, slots, stored_bytes = usage.namespaces, usage.slots, usage.stored_bytes
    for delta in deltas.values():
        namespaces += delta.namespaces
        slots += delta.slots
        stored_bytes += delta.stored_bytes
    return Usage(namespaces, slots, stored_bytes)
