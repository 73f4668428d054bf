"""Summaries: in place of a body that was asked for by name, and beside the information of slots where they are at hand.

A summary is shown only with the very revision that it belongs to, which the store confirms after everything else: never one of a body that is
no longer there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memslot_index.database.summaries import Kept
from memslot_sidecar.call import Call
from memslot_sidecar.finding.summary import Summary, SummarySource, kept_summary, summary_of
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.read import not_found

_TRIES = 5
_FIXED_BYTES = 40


@dataclass(frozen=True, slots=True)
class Summarised:
    """A slot without its body; ``summary`` is None where the body is no text, or none can be made of it."""

    record: SlotRecord
    summary: Summary | None


async def read_summary(
    ctx: Context, call: Call, namespace: str, name: str, if_revision_not: int = 0
) -> Summarised | None:
    """The slot with a summary in place of its body, or None when it is still at ``if_revision_not``. Counts as no access.

    Raises InvalidName, SlotNotFound, IndexNotEnabled where what makes summaries is not installed.
    """
    path, name = about(call, namespace, name)
    record, summary = None, None
    for _ in range(_TRIES):
        found = ctx.store.describe(path, name)
        if found is None:
            raise not_found(path, name)
        call.revision = found.revision
        if if_revision_not and found.revision == if_revision_not:
            call.outcome = "NOT_MODIFIED"
            return None
        summary = _sent(ctx, found) or await _made(ctx, found)
        record = ctx.store.describe(path, name)
        if record is not None and record.revision == found.revision:
            break
        summary = None
    if record is None:
        raise not_found(path, name)
    call.revision, call.outcome = record.revision, "READ"
    return Summarised(record, summary)


class AtHand:
    """What was kept of some slots of a namespace before they were described; to be asked without awaiting anything in between."""

    def __init__(self, ctx: Context, kept: Mapping[str, Kept]) -> None:
        self._ctx = ctx
        self._kept = kept

    def of(self, record: SlotRecord) -> Summary | None:
        """The summary of a slot as it is now, which counts as asked for."""
        sent = _sent(self._ctx, record)
        if sent is not None:
            return sent
        if self._ctx.finder is not None:
            self._ctx.finder.summaries.asked(record)
        return kept_summary(record, self._kept.get(record.name))


async def at_hand(ctx: Context, namespace: str, names: Sequence[str]) -> AtHand:
    """Looks up what is kept of slots; makes none."""
    kept = await ctx.finder.summaries.kept(namespace, names) if ctx.finder is not None else {}
    return AtHand(ctx, kept)


async def of_records(ctx: Context, records: Sequence[SlotRecord]) -> dict[str, Summary]:
    """The summaries at hand of slots of one namespace, by name, as far as the store still has the slots so."""
    if not records:
        return {}
    path = records[0].namespace
    found = await at_hand(ctx, path, [record.name for record in records])
    summaries = {}
    for record in records:
        now = ctx.store.describe(path, record.name)
        summary = found.of(record) if now is not None and now.revision == record.revision else None
        if summary is not None:
            summaries[record.name] = summary
    return summaries


def summary_bytes(summary: Summary | None) -> int:
    """Upper bound of a serialised summary in bytes."""
    return 0 if summary is None else _FIXED_BYTES + len(summary.text.encode())


def _sent(ctx: Context, record: SlotRecord) -> Summary | None:
    """The summary that the writer sent with a slot's present body."""
    if not record.summary_bytes:
        return None
    supplied = ctx.store.supplied(record.namespace, record.name, record.revision)
    if supplied is None or supplied.summary is None:
        return None
    return summary_of(record, supplied.summary, SummarySource.WRITER)


async def _made(ctx: Context, record: SlotRecord) -> Summary | None:
    return await ctx.finder.summaries.of(record) if ctx.finder is not None else None
