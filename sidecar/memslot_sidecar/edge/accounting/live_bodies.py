"""How many characters and tokens the live bodies of a namespace have, without counting any of them twice.

The first count reads every body; later ones only those that the change feed named since. Bodies are read on the event loop in small
portions and counted in a thread. Kept are numbers, and slots' names.
"""

from __future__ import annotations

import asyncio
import heapq
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
_GONE = frozenset({Change.FORGOTTEN, Change.EVICTED, Change.EXPIRED})


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
    """Counts by slot, and their sums. ``waiting`` are the names to be counted (anew); None before the first count."""

    counted: dict[str, _Counted] = field(default_factory=dict)
    waiting: set[str] | None = None
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sums: list[int] = field(default_factory=lambda: [0, 0, 0])
    _expiring: list[tuple[int, str]] = field(default_factory=list)

    def put(self, name: str, one: _Counted) -> None:
        """Takes the count of a slot."""
        self.drop(name)
        self.counted[name] = one
        self._add(one, 1)
        if one.expire_ms is not None:
            heapq.heappush(self._expiring, (one.expire_ms, name))
        if len(self._expiring) > 2 * len(self.counted) + 1_000:
            found = ((one.expire_ms, name) for name, one in self.counted.items())
            self._expiring = [(expire_ms, name) for expire_ms, name in found if expire_ms is not None]
            heapq.heapify(self._expiring)

    def drop(self, name: str) -> None:
        """Forgets the count of a slot."""
        one = self.counted.pop(name, None)
        if one is not None:
            self._add(one, -1)

    def changed(self, name: str, *, gone: bool) -> None:
        """Has a slot counted anew. One that is gone and was not counted needs not be, unless that is just being done."""
        assert self.waiting is not None
        if gone and name not in self.counted and not self.changing.locked():
            self.waiting.discard(name)
        else:
            self.waiting.add(name)

    def live(self, now_ms: int) -> LiveBodies:
        """The sums over slots that have not expired. Looks at no others."""
        while self._expiring and self._expiring[0][0] <= now_ms:
            expire_ms, name = heapq.heappop(self._expiring)
            if name in self.counted and self.counted[name].expire_ms == expire_ms:
                self.drop(name)
        characters, tokens, body_bytes = self._sums
        return LiveBodies(Amount(characters, tokens), len(self.counted), body_bytes)

    def _add(self, one: _Counted, sign: int) -> None:
        for place, size in enumerate((one.characters, one.tokens, one.body_bytes)):
            self._sums[place] += sign * size


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
        return space.live(self._store.now_ms())

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
                space.drop(name)
                continue
            bodies.append((name, found.body, found.record.expire_ms))
            size += len(found.body)
        try:
            counted = await asyncio.to_thread(_counted, bodies, counter)
        except BaseException:
            waiting |= {name for name, _, _ in bodies}
            raise
        for name, one in counted:
            if name not in waiting:
                space.put(name, one)

    def _changed(self, records: Sequence[FeedRecord]) -> None:
        for record in records:
            for space in self._names.get(record.namespace, ()):
                if space.waiting is not None:
                    for change in record.changes:
                        if change.name and change.change is not Change.CONFIGURED:
                            space.changed(change.name, gone=change.change in _GONE)

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
