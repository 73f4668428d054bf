"""A namespace and a slot as one mutation has changed them so far."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.model import VECTOR_ITEM_BYTES, NamespaceRecord, NamespaceSettings, SlotRecord, Supplied
from memslot_sidecar.stores.changes import KeptVersion, SlotPut


class Space:
    """A namespace under change."""

    __slots__ = (
        "changed", "configured", "counted", "created_ms", "existed", "path", "settings", "slot_count", "stored_bytes", "task", "vector_count",
        "vector_dimensions",
    )  # fmt: skip

    def __init__(self, path: str, record: NamespaceRecord | None, now_ms: int) -> None:
        self.path = path
        self.changed = False
        self.existed = record is not None
        self.settings = record.settings if record else NamespaceSettings()
        self.configured = record.configured if record else False
        self.slot_count = record.slot_count if record else 0
        self.stored_bytes = record.stored_bytes if record else 0
        self.created_ms = record.created_ms if record else now_ms
        self.vector_count = record.vector_count if record else 0
        self.vector_dimensions = record.vector_dimensions if record else None
        self.task = record.task if record else None
        self.counted = self.counts

    @property
    def root(self) -> str:
        """The first segment of its path."""
        return self.path.partition("/")[0]

    @property
    def counts(self) -> bool:
        """Whether it is one of the namespaces that are counted: a task alone is none."""
        return self.configured or self.slot_count > 0

    @property
    def vanishes(self) -> bool:
        """Whether the commit would leave nothing of it."""
        return self.changed and not (self.configured or self.slot_count or self.task)

    def vector(self, before: int, after: int) -> None:
        """Counts that a slot's vector has another size in bytes; 0 is none. All have one size when the mutation ends."""
        if before == after:
            return
        self.vector_count += (after > 0) - (before > 0)
        if not self.vector_count:
            self.vector_dimensions = None
        elif after:
            self.vector_dimensions = after // VECTOR_ITEM_BYTES
        self.changed = True

    def record(self) -> NamespaceRecord:
        """The namespace as of the changes so far."""
        return NamespaceRecord(
            self.path,
            self.settings,
            self.configured,
            self.slot_count,
            self.stored_bytes,
            self.created_ms,
            self.vector_count,
            self.vector_dimensions,
            self.task,
        )


class Held:
    """A slot under change; ``body`` and ``supplied`` are known once they were written here."""

    __slots__ = ("body", "kept", "record", "supplied")

    def __init__(self, record: SlotRecord | None) -> None:
        self.record = record
        self.body: bytes | None = None
        self.supplied: Supplied | None = None
        self.kept: Sequence[KeptVersion] | None = None

    def written(self, put: SlotPut) -> None:
        """Takes over what was put."""
        self.record = put.record
        if put.body is not None:
            self.body = put.body
        if put.body is not None or put.supplied is not None:
            self.supplied = put.supplied

    def removed(self) -> None:
        """Forgets all of it."""
        self.record, self.body, self.supplied, self.kept = None, None, None, None
