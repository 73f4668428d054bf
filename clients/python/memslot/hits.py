"""What a search returns. Never a body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from memslot.enums import Match, SearchMode
from memslot.results import SlotInfo, Summary


@dataclass(frozen=True, slots=True)
class Hit:
    """A slot that was found.

    ``score`` is higher for what fits better: BM25, cosine similarity or a combination of both, comparable only within one search.
    ``matched_by`` says what led to it. ``info`` is there where infos or summaries were asked for.
    """

    name: str
    score: float
    matched_by: tuple[Match, ...]
    info: SlotInfo | None = None

    @property
    def summary(self) -> Summary | None:
        """The slot's summary, where summaries were asked for and one is at hand."""
        return None if self.info is None else self.info.summary


@dataclass(frozen=True, slots=True)
class SearchResult(Sequence[Hit]):
    """The hits of a search, best first: a sequence of them, no two of the same slot.

    ``mode`` is by what was searched (FULLTEXT, VECTOR or HYBRID), ``degraded`` why that was less than was asked for, a sentence each; empty
    when all is well. ``indexed_revision`` is the one up to which all that was searched is complete, ``revision`` the store's.
    ``next_page_token`` leads on; it is empty when there is no more.
    """

    hits: tuple[Hit, ...]
    mode: SearchMode
    indexed_revision: int
    degraded: tuple[str, ...]
    revision: int
    next_page_token: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the slots that were found, best first."""
        return tuple(hit.name for hit in self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
