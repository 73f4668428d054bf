"""What a mutation tells its call, for the audit event."""

from __future__ import annotations

from memslot_sidecar.call import Call
from memslot_sidecar.operations.commands import Mutated


def note_mutation(call: Call, result: Mutated) -> None:
    """Notes outcome and revision. Without a change of its own a mutation has no row in the feed."""
    call.recorded = result.changed
    call.revision = result.revision
    if len(result.receipts) == 1:
        call.outcome = result.receipts[0].outcome.name
    else:
        call.outcome = "COMMITTED"
