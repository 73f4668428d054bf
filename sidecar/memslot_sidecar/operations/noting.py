"""What a mutation tells its call, for the audit event."""

from __future__ import annotations

from memslot_sidecar.call import Call
from memslot_sidecar.model import Outcome
from memslot_sidecar.operations.commands import Mutated


def note_mutation(call: Call, result: Mutated) -> None:
    """Notes outcome, revision and what was overwritten. Without a change of its own a mutation has no row in the feed."""
    call.recorded = result.changed
    call.revision = result.revision
    if len(result.receipts) == 1:
        (receipt,) = result.receipts
        call.outcome = receipt.outcome.name
        if receipt.outcome in (Outcome.OVERWRITTEN, Outcome.APPENDED, Outcome.PATCHED):
            call.overwritten_revision = receipt.previous_revision
    else:
        call.outcome = "COMMITTED"
