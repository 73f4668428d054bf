"""What the change feed tells of some slots, and which names are near to those that are not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memslot_sidecar.edge.acting.nearest import COMPARED, nearest
from memslot_sidecar.edge.diagnosis.evidence import Event, Turn
from memslot_sidecar.operations.context import Context
from memslot_sidecar.stores.base import Query

_PORTION = 1_000
_MOST = 20_000


async def history(
    ctx: Context, path: str, names: Sequence[str], turn: Turn
) -> tuple[Mapping[str, Sequence[Event]], bool]:
    """What happened to slots from the turn on, or lately where it wrote nothing; and whether that is all.

    At most 20,000 revisions are looked through, in portions.
    """
    found: dict[str, list[Event]] = {name: [] for name in names}
    if not names:
        return found, True
    written = [note.revision for note in turn.actions() if note.revision and note.name in found]
    missed = any(note.outcome == "NOT_FOUND" for note in turn.actions())
    latest = ctx.store.revision
    first = min(written) if written and not missed else 0
    after = max(first, latest - _MOST, 0)
    begins = after
    oldest: int | None = None
    while after < latest:
        records = await ctx.store.feed(after, _PORTION)
        if not records:
            break
        oldest = records[0].revision if oldest is None else oldest
        after = records[-1].revision
        for record in records:
            if record.namespace != path:
                continue
            for change in record.changes:
                if change.name in found:
                    found[change.name].append(Event(record.revision, record.time_ms, change.change, record.call))
    whole = begins == first and (oldest is None or oldest <= begins + 1)
    return found, whole or not latest


async def nearest_names(ctx: Context, path: str, missing: Sequence[str]) -> Mapping[str, str]:
    """For each name that is not there the nearest one that is, among the first thousand by rank."""
    if not missing:
        return {}
    page = await ctx.store.lookup(Query(path, limit=COMPARED))
    there = [item.name for item in page.items]
    return {name: found for name in missing if (found := nearest(name, there))}
