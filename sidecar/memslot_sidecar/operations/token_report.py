"""GetTokenReport: what the recorded turns of a namespace cost, and what inlining would have."""

from __future__ import annotations

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.report import Booked, Report, report_of
from memslot_sidecar.edge.notes import AccountNote
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.said import said

TURNS_DEFAULT = 100
TURNS_LIMIT = 1000


async def token_report(ctx: Context, call: Call, namespace: str, conversation: str, limit: int) -> Report:
    """The report on the latest recorded turns, of one conversation or of all. Raises InvalidName, InvalidField."""
    path, _ = about(call, namespace)
    if limit < 0:
        raise InvalidField(f"limit is {limit}: give 1 to {TURNS_LIMIT}, or 0 for {TURNS_DEFAULT}", field="limit")
    keys = ctx.ledger.turns(path, said(conversation) or call.conversation or None)
    booked = [Booked(key, note) for key in keys for note in ctx.ledger.of(key) if isinstance(note, AccountNote)]
    latest = booked[-min(limit or TURNS_DEFAULT, TURNS_LIMIT) :]
    call.count, call.outcome, call.revision = len(latest), "READ", ctx.store.revision
    return report_of(latest)
