"""AgentService: each RPC parses, calls its operation, and answers."""

from __future__ import annotations

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.live_bodies import BodyCounts
from memslot_sidecar.operations import act, scrub, tool_schemas
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.diagnose_turn import diagnose_turn
from memslot_sidecar.operations.inject import inject
from memslot_sidecar.operations.inner import Inner
from memslot_sidecar.operations.inspect_prompt import inspect_prompt
from memslot_sidecar.operations.prompt_card import prompt_card
from memslot_sidecar.operations.record_turn import record_turn
from memslot_sidecar.operations.token_report import token_report
from memslot_sidecar.services import (
    accounting_messages,
    act_messages,
    card_messages,
    diagnosis_messages,
    injection_messages,
    inspection_messages,
)
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.languages import LANGUAGES
from memslot_sidecar.services.slot_messages import Clocked
from memslot_sidecar.services.unknown_fields import refuse_unknown


class AgentService:
    """The RPCs of memslot.v1.AgentService. Each raises what its operation raises."""

    def __init__(self, ctx: Context, inner: Inner) -> None:
        self._ctx = ctx
        self._inner = inner
        self._counts = BodyCounts(ctx.store)

    async def act(self, request: pb.ActRequest, call: Call) -> pb.ActResponse:
        """Executes the memory actions in a model's output."""
        about(call, request.namespace)
        refuse_unknown(request)
        acted = await act.act(self._ctx, call, act_messages.act_command(request), self._inner)
        return act_messages.act_reply(acted, Clocked(self._ctx.decay, self._ctx.store.now_ms()))

    async def get_tool_schemas(self, request: pb.GetToolSchemasRequest, call: Call) -> pb.GetToolSchemasResponse:
        """Tells the actions as tools of a hosted API."""
        form = known(card_messages.FORMS, request.form, "form")
        language = known(LANGUAGES, request.language, "language")
        schemas = tool_schemas.tool_schemas(call, form, language, request.actions)
        return pb.GetToolSchemasResponse(schemas_json=schemas, characters=len(schemas))

    async def get_prompt_card(self, request: pb.GetPromptCardRequest, call: Call) -> pb.GetPromptCardResponse:
        """Tells how to use memory, which slots there are, and what changed since."""
        about(call, request.namespace)
        return card_messages.card_reply(await prompt_card(self._ctx, call, card_messages.card_command(request)))

    async def inject(self, request: pb.InjectRequest, call: Call) -> pb.InjectResponse:
        """Shows slots as delimited text for one prompt."""
        about(call, request.namespace)
        injection, counter = await inject(self._ctx, call, injection_messages.inject_command(request))
        return injection_messages.inject_reply(injection, counter, call.revision)

    async def scrub(self, request: pb.ScrubRequest, call: Call) -> pb.ScrubResponse:
        """Takes injections out of a text or a message history."""
        done = await scrub.scrub(call, request.text or None, request.messages_json or None, request.keep)
        return injection_messages.scrub_reply(request, done)

    async def inspect_prompt(self, request: pb.InspectPromptRequest, call: Call) -> pb.InspectPromptResponse:
        """Finds stored bodies in a prompt."""
        found = await inspect_prompt(self._ctx, call, inspection_messages.inspect_command(request))
        return inspection_messages.inspection_reply(found)

    async def record_turn(self, request: pb.RecordTurnRequest, call: Call) -> pb.RecordTurnResponse:
        """Books the sizes of one call of the model."""
        about(call, request.namespace)
        command = accounting_messages.record_command(request)
        return accounting_messages.recorded_reply(await record_turn(self._ctx, call, command, self._counts))

    async def get_token_report(self, request: pb.GetTokenReportRequest, call: Call) -> pb.GetTokenReportResponse:
        """Adds up recorded turns."""
        about(call, request.namespace)
        language = known(LANGUAGES, request.language, "language")
        report = await token_report(self._ctx, call, request.namespace, request.conversation, request.limit)
        return accounting_messages.report_reply(report, language, call.revision)

    async def diagnose_turn(self, request: pb.DiagnoseTurnRequest, call: Call) -> pb.DiagnoseTurnResponse:
        """Says which step of a turn went wrong."""
        about(call, request.namespace)
        language = known(LANGUAGES, request.language, "language")
        found = await diagnose_turn(self._ctx, call, diagnosis_messages.diagnose_command(request))
        return diagnosis_messages.diagnosis_reply(found, language)
