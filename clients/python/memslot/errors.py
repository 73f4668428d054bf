"""What can go wrong, one class a reason, so that a caller can catch what it can mend.

The classes of a gRPC code stand above those of its reasons: a reason that a newer server says is raised as its code's class.
No message holds a body.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memslot._core.pending import Pending


class MemslotError(Exception):
    """Base of everything that the client raises about a call.

    ``reason`` is in UPPER_SNAKE_CASE as in the contract, ``code`` is the name of the gRPC code, ``field`` the request field to blame
    (or empty), ``metadata`` the values that belong to the reason, ``retry_after_s`` the server's wish if it had one. ``request_id`` is
    set when the call was a mutation: ``memory.retry(error)`` repeats exactly that one.
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
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = type(self).code if code is None else code
        self.reason = type(self).reason if reason is None else reason
        self.metadata = dict(metadata or {})
        self.field = field
        self.retry_after_s = retry_after_s
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


class OutcomeUnknown(MemslotError):
    """A mutation was sent and no answer came, also after retries: it may have happened or not.

    ``memory.retry(error)`` repeats it under the same request id: if it had happened it returns the first answer and changes nothing.
    That works for ten minutes. ``__cause__`` is the failure of the last attempt, ``code`` its code.
    """

    reason = "OUTCOME_UNKNOWN"


class Unreachable(Unavailable):
    """No connection to the sidecar could be made: nothing was sent, so nothing happened."""

    reason = "UNREACHABLE"


class InvalidField(InvalidRequest):
    """A request field has a value that can never work."""

    reason = "INVALID_FIELD"


class InvalidName(InvalidRequest):
    """A slot or namespace name breaks the naming rules."""

    reason = "INVALID_NAME"

    @property
    def position(self) -> int | None:
        """Index of the character to blame, where one is."""
        return self._number("position") if "position" in self.metadata else None


class InvalidFilter(InvalidRequest):
    """A filter is empty, too deep, or compares with NaN."""

    reason = "INVALID_FILTER"


class InvalidBody(InvalidRequest):
    """A body is not what its content type says."""

    reason = "INVALID_BODY"


class InvalidPageToken(InvalidRequest):
    """A page token does not belong to this query."""

    reason = "INVALID_PAGE_TOKEN"


class UnknownField(InvalidRequest):
    """The server is older than the client and does not know a field of the request."""

    reason = "UNKNOWN_FIELD"


class RequestIdReused(InvalidRequest):
    """The request id was used for other content."""

    reason = "REQUEST_ID_REUSED"


class BodyTooLarge(InvalidRequest):
    """The body is larger than the namespace allows: split it or raise body_limit_bytes."""

    reason = "BODY_TOO_LARGE"

    @property
    def size(self) -> int:
        """Size of the body in bytes."""
        return self._number("size")

    @property
    def limit(self) -> int:
        """What the namespace allows, in bytes."""
        return self._number("limit")


class SettingAboveCap(InvalidRequest):
    """The server's rules do not allow a setting that high."""

    reason = "SETTING_ABOVE_CAP"


class SlotNotFound(NotFound):
    """No live slot has this name."""

    reason = "SLOT_NOT_FOUND"


class VersionNotFound(NotFound):
    """The slot does not keep this version (any more)."""

    reason = "VERSION_NOT_FOUND"


class NamespaceNotFound(NotFound):
    """The namespace holds nothing and is not configured."""

    reason = "NAMESPACE_NOT_FOUND"


class SlotExists(AlreadyExists):
    """The slot exists though a new one was asked for."""

    reason = "SLOT_EXISTS"

    @property
    def current_revision(self) -> int:
        """The revision that the slot is at."""
        return self._number("current_revision")


class RevisionMismatch(Aborted):
    """The slot is not at the expected revision."""

    reason = "REVISION_MISMATCH"

    @property
    def current_revision(self) -> int:
        """The revision that the slot is at; 0 when there is no slot."""
        return self._number("current_revision")


class SlotLimitReached(ResourceExhausted):
    """The namespace is full: forget a slot, raise slot_limit, or let it evict."""

    reason = "SLOT_LIMIT_REACHED"

    @property
    def limit(self) -> int:
        """How many slots the namespace may hold."""
        return self._number("limit")

    @property
    def used(self) -> int:
        """How many slots it holds."""
        return self._number("used")

    @property
    def lowest_ranked(self) -> tuple[str, ...]:
        """Names of up to three slots of the lowest rank."""
        return tuple(json.loads(self.metadata.get("lowest_ranked", "[]")))


class StoreFull(ResourceExhausted):
    """The store, a root of it, or the disk is full."""

    reason = "STORE_FULL"


class ReplyBudget(ResourceExhausted):
    """The item alone does not fit into a reply."""

    reason = "REPLY_BUDGET"


class ContentTypeMismatch(FailedPrecondition):
    """Appending or patching does not fit the slot's content type."""

    reason = "CONTENT_TYPE_MISMATCH"


class TooManyMatches(FailedPrecondition):
    """More slots match than the caller allows; nothing was forgotten."""

    reason = "TOO_MANY_MATCHES"

    @property
    def matches(self) -> int:
        """How many slots match."""
        return self._number("matches")


class NamespaceNotEmpty(FailedPrecondition):
    """The namespace holds slots: delete it with ``force=True``."""

    reason = "NAMESPACE_NOT_EMPTY"


class StoreReplaced(FailedPrecondition):
    """A page token belongs to another store, or to the store before a restore: begin again."""

    reason = "STORE_REPLACED"


class BackupUnsupported(FailedPrecondition):
    """The store lives in RAM and has no file to copy."""

    reason = "BACKUP_UNSUPPORTED"


class StaleAttempt(FailedPrecondition):
    """A newer attempt of the task has begun."""

    reason = "STALE_ATTEMPT"


class StoreUnavailable(Unavailable):
    """The store cannot answer now. The server changed nothing; a lost attempt before may have, which ``memory.retry(error)`` settles."""

    reason = "STORE_UNAVAILABLE"


class Overloaded(Unavailable):
    """The server refused the call because it has too much to do; it was not begun."""

    reason = "OVERLOADED"


class ErasePending(Unavailable):
    """The slots are forgotten; wiping their bytes waits and resumes by itself. Nothing has to be repeated."""

    reason = "ERASE_PENDING"
