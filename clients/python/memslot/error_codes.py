"""The base of what the client raises, and one class for each gRPC code. :mod:`memslot.errors` has them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any

    from memslot._core.pending import Pending


class MemslotError(Exception):
    """Base of everything that the client raises about a call.

    ``reason`` is in UPPER_SNAKE_CASE as in the contract, ``code`` is the name of the gRPC code, ``field`` the request field to blame
    (or empty), ``metadata`` the values that belong to the reason, ``retry_after_s`` the server's wish if it had one, ``details`` all that
    the status brought, as ``google.protobuf.Any``. ``request_id`` is set when the call was a mutation: ``memory.retry(error)`` repeats exactly that one.
    """

    code: str = "UNKNOWN"
    reason: str = ""

    def __init__(
        self,
        message: str = "",
        *,
        reason: str | None = None,
        code: str | None = None,
        metadata: Mapping[str, str] | None = None,
        field: str = "",
        retry_after_s: float | None = None,
        details: Iterable[Any] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = type(self).code if code is None else code
        self.reason = type(self).reason if reason is None else reason
        self.metadata = dict(metadata or {})
        self.field = field
        self.retry_after_s = retry_after_s
        self.details = tuple(details)
        self.pending: Pending | None = None

    @property
    def request_id(self) -> str:
        """The request id of the mutation that failed; empty for other calls."""
        return "" if self.pending is None else self.pending.request_id

    def __str__(self) -> str:
        label = self.reason or self.code
        return f"{label}: {self.message}" if self.message else label

    def _number(self, key: str) -> int:
        text = self.metadata.get(key, "")
        return int(text) if text.isdecimal() else 0


class InvalidRequest(MemslotError):
    """INVALID_ARGUMENT: the request can never work; ``field`` names what to change."""

    code = "INVALID_ARGUMENT"


class NotFound(MemslotError):
    """NOT_FOUND: what was asked for is not there."""

    code = "NOT_FOUND"


class AlreadyExists(MemslotError):
    """ALREADY_EXISTS: what was to be created is there."""

    code = "ALREADY_EXISTS"


class Aborted(MemslotError):
    """ABORTED: another change came first; read again and decide anew."""

    code = "ABORTED"


class FailedPrecondition(MemslotError):
    """FAILED_PRECONDITION: it cannot work in the present state."""

    code = "FAILED_PRECONDITION"


class ResourceExhausted(MemslotError):
    """RESOURCE_EXHAUSTED: a limit was reached."""

    code = "RESOURCE_EXHAUSTED"


class Unavailable(MemslotError):
    """UNAVAILABLE: the sidecar could not answer, also after retries."""

    code = "UNAVAILABLE"


class DeadlineExceeded(MemslotError):
    """DEADLINE_EXCEEDED: no answer came within the call's timeout."""

    code = "DEADLINE_EXCEEDED"


class PermissionDenied(MemslotError):
    """PERMISSION_DENIED: the caller may not do this."""

    code = "PERMISSION_DENIED"


class Unauthenticated(MemslotError):
    """UNAUTHENTICATED: the caller showed no valid credentials."""

    code = "UNAUTHENTICATED"


class Unimplemented(MemslotError):
    """UNIMPLEMENTED: the server is older than the client, or is no memslot sidecar."""

    code = "UNIMPLEMENTED"


class InternalError(MemslotError):
    """INTERNAL: the server failed in a way that it did not foresee; its log tells more under :attr:`error_id`."""

    code = "INTERNAL"
    reason = "INTERNAL"

    @property
    def error_id(self) -> str:
        """The id under which the server logged the failure, or empty."""
        return self.metadata.get("error_id", "")


class StoreCorrupt(MemslotError):
    """DATA_LOSS: the store's files are damaged."""

    code = "DATA_LOSS"
    reason = "STORE_CORRUPT"
