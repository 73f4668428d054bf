"""A summary as it is shown: how it was made, how far it can be trusted, and of which slots one is made."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from memslot_index.changes import Summarise, digest_of
from memslot_index.database.summaries import Kept
from memslot_index.fulltext.bodies import body_text
from memslot_sidecar.model import EffectiveSettings, Origin, SlotRecord, StoredSlot, SummaryMode

SUMMARY_BYTES = 600
"""The length of a summary: 150 words of English, or 200 Chinese characters, which hold as much."""
MOST_CHARS = 2000
"""What a writer may send, and so the most that anybody has to expect."""


class SummarySource(enum.IntEnum):
    """How a summary was made (values as in the contract)."""

    WRITER = 1
    EXTRACTIVE = 2
    MODEL = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """A text that stands for the body that a slot has at ``revision``."""

    text: str
    source: SummarySource
    origin: Origin
    revision: int


_TRUST: Mapping[Origin, int] = {
    Origin.UNSPECIFIED: 0,
    Origin.TOOL: 1,
    Origin.MODEL: 2,
    Origin.USER: 3,
    Origin.OPERATOR: 4,
}
SUMMARISING: Mapping[SummaryMode, SummarySource] = {
    SummaryMode.EXTRACTIVE: SummarySource.EXTRACTIVE,
    SummaryMode.MODEL: SummarySource.MODEL,
}
"""How summaries are made in the background."""


def summary_of(record: SlotRecord, text: str, source: SummarySource) -> Summary:
    """A summary of a slot's present body, as trusted as the least trusted of what it was made from."""
    origins = [record.origin, Origin.MODEL] if source is SummarySource.MODEL else [record.origin]
    return Summary(text, source, min(origins, key=_TRUST.__getitem__), record.revision)


def kept_summary(record: SlotRecord, kept: Kept | None) -> Summary | None:
    """What is kept, if it is of the slot's present revision."""
    if kept is None or kept.revision != record.revision:
        return None
    return summary_of(record, kept.text, SummarySource(kept.source))


def source_of(settings: EffectiveSettings) -> SummarySource | None:
    """How summaries of a namespace's slots are made; None where they are not."""
    return SUMMARISING.get(settings.summary_mode)


def wants_one(record: SlotRecord, settings: EffectiveSettings) -> bool:
    """Whether a summary of a slot is made, if its body is text."""
    if settings.summary_mode is SummaryMode.OFF or record.summary_bytes > 0:
        return False
    return is_long(record, settings) or settings.summary_below_rank is not None


def is_long(record: SlotRecord, settings: EffectiveSettings) -> bool:
    """Whether a body is summarised for its size alone, whatever its slot's rank is."""
    return record.body_bytes >= settings.summary_above_bytes


def summarise_of(stored: StoredSlot, settings: EffectiveSettings) -> Summarise | None:
    """That a summary of a slot is to be made, whatever its rank is now; None when none is."""
    source = source_of(settings)
    if source is None or not wants_one(stored.record, settings):
        return None
    text = body_text(stored.record.content_type, stored.body)
    if fits(text) or not text.strip():
        return None
    return Summarise(stored.record.revision, digest_of(text), int(source), stored.record.rank)


def fits(text: str) -> bool:
    """Whether a text is no longer than a summary of it would be."""
    return len(text) <= SUMMARY_BYTES and len(text.encode("utf-8", "surrogatepass")) <= SUMMARY_BYTES


def length_for(text: str) -> int:
    """How many characters a summary of a text may have, so that it has about ``SUMMARY_BYTES``."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return max(1, SUMMARY_BYTES * len(text) // max(size, 1))
