"""Expiry and precondition messages to what commands hold."""

from __future__ import annotations

from memslot.v1 import slot_pb2, slot_service_pb2
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.commands import ExpireAt, Expiry, IfAbsent, IfRevision, Never, Precondition, Ttl
from memslot_sidecar.services.moments import moment_ms, span_ms


def to_expiry(
    message: slot_service_pb2.WriteRequest | slot_service_pb2.UpdateInfoRequest, path: str = ""
) -> Expiry | None:
    """The expiry that a request chooses; None when it says nothing. Raises InvalidField."""
    match message.WhichOneof("expiry"):
        case "ttl":
            return Ttl(span_ms(message.ttl, f"{path}ttl"))
        case "expire_time":
            return ExpireAt(moment_ms(message.expire_time, f"{path}expire_time"))
        case "never":
            if not message.never:
                raise InvalidField(f"{path}never is false: leave it out, or give a ttl", field=f"{path}never")
            return Never()
        case None:
            return None


def to_precondition(message: slot_pb2.Precondition, path: str) -> Precondition:
    """The condition of a precondition that was sent. Raises InvalidField when it says nothing."""
    match message.WhichOneof("condition"):
        case "if_absent":
            if not message.if_absent:
                raise InvalidField(f"{path}.if_absent is false: leave the precondition out", field=f"{path}.if_absent")
            return IfAbsent()
        case "if_revision":
            return IfRevision(message.if_revision)
        case None:
            raise InvalidField(f"{path} has no condition: set one, or leave the precondition out", field=path)


def precondition_of(
    message: slot_service_pb2.WriteRequest | slot_service_pb2.UpdateInfoRequest | slot_service_pb2.ForgetRequest,
    path: str = "",
) -> Precondition | None:
    """The precondition of a request; None when it has none. Raises InvalidField."""
    if not message.HasField("precondition"):
        return None
    return to_precondition(message.precondition, f"{path}precondition")
