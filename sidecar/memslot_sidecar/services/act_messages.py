"""Act: request to command, and what was done to a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.acting.answering import Answer
from memslot_sidecar.edge.acting.found import FoundNames
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import Receipt, StoredSlot
from memslot_sidecar.operations.act import ActCommand, Acted
from memslot_sidecar.operations.acting import Done
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.injection_messages import fill_injected
from memslot_sidecar.services.languages import LANGUAGES
from memslot_sidecar.services.slot_messages import Clocked, fill_receipt
from memslot_sidecar.status import to_status

LENIENT: Mapping[int, bool] = {0: False, 1: False, 2: True}
"""By number of ActMode."""
SHOWN_ONCE: Mapping[int, bool] = {0: False, 1: False, 2: True}
"""By number of OnRead."""
_FORMS = {"openai": pb.TOOL_FORM_OPENAI, "anthropic": pb.TOOL_FORM_ANTHROPIC}
_SURROGATE = re.compile("[\ud800-\udfff]")


def act_command(request: pb.ActRequest) -> ActCommand:
    """The command of an Act. Raises InvalidField."""
    content = pb.ActRequest()
    if request.request_id:
        content.CopyFrom(request)
        content.ClearField("request_id")
    return ActCommand(
        namespace=request.namespace,
        output=_output(request),
        lenient=known(LENIENT, request.mode, "mode"),
        validate_only=request.validate_only,
        turn=request.turn,
        show_once=known(SHOWN_ONCE, request.on_read, "on_read"),
        request_id=request.request_id,
        content=content.SerializeToString(deterministic=True),
        language=known(LANGUAGES, request.language, "language"),
        own_prefixes=tuple(request.own_prefixes),
        max_injected_chars=request.max_injected_chars,
    )


def act_reply(acted: Acted, clocked: Clocked) -> pb.ActResponse:
    """Reply of Act."""
    reply = pb.ActResponse(model_text=acted.model_text, user_text=_sendable(acted.user_text), revision=acted.revision)
    reply.injection = acted.injection.text
    fill_injected(reply.injected, acted.injection.injected)
    for done in acted.actions:
        _fill_action(reply.actions.add(), done, clocked)
    for reject in acted.rejects:
        message = reply.rejects.add(reason=reject.reason, hint=reject.hint, call_id=_sendable(reject.call_id))
        message.span.start, message.span.end = reject.start, reject.end
    for answer in acted.answers:
        _fill_answer(reply.tool_messages.add(), answer)
    return reply


def _fill_action(message: pb.ActionResult, done: Done, clocked: Clocked) -> None:
    action = done.action
    message.action = action.name
    message.arguments_json = action.arguments_json
    message.span.start, message.span.end = action.start, action.end
    message.repaired.extend(action.repaired)
    message.call_id = _sendable(action.call_id)
    message.shape = action.shape
    message.outcome = cast(Any, done.outcome)
    message.line = done.line
    match done.result:
        case Receipt():
            fill_receipt(message.receipt, done.result)
        case StoredSlot():
            clocked.fill_slot(message.slot, done.result)
        case FoundNames(names=names, more=more):
            message.found.names.extend(names)
            message.found.more = more
    if done.error is not None:
        message.error.CopyFrom(to_status(done.error))


def _fill_answer(message: pb.ToolMessage, answer: Answer) -> None:
    message.call_id = _sendable(answer.call_id)
    message.form = _FORMS.get(answer.form, pb.TOOL_FORM_UNSPECIFIED)
    message.message_json = (
        json.dumps(json.loads(answer.message_json)) if _SURROGATE.search(answer.message_json) else answer.message_json
    )


def _output(request: pb.ActRequest) -> str:
    if request.output and request.raw_output:
        raise InvalidField("output and raw_output are both set: choose one", field="raw_output")
    if not request.raw_output:
        return request.output
    try:
        return request.raw_output.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise InvalidField(
            f"raw_output is not UTF-8 at byte {error.start}: send text, halves of surrogate pairs included",
            field="raw_output",
        ) from None


def _sendable(text: str) -> str:
    """The text with U+FFFD in place of halves of surrogate pairs, which a message cannot hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
