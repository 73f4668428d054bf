"""Whether what the store in RAM counts is what it holds."""

from __future__ import annotations

from memslot_sidecar.model import Usage
from memslot_sidecar.stores.ram.tables import Tables


def problems(tables: Tables) -> list[str]:
    """A line a problem."""
    found = []
    total = [0, 0]
    for path, slots in tables.slots.items():
        record = tables.namespaces.get(path)
        if record is None:
            found.append(f"slots in the unknown namespace {path}")
            continue
        stored = sum(
            held.record.body_bytes + sum(version.body_bytes for version, _ in held.kept) for held in slots.values()
        )
        if (len(slots), stored) != (record.slot_count, record.stored_bytes):
            found.append(f"counters of namespace {path} are wrong")
        total[0] += len(slots)
        total[1] += stored
    if tables.total != Usage(len(tables.namespaces), *total):
        found.append("sums over the store are wrong")
    revisions = [record.revision for record in tables.feed]
    if revisions and revisions != list(range(revisions[0], tables.revision + 1)):
        found.append("the change feed has a gap")
    return found
