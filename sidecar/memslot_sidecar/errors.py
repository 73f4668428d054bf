"""The error tree, and the one table from domain errors to gRPC codes.

A message is written for the person who has to act on it: it names the field, the limit and the remedy, and never holds
a body, a path, a stack trace or a connection string.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class MemslotError(Exception):
    """Base of everything that a caller may be told.

    ``field`` is the proto path of the request field to blame, such as ``operations[3].write.name``. ``metadata`` values are short strings that a program can act on. ``retry_after_ms`` says that a retry helps, and when.
    """

    reason: ClassVar[str] = "INTERNAL"

    def __init__(
        self,
        message: str,
        *,
        field: str = "",
        metadata: Mapping[str, str] | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.metadata = dict(metadata or {})
        self.retry_after_ms = retry_after_ms


class InvalidField(MemslotError):
    """A request field has a value that can never work; ``field`` names it."""

    reason = "INVALID_FIELD"


class InvalidName(InvalidField):
    """A slot or namespace name breaks the naming rules; metadata has ``position`` where one character is to blame."""

    reason = "INVALID_NAME"


class InvalidFilter(InvalidField):
    """A filter node is unset, empty, too deep, or holds NaN."""

    reason = "INVALID_FILTER"


class InvalidBody(InvalidField):
    """A body is not what its content type says."""

    reason = "INVALID_BODY"


class InvalidPageToken(InvalidField):
    """A page token was not made by this server for this query."""

    reason = "INVALID_PAGE_TOKEN"


class UnknownField(InvalidField):
    """A mutation or filter holds a field that this server does not know."""

    reason = "UNKNOWN_FIELD"


class RequestIdReused(InvalidField):
    """The request id was used for other content."""

    reason = "REQUEST_ID_REUSED"


class BodyTooLarge(InvalidField):
    """The body is larger than the namespace allows; metadata has ``size`` and ``limit``."""

    reason = "BODY_TOO_LARGE"


class DimensionMismatch(InvalidField):
    """A vector has another dimension than the namespace's other ones; metadata has ``expected`` and ``given``."""

    reason = "DIMENSION_MISMATCH"


class SettingAboveCap(InvalidField):
    """The server's rules do not allow a setting that high; metadata has ``cap``."""

    reason = "SETTING_ABOVE_CAP"


class SlotNotFound(MemslotError):
    """No live slot has this name."""

    reason = "SLOT_NOT_FOUND"


class VersionNotFound(MemslotError):
    """The slot does not keep this version (any more)."""

    reason = "VERSION_NOT_FOUND"


class TurnNotFound(MemslotError):
    """Nothing is known of the turn; metadata has ``turn``."""

    reason = "TURN_NOT_FOUND"


class NamespaceNotFound(MemslotError):
    """The namespace holds nothing and is not configured."""

    reason = "NAMESPACE_NOT_FOUND"


class RevisionMismatch(MemslotError):
    """The slot is not at the expected revision; metadata has ``current_revision``."""

    reason = "REVISION_MISMATCH"


class SlotExists(MemslotError):
    """The slot exists though the caller asked for a new one; metadata has ``current_revision``."""

    reason = "SLOT_EXISTS"


class SlotLimitReached(MemslotError):
    """The namespace is full; metadata has ``limit``, ``used`` and ``lowest_ranked`` (three names as a JSON array)."""

    reason = "SLOT_LIMIT_REACHED"


class StoreFull(MemslotError):
    """The store or a root is at its bound; metadata has ``limit``, ``used``, and ``bound``, the setting's name."""

    reason = "STORE_FULL"


class FailedPrecondition(MemslotError):
    """The call cannot work in the present state."""

    reason = "FAILED_PRECONDITION"


class ContentTypeMismatch(FailedPrecondition):
    """Appending or patching does not fit the slot's content type."""

    reason = "CONTENT_TYPE_MISMATCH"


class NotText(FailedPrecondition):
    """A body is no text, and cannot be shown to a model."""

    reason = "NOT_TEXT"


class TooManyMatches(FailedPrecondition):
    """More slots match than the caller allows; metadata has ``max`` and ``matches``, counted to 10,001 at least."""

    reason = "TOO_MANY_MATCHES"


class NamespaceNotEmpty(FailedPrecondition):
    """The namespace holds slots."""

    reason = "NAMESPACE_NOT_EMPTY"


class StaleAttempt(FailedPrecondition):
    """An attempt of a task that is over, or has not begun; metadata has ``task``, ``attempt`` and ``current_attempt``."""

    reason = "STALE_ATTEMPT"


class StoreReplaced(FailedPrecondition):
    """A page token belongs to another store, or to the store before a restore."""

    reason = "STORE_REPLACED"


class BackupUnsupported(FailedPrecondition):
    """This kind of store has no file to copy."""

    reason = "BACKUP_UNSUPPORTED"


class IndexNotEnabled(FailedPrecondition):
    """The namespace keeps no index of the kind that the call needs; the message tells how to enable it."""

    reason = "INDEX_NOT_ENABLED"


class IndexOutdated(FailedPrecondition):
    """The namespace's vectors were made by another model than the server has now; metadata has ``made_by`` and ``configured``."""

    reason = "INDEX_OUTDATED"


class IndexUnavailable(MemslotError):
    """The index cannot answer now; a retry may help."""

    reason = "INDEX_UNAVAILABLE"


class EmbedderUnavailable(IndexUnavailable):
    """What makes vectors cannot be reached."""

    reason = "EMBEDDER_UNAVAILABLE"


class IndexBehind(MemslotError):
    """The index did not reach ``min_revision`` before the call's deadline; metadata has ``indexed_revision``."""

    reason = "INDEX_BEHIND"


class ReplyBudget(MemslotError):
    """The reply's byte budget is used up; ask again for this item."""

    reason = "REPLY_BUDGET"


class InjectionBudget(MemslotError):
    """A slot does not fit into an injection, and no summary of it does."""

    reason = "INJECTION_BUDGET"


class UntrustedOrigin(MemslotError):
    """A body was not written by a user or the operator, and the caller wants no other."""

    reason = "UNTRUSTED_ORIGIN"


class StoreUnavailable(MemslotError):
    """The store cannot answer now (disk full, I/O error, shutting down); a retry may help."""

    reason = "STORE_UNAVAILABLE"


class ErasePending(StoreUnavailable):
    """The slots are forgotten; wiping their bytes waits and resumes by itself."""

    reason = "ERASE_PENDING"


class StoreCorrupt(MemslotError):
    """The store's files are damaged."""

    reason = "STORE_CORRUPT"


class InternalError(MemslotError):
    """Something unforeseen; metadata has ``error_id``, under which the server's log tells what it was."""

    reason = "INTERNAL"


class StartupError(Exception):
    """The server cannot start; the message says why and what to do. Never sent to a caller.

    ``exit_code`` is what the process ends with.
    """

    exit_code: ClassVar[int] = 1


class UsageError(StartupError):
    """A flag, environment variable or key of the settings file is wrong; the message names it."""

    exit_code = 2


class DataDirInUse(StartupError):
    """Another sidecar holds the data directory's lock."""

    exit_code = 3


class AddressInUse(StartupError):
    """Something else listens on an address or socket."""

    exit_code = 4


class StoreUnusable(StartupError):
    """The store was written by a newer memslot, is damaged, or cannot be opened."""

    exit_code = 5


CODES: Mapping[type[MemslotError], str] = {
    MemslotError: "INTERNAL",
    InvalidField: "INVALID_ARGUMENT",
    SlotNotFound: "NOT_FOUND",
    VersionNotFound: "NOT_FOUND",
    NamespaceNotFound: "NOT_FOUND",
    TurnNotFound: "NOT_FOUND",
    RevisionMismatch: "ABORTED",
    SlotExists: "ALREADY_EXISTS",
    SlotLimitReached: "RESOURCE_EXHAUSTED",
    StoreFull: "RESOURCE_EXHAUSTED",
    ReplyBudget: "RESOURCE_EXHAUSTED",
    InjectionBudget: "RESOURCE_EXHAUSTED",
    UntrustedOrigin: "PERMISSION_DENIED",
    FailedPrecondition: "FAILED_PRECONDITION",
    StoreUnavailable: "UNAVAILABLE",
    StoreCorrupt: "DATA_LOSS",
    IndexUnavailable: "UNAVAILABLE",
    IndexBehind: "DEADLINE_EXCEEDED",
}


def grpc_code(error: MemslotError) -> str:
    """Name of the gRPC code for ``error``: that of the nearest class in the table."""
    for cls in type(error).__mro__:
        if cls in CODES:
            return CODES[cls]
    return "INTERNAL"
