"""AgentService: each RPC parses, calls its operation, and answers."""

from __future__ import annotations

from memslot_sidecar.operations.context import Context


class AgentService:
    """The RPCs of memslot.v1.AgentService. Each raises what its operation raises."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
