"""What may be said about a slot when it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypedDict

from memslot.enums import Origin
from memslot.expiry import Ttl
from memslot.results import AttributeValue


class WriteDetails(TypedDict, total=False):
    """Keyword arguments of write, append and patch. What is left out, or None, keeps what the slot has.

    ``vector`` and ``summary`` are kept only as long as the body stays the same."""

    content_type: str | None
    """Media type, instead of the one that follows from the value."""
    description: str | None
    """One line for a model to read, at most 160 characters."""
    task_type: str | None
    """The kind of work that the slot belongs to, at most 128 bytes."""
    tags: Iterable[str] | None
    """At most 32 labels of 1 to 128 bytes; an empty list keeps what is there (``update_info`` removes)."""
    attributes: Mapping[str, AttributeValue] | None
    """At most 32 typed scalars to filter by; an empty one keeps what is there."""
    importance: float | None
    """0 to 1: what the slot is worth in the ranking."""
    pinned: bool | None
    """Never evict the slot."""
    origin: Origin | None
    """Who the body comes from."""
    vector: Iterable[float] | None
    """The body's meaning as 1 to 4096 numbers, as a list or an array. It goes with the body, and its size is that of the namespace's
    other vectors; otherwise DimensionMismatch."""
    summary: str | None
    """A summary of the body, at most 2000 characters. It goes with the body."""
    ttl: Ttl
    """How long the slot lives: seconds, a timedelta, or ``memslot.NEVER``. By default as before, or as the namespace says."""
    expire_time: datetime | None
    """When the slot expires, with a time zone; instead of ``ttl``."""
    if_absent: bool | None
    """Only if there is no such slot; otherwise SlotExists."""
    if_revision: int | None
    """Only if the slot is at this revision; otherwise RevisionMismatch."""
