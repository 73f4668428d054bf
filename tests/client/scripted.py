"""A client over a scripted transport."""

from __future__ import annotations

from google.rpc import error_details_pb2, status_pb2
from tests.client.fake_transport import Answer, FakeTransport

from memslot._core.binding import Binding, Said, Session
from memslot.client import Memory
from memslot.v1.slot_pb2 import Receipt, Slot, SlotInfo
from memslot.v1.slot_service_pb2 import ReadResponse, WriteResponse


def scripted(*answers: Answer, said: Said | None = None) -> tuple[Memory, FakeTransport]:
    """A client of `acme` whose calls get these answers, and its transport."""
    transport = FakeTransport(answers)
    return Memory(Binding(Session(said or Said()), "acme"), transport), transport


def written(**fields: object) -> WriteResponse:
    """The answer to a write."""
    return WriteResponse(receipt=Receipt(name="a", **fields))  # type: ignore[arg-type]


def slot(body: bytes, content_type: str = "text/plain", revision: int = 1) -> ReadResponse:
    """The answer to a read."""
    info = SlotInfo(name="a", namespace="acme", revision=revision, content_type=content_type, body_bytes=len(body))
    return ReadResponse(slot=Slot(info=info, body=body))


def status(code: int, reason: str, message: str = "", **metadata: str) -> status_pb2.Status:
    """A status as the server makes it."""
    made = status_pb2.Status(code=code, message=message)
    made.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason, domain="memslot", metadata=metadata))
    return made
