"""Pages of names that were looked up lately: an agent asks for the same ones at every turn.

A page holds until a slot of its namespace changes (or moves in rank by a flush of access counts), and no longer than until the first of
its slots expires.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from memslot_sidecar.stores.base import Page, Query

_PAGES = 256
_ITEMS_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class TimedPage:
    """A page that is right from ``from_ms`` until before ``until_ms`` (None: for ever), unless something changes."""

    page: Page
    from_ms: int
    until_ms: int | None


class PageCache:
    """The most recently used pages. Only for queries without totals, whose items have no records."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Query, TimedPage] = OrderedDict()
        self._of: dict[str, set[Query]] = {}

    def get(self, query: Query, now_ms: int) -> Page | None:
        """The page, if it is here and still right."""
        timed = self._pages.get(query)
        if timed is None or now_ms < timed.from_ms or (timed.until_ms is not None and now_ms >= timed.until_ms):
            return None
        self._pages.move_to_end(query)
        return timed.page

    def put(self, query: Query, timed: TimedPage) -> None:
        """Keeps a page."""
        if not query.names_only or query.count_to is not None or query.limit > _ITEMS_A_PAGE:
            return
        self._pages[query] = timed
        self._of.setdefault(query.namespace, set()).add(query)
        if len(self._pages) > _PAGES:
            self._remove(next(iter(self._pages)))

    def drop(self, touched: Iterable[tuple[str, str]]) -> None:
        """Lets go of the pages of namespaces in which slots, given by namespace and name, have changed."""
        if not self._of:
            return
        for namespace in {namespace for namespace, _ in touched}:
            for query in self._of.pop(namespace, ()):
                self._pages.pop(query, None)

    def _remove(self, query: Query) -> None:
        del self._pages[query]
        queries = self._of[query.namespace]
        queries.discard(query)
        if not queries:
            del self._of[query.namespace]
