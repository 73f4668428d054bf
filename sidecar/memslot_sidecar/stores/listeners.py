"""Who is told of each commit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from memslot_sidecar.explaining import explained
from memslot_sidecar.model import FeedRecord

Listener = Callable[[Sequence[FeedRecord]], None]

_log = logging.getLogger(__name__)


class Listeners:
    """Listeners of one store's change feed, told in the order in which they came.

    One that fails is logged and counted: what is committed must be answered, and other listeners must hear of it.
    """

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self.failures = 0

    def add(self, listener: Listener) -> None:
        """Adds a listener."""
        self._listeners.append(listener)

    def tell(self, records: Sequence[FeedRecord]) -> None:
        """Tells all of the records of a commit, if it has any."""
        if not records:
            return
        for listener in self._listeners:
            try:
                listener(records)
            except Exception as error:  # noqa: BLE001 - a supervisor: the writer goes on
                self.failures += 1
                _log.error("a listener of the change feed failed: %s", explained(error))
