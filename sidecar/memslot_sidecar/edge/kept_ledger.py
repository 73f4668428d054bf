"""A ledger that survives the process: what was noted is written behind, about once a second, by a thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path

import apsw

from memslot_sidecar.edge.ledger import TURNS_KEPT, TURNS_KEPT_PER_NAMESPACE, Held, Ledger
from memslot_sidecar.edge.note_codec import packed
from memslot_sidecar.edge.notes import Note, TurnKey
from memslot_sidecar.edge.turns_file import Batch, Row, TurnsFile

WRITE_INTERVAL_S = 1.0
_RETRY_S = 30.0

_log = logging.getLogger(__name__)


class KeptLedger(Ledger):
    """Notes by turn, in memory and in the directory's ``turns.db``. A crash may lose what was noted in its last second.

    While nothing is noted, nothing is written, and without a note there is no file.
    """

    def __init__(
        self,
        directory: Path,
        turns_kept: int = TURNS_KEPT,
        turns_kept_per_namespace: int = TURNS_KEPT_PER_NAMESPACE,
        interval_s: float = WRITE_INTERVAL_S,
    ) -> None:
        super().__init__(turns_kept, turns_kept_per_namespace)
        self._file = TurnsFile(directory)
        self._interval_s = interval_s
        self._store_id = ""
        self._touched_last = 0
        self._changed: dict[TurnKey, None] = {}
        self._dropped: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._failing = False

    async def start(self, store_id: str) -> None:
        """Reads what was kept, as far as it may still be kept."""
        self._store_id = store_id
        for row in await asyncio.to_thread(self._file.read, store_id):
            key = TurnKey(row.namespace, row.conversation, row.turn)
            self._put(key, Held(row.number, packed=row.notes))
            self._number = max(self._number, row.number)
            self._touched_last = max(self._touched_last, row.touched)
            self._bound(key.namespace)
        if self._changed:
            self._soon(self._interval_s)

    async def close(self) -> None:
        """Writes what is left, and closes the file."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await asyncio.wait([self._writing])
        for _ in range(2):  # A second time when the file had to be begun anew.
            if self._changed or self._dropped:
                await self._write()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await asyncio.to_thread(self._file.close)

    def note(self, key: TurnKey, *notes: Note) -> None:
        """Adds notes to a turn, and has them written soon."""
        super().note(key, *notes)
        if key in self._turns:
            self._mark((key,))
            self._soon(self._interval_s)

    def drop(self, namespace: str) -> None:
        """Forgets the turns of a namespace, in the file too."""
        if namespace not in self._spaces:
            return
        super().drop(namespace)
        for key in [key for key in self._changed if key.namespace == namespace]:
            del self._changed[key]
        self._dropped[namespace] = None
        self._soon(self._interval_s)

    def _bound(self, namespace: str) -> Iterable[TurnKey]:
        gone = super()._bound(namespace)
        self._changed.update(dict.fromkeys(gone))
        return gone

    def _mark(self, keys: Iterable[TurnKey]) -> None:
        """Has the file told of changed turns, in the order in which they were noted."""
        for key in keys:
            self._changed.pop(key, None)
            self._changed[key] = None

    def _soon(self, delay_s: float) -> None:
        if self._timer is None and self._writing is None:
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._writing = asyncio.create_task(self._write(), name="memslot keeping turns")
        self._writing.add_done_callback(self._ended)

    def _ended(self, _: asyncio.Task[None]) -> None:
        self._writing = None
        if self._changed or self._dropped:
            self._soon(_RETRY_S if self._failing else self._interval_s)

    async def _write(self) -> None:
        """Writes what changed; what cannot be written now is written later."""
        changed, dropped = list(self._changed), list(self._dropped)
        self._changed.clear()
        self._dropped.clear()
        live = [(key, held) for key in changed if (held := self._turns.get(key)) is not None]
        taken = [(key, held.number, held.packed or tuple(held.notes)) for key, held in live]
        first = self._touched_last + 1
        self._touched_last += len(taken)
        removed = [key for key in changed if key not in self._turns]
        try:
            if await asyncio.to_thread(self._store, dropped, removed, taken, first):
                self._put_back(self._turns, ())
        except (apsw.Error, OSError) as error:
            self._put_back(changed, dropped)
            if not self._failing:
                _log.warning("turns cannot be kept now, and will be written later: %s", error)
            self._failing = True
        else:
            self._failing = False

    def _store(
        self,
        dropped: list[str],
        removed: list[TurnKey],
        taken: list[tuple[TurnKey, int, bytes | tuple[Note, ...]]],
        first: int,
    ) -> bool:
        """Writes; tells whether the file had to be begun anew."""
        rows = [
            Row(
                key.namespace,
                key.conversation,
                key.turn,
                number,
                first + place,
                notes if isinstance(notes, bytes) else packed(notes),
            )
            for place, (key, number, notes) in enumerate(taken)
        ]
        return self._file.write(Batch(dropped, removed, rows), self._store_id)

    def _put_back(self, changed: Iterable[TurnKey], dropped: Iterable[str]) -> None:
        newer = list(self._changed)
        self._changed = dict.fromkeys(changed)
        self._mark(newer)
        self._dropped = dict.fromkeys([*dropped, *self._dropped])
