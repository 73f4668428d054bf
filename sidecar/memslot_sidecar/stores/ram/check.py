"""Whether what the store in RAM counts is what it holds."""

from __future__ import annotations

from memslot_sidecar.model import VECTOR_ITEM_BYTES, Supplied, Usage
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
            held.record.stored_bytes + sum(version.body_bytes for version, _ in held.kept) for held in slots.values()
        )
        vectors = {held.record.vector_bytes for held in slots.values()} - {0}
        count = sum(held.record.vector_bytes > 0 for held in slots.values())
        said = None if record.vector_dimensions is None else record.vector_dimensions * VECTOR_ITEM_BYTES
        if (record.vector_count, {said} - {None}) != (count, vectors):
            found.append(f"namespace {path} is wrong about its vectors")
        if any(
            _sizes(held.supplied) != (held.record.vector_bytes, held.record.summary_bytes) for held in slots.values()
        ):
            found.append(f"vectors or summaries of namespace {path} have another size than said")
        if (len(slots), stored) != (record.slot_count, record.stored_bytes):
            found.append(f"counters of namespace {path} are wrong")
        total[0] += len(slots)
        total[1] += stored
    counted = sum(record.configured or record.slot_count > 0 for record in tables.namespaces.values())
    if tables.total != Usage(counted, *total):
        found.append("sums over the store are wrong")
    revisions = [record.revision for record in tables.feed]
    if revisions and revisions != list(range(revisions[0], tables.revision + 1)):
        found.append("the change feed has a gap")
    return found


def _sizes(supplied: Supplied | None) -> tuple[int, int]:
    supplied = supplied or Supplied()
    return len(supplied.vector or b""), len((supplied.summary or "").encode())
