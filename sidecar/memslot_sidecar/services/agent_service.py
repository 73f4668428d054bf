"""AgentService: each RPC parses, calls its operation, and answers."""

from __future__ import annotations

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.call import Call
from memslot_sidecar.operations import act
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.inner import Inner
from memslot_sidecar.services import act_messages
from memslot_sidecar.services.slot_messages import Clocked
from memslot_sidecar.services.unknown_fields import refuse_unknown


class AgentService:
    """The RPCs of memslot.v1.AgentService. Each raises what its operation raises."""

    def __init__(self, ctx: Context, inner: Inner) -> None:
        self._ctx = ctx
        self._inner = inner

    async def act(self, request: pb.ActRequest, call: Call) -> pb.ActResponse:
        """Executes the memory actions in a model's output."""
        about(call, request.namespace)
        refuse_unknown(request)
        acted = await act.act(self._ctx, call, act_messages.act_command(request), self._inner)
        return act_messages.act_reply(acted, Clocked(self._ctx.decay, self._ctx.store.now_ms()))
