"""A process that writes until it is killed, and tells each write once it is acknowledged. Run with the data directory."""

from __future__ import annotations

import asyncio
import itertools
import sys

from tests.contract.writing import put, remove

from memslot_sidecar.stores.base import Transaction
from memslot_sidecar.stores.sqlite import SqliteStore

WRITERS = 8


async def _writer(store: SqliteStore, number: int) -> None:
    for turn in itertools.count():
        name = f"slot-{number}-{turn % 50}"
        body = f"{number}.{turn};".encode() * (turn % 7 * 200 + 1)

        def decide(tx: Transaction, name: str = name, body: bytes = body, turn: int = turn) -> int:
            if turn % 11 == 5 and tx.slot("storm", name) is not None:
                remove(tx, "storm", name)
                return -tx.revision
            return put(tx, "storm", name, body, keep_versions=turn % 3, tags=("t", str(turn % 5))).revision

        revision = await store.transact(decide)
        _tell(f"{revision} {name} {number}.{turn}")


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def _main(directory: str) -> None:
    store = SqliteStore(directory)
    await store.start()
    _tell("ready")
    await asyncio.gather(*(_writer(store, number) for number in range(WRITERS)))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
