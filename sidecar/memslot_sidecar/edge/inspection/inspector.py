"""All namespaces that prompts were inspected against: their fingerprints, within one bound, in step with the change feed.

Fingerprints live in memory and nowhere else: nothing that could tell of a body is on disk by them, so erasing has nothing to wipe, and a
start has nothing to load. Numpy is imported with the first inspection.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memslot_sidecar.edge.inspection.portions import Portioned
from memslot_sidecar.model import Change, FeedRecord
from memslot_sidecar.stores.base import Order, Query, Store

if TYPE_CHECKING:
    from memslot_sidecar.edge.inspection.prompts import Prompt
    from memslot_sidecar.edge.inspection.space import Space

LIMIT_BYTES = 128 * 2**20
_PORTION_SLOTS = 2_000
_PAGE = 5_000
_ROOM_AGAIN = 0.75
_GONE = frozenset({Change.FORGOTTEN, Change.EVICTED, Change.EXPIRED})


class Inspector:
    """Everything here runs in the loop's thread, but for what it hands to others."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._spaces: OrderedDict[str, Space] = OrderedDict()

    @property
    def used_bytes(self) -> int:
        """About how much memory all fingerprints take."""
        return sum(space.used_bytes for space in self._spaces.values())

    def told(self, records: Sequence[FeedRecord]) -> None:
        """A listener of the feed."""
        for record in records:
            space = self._spaces.get(record.namespace)
            if space is None:
                continue
            for change in record.changes:
                if change.change is Change.DELETED:
                    self._spaces.pop(record.namespace, None)
                elif change.name and change.change is not Change.RENEWED:
                    space.changed(change.name, gone=change.change in _GONE)

    async def suspects(self, store: Store, namespace: str, prompt: Prompt, stop_s: float) -> Sequence[str]:
        """Which slots to compare with a prompt: all that may have a part of it as of now, likely ones first, and those that have no fingerprints.

        Reads what changed since the last time, until ``stop_s``.
        """
        space = await self._space(namespace)
        async with space.lock:
            await self._refresh(store, namespace, space, stop_s)
            numbers = await asyncio.to_thread(space.holders, prompt)
            return list(dict.fromkeys((*space.names(numbers), *space.waiting, *space.left_out)))

    async def _space(self, namespace: str) -> Space:
        found = self._spaces.get(namespace)
        if found is None:
            made: Space = (await parts("space")).Space()
            found = self._spaces.setdefault(namespace, made)
        self._spaces.move_to_end(namespace)
        return found

    async def _refresh(self, store: Store, namespace: str, space: Space, stop_s: float) -> None:
        if not space.listed:
            space.begin([name async for name in _names(store, namespace)])
        if space.left_out and self.used_bytes < self._limit_bytes * _ROOM_AGAIN:
            space.waiting.update(space.left_out)
            space.left_out.clear()
        due = list(space.waiting)
        while due and time.monotonic() < stop_s:
            if not self._room(namespace):
                space.left_out.update(space.waiting)
                space.waiting.clear()
                break
            due = due[await self._read(store, namespace, space, due) :]
        await space.compact()

    async def _read(self, store: Store, namespace: str, space: Space, due: Sequence[str]) -> int:
        """Fingerprints the first of ``due``, as far as they still wait, and says how many. Reading a slot and numbering it are one step of
        the loop: what changes later waits again."""
        portion, read = Portioned(), 0
        numbered: list[str] = []
        numbers: list[int] = []
        try:
            for name in due[:_PORTION_SLOTS]:
                if portion.full:
                    break
                await portion.turn()
                read += 1
                if name not in space.waiting:
                    continue
                stored = store.read(namespace, name)
                if stored is None:
                    space.changed(name, gone=True)
                    continue
                number = space.number(name)
                numbered.append(name)
                if portion.add(stored):
                    numbers.append(number)
            entries = await asyncio.to_thread((await parts("space")).fingerprints_of, portion.bodies, numbers)
            await asyncio.to_thread(space.add, entries)
        except BaseException:
            for name in numbered:
                space.changed(name, gone=False)
            raise
        return read

    def _room(self, namespace: str) -> bool:
        """Whether there is room for more, when namespaces that were not inspected for longer are dropped for it."""
        while self.used_bytes >= self._limit_bytes:
            oldest = next(iter(self._spaces), namespace)
            if oldest == namespace:
                return False
            del self._spaces[oldest]
        return True


async def parts(name: str) -> Any:
    """A module of this package that needs numpy, imported in a thread: the first time takes a tenth of a second."""
    return await asyncio.to_thread(importlib.import_module, f"memslot_sidecar.edge.inspection.{name}")


async def _names(store: Store, namespace: str) -> AsyncIterator[str]:
    """The names of all live slots, the highest rank first. By name once more: a slot whose rank changes meanwhile may be missed by rank."""
    for order in (Order.RANK, Order.NAME):
        query, more = Query(namespace, order=order, limit=_PAGE), True
        while more:
            page = await store.lookup(query)
            for item in page.items:
                yield item.name
            more = page.more and bool(page.items)
            if more:
                query = replace(query, after=page.items[-1].key)
