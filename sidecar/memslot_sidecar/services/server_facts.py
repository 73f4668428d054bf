"""What the services tell about the process that serves them, which only the process knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Counters:
    """What was done since the process started.

    ``calls`` is keyed by (``Service/Method``, name of the gRPC code); ``projections`` gives each projection's watermark.
    """

    calls: Mapping[tuple[str, str], int] = field(default_factory=dict)
    overwritten: int = 0
    evicted: int = 0
    expired: int = 0
    audit_written: int = 0
    audit_dropped: int = 0
    audit_queued: int = 0
    projections: Mapping[str, int] = field(default_factory=dict)


class ServerFacts(Protocol):
    """The process: its version, its identity in audit events, when it started, the largest message it receives, how long its store stays."""

    @property
    def version(self) -> str:
        """Version of memslot."""

    @property
    def instance_id(self) -> str:
        """Identity of the process."""

    @property
    def started_ms(self) -> int:
        """When it started, UTC milliseconds."""

    @property
    def message_limit_bytes(self) -> int:
        """Largest message that it receives."""

    @property
    def store_warning(self) -> str:
        """Why the store will be gone sooner than one may think; empty when nothing tells of that."""

    def counters(self) -> Counters:
        """What was done since it started."""
