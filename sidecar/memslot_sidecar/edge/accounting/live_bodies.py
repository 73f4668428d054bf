"""How many characters and tokens the live bodies of a namespace have, without counting any of them twice.

The first count reads every body; later ones only those that the change feed named since. Bodies are read on the event loop in small
portions and counted in a thread. Kept are numbers, and slots' names.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memslot_sidecar.edge.accounting.amounts import tokens_of
from memslot_sidecar.edge.accounting.counters import Counter
from memslot_sidecar.edge.notes import Amount
from memslot_sidecar.model import Change, FeedRecord
from memslot_sidecar.stores.base import Order, Query, Store

KEPT_SLOTS = 200_000
"""So many counts are kept over all namespaces; those of the namespace that was asked for longest ago go first."""
KEPT_NAMESPACES = 256
_PORTION_BYTES = 1 << 18
_PORTION_SLOTS = 64
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class LiveBodies:
    """All live bodies of a namespace: their size as text, how many there are, and their bytes."""

    amount: Amount
    slots: int
    body_bytes: int


@dataclass(frozen=True, slots=True)
class _Counted:
    characters: int
    tokens: int
    body_bytes: int
    expire_ms: int | None


@dataclass(slots=True)
class _Namespace:
    """Counts by slot. ``waiting`` are the names to be counted (anew); None before the first count."""

    counted: dict[str, _Counted] = field(default_factory=dict)
    waiting: set[str] | None = None
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


class BodyCounts:
    """Counts of one store's live bodies. Used on the event loop's thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._namespaces: OrderedDict[tuple[str, str], _Namespace] = OrderedDict()
        self._names: dict[str, list[_Namespace]] = {}
        store.subscribe(self._changed)

    async def of(self, namespace: str, counter: Counter) -> LiveBodies:
        """The live bodies now."""
        space = self._space(namespace, counter.name)
        async with space.changing:
            waiting = await self._waiting(namespace, space)
            while waiting:
                await self._count(namespace, space, waiting, counter)
        self._bound()
        return self._sum(space)

    def _space(self, namespace: str, counter: str) -> _Namespace:
        key = (namespace, counter)
        space = self._namespaces.get(key)
        if space is None:
            space = self._namespaces[key] = _Namespace()
            self._names.setdefault(namespace, []).append(space)
        self._namespaces.move_to_end(key)
        return space

    async def _waiting(self, namespace: str, space: _Namespace) -> set[str]:
        """The names to be counted: at first all, and those that change from then on."""
        if space.waiting is None:
            space.waiting = set()
            try:
                space.waiting |= await self._all(namespace)
            except BaseException:
                space.waiting = None
                raise
        return space.waiting

    async def _all(self, namespace: str) -> set[str]:
        found: set[str] = set()
        query = Query(namespace, order=Order.NAME, limit=_PAGE)
        while True:
            page = await self._store.lookup(query)
            found |= {item.name for item in page.items}
            if not page.more or not page.items:
                return found
            query = Query(namespace, order=Order.NAME, limit=_PAGE, after=page.items[-1].key)

    async def _count(self, namespace: str, space: _Namespace, waiting: set[str], counter: Counter) -> None:
        """Counts one portion of what waits."""
        bodies: list[tuple[str, bytes, int | None]] = []
        size = 0
        while waiting and size < _PORTION_BYTES and len(bodies) < _PORTION_SLOTS:
            name = waiting.pop()
            found = self._store.read(namespace, name)
            if found is None:
                space.counted.pop(name, None)
                continue
            bodies.append((name, found.body, found.record.expire_ms))
            size += len(found.body)
        try:
            counted = await asyncio.to_thread(_counted, bodies, counter)
        except BaseException:
            waiting |= {name for name, _, _ in bodies}
            raise
        space.counted.update((name, one) for name, one in counted if name not in waiting)

    def _changed(self, records: Sequence[FeedRecord]) -> None:
        for record in records:
            for space in self._names.get(record.namespace, ()):
                if space.waiting is not None:
                    space.waiting |= {
                        change.name for change in record.changes if change.change is not Change.CONFIGURED
                    }
                    space.waiting.discard("")

    def _sum(self, space: _Namespace) -> LiveBodies:
        now_ms = self._store.now_ms()
        live = [one for one in space.counted.values() if one.expire_ms is None or one.expire_ms > now_ms]
        amount = Amount(sum(one.characters for one in live), sum(one.tokens for one in live))
        return LiveBodies(amount, len(live), sum(one.body_bytes for one in live))

    def _bound(self) -> None:
        kept = sum(len(space.counted) for space in self._namespaces.values())
        while len(self._namespaces) > KEPT_NAMESPACES or (kept > KEPT_SLOTS and len(self._namespaces) > 1):
            (namespace, _), space = self._namespaces.popitem(last=False)
            kept -= len(space.counted)
            self._names[namespace].remove(space)
            if not self._names[namespace]:
                del self._names[namespace]


def _counted(bodies: Iterable[tuple[str, bytes, int | None]], counter: Counter) -> Sequence[tuple[str, _Counted]]:
    """Counts of bodies; bytes that are no text count as replacement characters."""
    found = []
    for name, body, expire_ms in bodies:
        text = body.decode("utf-8", "replace")
        found.append((name, _Counted(len(text), tokens_of(text, counter), len(body), expire_ms)))
    return found
