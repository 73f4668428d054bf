"""Bringing whole namespaces into the index, or out of it: when their settings change, and when the index is made anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from memslot_index.index import Index
from memslot_sidecar import names
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.entries import changes_of, takes_part
from memslot_sidecar.finding.models import Models
from memslot_sidecar.model import EffectiveSettings, IndexMode, SummaryMode
from memslot_sidecar.stores.base import Order, Query, SortKey, Store

_PAGE = 500

NamesOf = Callable[[Index, str, str, int], Sequence[str]]


class Plans:
    """Namespaces whose part of the index has to be made, dropped, or made anew; each is done once, in the background or when
    somebody waits for it."""

    def __init__(self, store: Store, settings: Callable[[str], EffectiveSettings], desk: Desk, models: Models) -> None:
        self._store = store
        self._settings = settings
        self._desk = desk
        self._models = models
        self._whole: dict[str, int] = {}
        self._noted = 0
        self._looked_at: set[str] = set()
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @property
    def waiting(self) -> bool:
        """Whether anything has to be looked at."""
        return bool(self._whole)

    def covers(self, namespace: str) -> bool:
        """Whether a namespace, or one above it, waits to be looked at."""
        if not self._whole or namespace in self._looked_at:
            return False
        return "" in self._whole or any(path in self._whole for path in names.ancestors(namespace))

    def add(self, namespace: str) -> None:
        """Notes that a namespace and all below it have to be looked at; empty stands for all."""
        self._noted += 1
        self._whole[namespace] = self._noted
        self._looked_at.clear()

    async def carry_out(self) -> None:
        """Looks at all that was noted; once more at what was noted again meanwhile."""
        while self._whole:
            namespace = min(self._whole)
            noted = self._whole[namespace]
            async for path in self.paths(namespace):
                await self.look_at(path)
            if self._whole[namespace] == noted:
                del self._whole[namespace]
        self._looked_at.clear()

    async def paths(self, parent: str) -> AsyncIterator[str]:
        """The namespaces at and below one that the store or the index knows."""
        after = ""
        known: set[str] = set()
        while found := await self._store.namespaces(parent, after, _PAGE):
            for record in found:
                known.add(record.path)
                yield record.path
            after = found[-1].path
        for path in self._desk.index.paths():
            below = not parent or path == parent or path.startswith(parent + "/")
            if below and path not in known:
                yield path

    async def look_at(self, path: str) -> None:
        """Does for one namespace what its settings ask for, unless somebody has done it since."""
        async with self._alone(path):
            if path in self._looked_at:
                return
            noted = self._noted
            await self._settle(path, self._settings(path))
            if self._whole and noted == self._noted:
                self._looked_at.add(path)

    async def _settle(self, path: str, settings: EffectiveSettings) -> None:
        if settings.index_mode is IndexMode.KEYS:
            await self._desk.write(lambda index: index.drop(path))
        if settings.summary_mode is SummaryMode.OFF:
            await self._desk.write(lambda index: index.summaries.drop(path))
        if takes_part(settings):
            await self._rebuild(path, asked=any(above in self._whole for above in names.ancestors(path)))

    async def rebuild(self, path: str, done: Callable[[int], None], *, vectors: bool) -> None:
        """Indexes a namespace anew; with ``vectors`` also what its model made already."""
        async with self._alone(path):
            if vectors:
                await self._desk.write(lambda index: index.use_model(path, "", 0))
            await self._rebuild(path, done, asked=True)

    @asynccontextmanager
    async def _alone(self, path: str) -> AsyncIterator[None]:
        """One at a time for a namespace; its lock is forgotten with the last who wants it."""
        lock, users = self._locks.get(path) or (asyncio.Lock(), 0)
        self._locks[path] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            _, users = self._locks.pop(path)
            if users > 1:
                self._locks[path] = lock, users - 1

    async def _rebuild(self, path: str, done: Callable[[int], None] = lambda _: None, *, asked: bool) -> None:
        """Indexes all slots of a namespace as they are, and drops what is indexed beyond them.

        Settings that change meanwhile hold from the next portion on, as they do for the follower: whoever hands over a slot last has read
        the last of both.
        """
        settings = self._settings(path)
        searched = settings.index_mode is not IndexMode.KEYS
        await self._models.adopt(self._desk, path, settings, asked=asked)
        if searched:
            await self._desk.write(lambda index: index.begin(path))
        after: SortKey | None = None
        while True:
            query = Query(path, order=Order.CREATED, limit=_PAGE, after=after)
            page = await self._store.lookup(query)
            await self._apply(path, [item.name for item in page.items], done)
            if not page.more or not page.items:
                break
            after = page.items[-1].key
        await self._prune(path)
        if searched:
            await self._desk.write(lambda index: index.completed(path))

    async def _apply(self, path: str, names: Sequence[str], done: Callable[[int], None] = lambda _: None) -> None:
        keys = [(path, name) for name in names]
        while keys:
            changes = changes_of(self._store, keys, self._settings)
            await self._desk.apply(changes)
            del keys[: len(changes)]
            done(len(changes))

    async def _prune(self, path: str) -> None:
        await self._prune_names(path, Index.names)
        await self._prune_names(path, Index.summarised)

    async def _prune_names(self, path: str, names_of: NamesOf) -> None:
        after = ""
        while known := await self._desk.read(_page(names_of, path, after)):
            after = known[-1]
            await self._apply(path, [name for name in known if self._store.describe(path, name) is None])


def _page(names_of: NamesOf, path: str, after: str) -> Callable[[Index], Sequence[str]]:
    return lambda index: names_of(index, path, after, _PAGE)
