"""What goes wrong on the client's side, which no server tells."""

from __future__ import annotations

from memslot.error_codes import FailedPrecondition, MemslotError, Unavailable


class OutcomeUnknown(MemslotError):
    """A mutation was sent and no answer came, also after retries: it may have happened or not.

    ``memory.retry(error)`` repeats it under the same request id: if it had happened it returns the first answer and changes nothing.
    That works for ten minutes. ``__cause__`` is the failure of the last attempt, ``code`` its code.
    """

    reason = "OUTCOME_UNKNOWN"


class ClientClosed(MemslotError):
    """The client is closed: nothing was sent. Open a new one.

    A call that was under way ends so too, but a mutation with OutcomeUnknown, which a new client's ``retry`` settles.
    """

    code, reason, _sent = "CANCELLED", "CLIENT_CLOSED", False


class StartFailed(FailedPrecondition):
    """An embedded store cannot be opened, or a setting of it is wrong; the message says why and what to do."""

    reason, _sent = "START_FAILED", False


class DataDirInUse(StartFailed):
    """A sidecar, or an embedded store of another process, has the directory open: connect to that, or close it first."""

    reason = "DATA_DIR_IN_USE"


class Unreachable(Unavailable):
    """No connection to the sidecar could be made: nothing was sent, so nothing happened."""

    reason = "UNREACHABLE"
