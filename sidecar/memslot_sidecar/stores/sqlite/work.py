"""What the writer is asked to do, and what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from memslot_sidecar.model import FeedRecord
from memslot_sidecar.stores.base import Decide
from memslot_sidecar.stores.sqlite.group import GroupRows, State


@dataclass(slots=True, eq=False)
class Mutation:
    """A mutation that waits for its commit. A ``bulk`` one touches many rows."""

    decide: Decide[Any]
    answer: asyncio.Future[Any]
    bulk: bool = False


@dataclass(slots=True, eq=False)
class Chore:
    """Work on the rows that takes part in a group but takes no revision."""

    run: Callable[[GroupRows], Any]
    answer: asyncio.Future[Any]
    bulk: bool = False


@dataclass(slots=True)
class Alone:
    """Work on the connection outside of any transaction."""

    run: Callable[[apsw.Connection], Any]
    answer: asyncio.Future[Any]


Member = Mutation | Chore
Work = Member | Alone


@dataclass(slots=True)
class Outcome:
    """What came of one piece of work."""

    answer: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def tell(self) -> None:
        """Answers who waits, unless it went away."""
        if self.answer.done():
            return
        if self.error is not None:
            self.answer.set_exception(self.error)
        else:
            self.answer.set_result(self.result)


@dataclass(slots=True)
class Committed:
    """What one commit did, for the event loop's thread.

    ``touched`` are the slots that changed, ``erase`` says that freed bytes must be wiped, ``heavy`` are the members that turned out
    to touch many rows: they changed nothing and have to come again, as bulk.
    """

    state: State
    outcomes: list[Outcome] = field(default_factory=list)
    feed: list[FeedRecord] = field(default_factory=list)
    touched: set[tuple[str, str]] = field(default_factory=set)
    erase: bool = False
    heavy: list[Member] = field(default_factory=list)


Job = Callable[[], Sequence[Committed]]
