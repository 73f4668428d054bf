"""What can go wrong, one class a reason, so that a caller can catch what it can mend.

The classes of a gRPC code stand above those of its reasons: a reason that a newer server says is raised as its code's class.
No message holds a body.
"""

from __future__ import annotations

import json

from memslot.error_codes import (
    Aborted,
    AlreadyExists,
    DeadlineExceeded,
    FailedPrecondition,
    InternalError,
    InvalidRequest,
    MemslotError,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    StoreCorrupt,
    Unauthenticated,
    Unavailable,
    Unimplemented,
)
from memslot.own_errors import ClientClosed, DataDirInUse, OutcomeUnknown, StartFailed, Unreachable

__all__ = [
    "Aborted",
    "AlreadyExists",
    "BackupUnsupported",
    "BodyTooLarge",
    "ClientClosed",
    "ContentTypeMismatch",
    "DataDirInUse",
    "DeadlineExceeded",
    "DimensionMismatch",
    "EmbedderUnavailable",
    "ErasePending",
    "FailedPrecondition",
    "IndexBehind",
    "IndexNotEnabled",
    "IndexOutdated",
    "IndexUnavailable",
    "InjectionBudget",
    "InternalError",
    "InvalidBody",
    "InvalidField",
    "InvalidFilter",
    "InvalidName",
    "InvalidPageToken",
    "InvalidRequest",
    "MemslotError",
    "NamespaceNotEmpty",
    "NamespaceNotFound",
    "NotFound",
    "NotText",
    "OutcomeUnknown",
    "Overloaded",
    "PermissionDenied",
    "ReplyBudget",
    "RequestIdReused",
    "ResourceExhausted",
    "RevisionMismatch",
    "SettingAboveCap",
    "SlotExists",
    "SlotLimitReached",
    "SlotNotFound",
    "StaleAttempt",
    "StartFailed",
    "StoreCorrupt",
    "StoreFull",
    "StoreReplaced",
    "StoreUnavailable",
    "TooManyMatches",
    "TurnNotFound",
    "Unauthenticated",
    "Unavailable",
    "Unimplemented",
    "UnknownField",
    "Unreachable",
    "UntrustedOrigin",
    "VersionNotFound",
]


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


class TurnNotFound(NotFound):
    """Nothing is known of the turn."""

    reason = "TURN_NOT_FOUND"


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


class InjectionBudget(ResourceExhausted):
    """Neither the body nor a summary fits into the injection."""

    reason = "INJECTION_BUDGET"


class UntrustedOrigin(PermissionDenied):
    """A tool or a model wrote the body, or nobody says who, and the call wants no such body."""

    reason = "UNTRUSTED_ORIGIN"


class NotText(FailedPrecondition):
    """The body is no text, and the slot has no summary."""

    reason = "NOT_TEXT"


class StaleAttempt(FailedPrecondition):
    """The attempt of a task is over, or has not begun; nothing was changed."""

    reason = "STALE_ATTEMPT"

    @property
    def current_attempt(self) -> int:
        """The present attempt of the task; 0 when there is no such task."""
        return self._number("current_attempt")


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


class StoreUnavailable(Unavailable):
    """The store cannot answer now. The server changed nothing; a lost attempt before may have, which ``memory.retry(error)`` settles."""

    reason = "STORE_UNAVAILABLE"


class Overloaded(Unavailable):
    """The server refused the call because it has too much to do; it was not begun."""

    reason = "OVERLOADED"


class ErasePending(Unavailable):
    """The slots are forgotten; wiping their bytes waits and resumes by itself. Nothing has to be repeated."""

    reason = "ERASE_PENDING"


class IndexNotEnabled(FailedPrecondition):
    """The namespace keeps no index of the kind that the call needs; the message tells how to enable it."""

    reason = "INDEX_NOT_ENABLED"


class IndexOutdated(FailedPrecondition):
    """The namespace's vectors were made by another model than the server has now: ``memory.reindex(vectors=True)`` makes them anew."""

    reason = "INDEX_OUTDATED"

    @property
    def made_by(self) -> str:
        """The model that made the vectors."""
        return self.metadata.get("made_by", "")

    @property
    def configured(self) -> str:
        """The model that the server has now."""
        return self.metadata.get("configured", "")


class IndexUnavailable(Unavailable):
    """The index cannot answer now, also after retries."""

    reason = "INDEX_UNAVAILABLE"


class EmbedderUnavailable(IndexUnavailable):
    """What makes vectors of texts cannot be reached: search by words, or send a vector."""

    reason = "EMBEDDER_UNAVAILABLE"


class IndexBehind(DeadlineExceeded):
    """The index did not reach ``min_revision`` within the call's timeout."""

    reason = "INDEX_BEHIND"

    @property
    def indexed_revision(self) -> int:
        """The revision up to which it is complete."""
        return self._number("indexed_revision")


class DimensionMismatch(InvalidRequest):
    """A vector has another dimension than those of the namespace."""

    reason = "DIMENSION_MISMATCH"

    @property
    def expected(self) -> int:
        """The dimension of the namespace's vectors."""
        return self._number("expected")

    @property
    def given(self) -> int:
        """The dimension of the vector that was sent."""
        return self._number("given")
