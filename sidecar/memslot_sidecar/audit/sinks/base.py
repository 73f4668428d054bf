"""The seam between the audit trail and where its lines go."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Protocol

from memslot_sidecar.model import FeedRecord


@dataclass(frozen=True, slots=True)
class Told:
    """What a sink already holds of the revisions after a watermark.

    ``names`` are the slots that were told, by event id and revision; ``parts`` the highest part of events that were told in parts;
    ``last_ms`` the time of the last line.
    """

    names: Mapping[tuple[str, int], Set[str]] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)
    last_ms: int = 0

    def missing(self, record: FeedRecord) -> FeedRecord | None:
        """What of a record is still to be told; None when nothing is."""
        told = self.names.get((record.call.event_id, record.revision))
        if told is None:
            return record
        left = tuple(change for change in record.changes if change.name and change.name not in told)
        return replace(record, changes=left) if left else None


class Sink(Protocol):
    """Takes whole lines, in order. The methods are called by one thread at a time, off the event loop, and may block.

    Each raises OSError when the place cannot be written or read now; a retry may help.
    """

    def open(self) -> None:
        """Makes ready to write after the last whole line."""

    def told(self, after: int, since_ms: int) -> Told:
        """What lines of revisions above ``after``, none of them written before ``since_ms``, are there already.

        A sink that cannot read what it wrote answers that there are none, and is told them again.
        """

    def write(self, data: memoryview, line_start: bool) -> int:
        """Writes some of ``data`` and returns how many bytes it took; 0 when the place took none for a while.

        ``line_start`` tells that a line starts there, so that the place may be changed.
        """

    def moved(self) -> bool:
        """Whether what was written so far is out of reach, so that a line begun must be begun again."""

    def sync(self) -> None:
        """Returns when what was written survives a power failure, where that can be had."""

    def reopen(self) -> None:
        """Leaves a file that was moved away, without waiting for the next line."""

    def close(self) -> None:
        """Closes the place; idempotent."""
