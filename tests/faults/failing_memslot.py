"""The program `memslot` with a store that fails in ways nobody foresaw, and quotes bodies in what it raises."""

from __future__ import annotations

import sys
from typing import Any

from memslot_sidecar import app, cli
from memslot_sidecar.model import StoredSlot
from memslot_sidecar.stores.base import Decide, Store, T, Transaction


class FailingStore:
    """A store that fails after the fact wherever a slot's name begins with `fail`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, namespace: str, name: str) -> StoredSlot | None:
        """Fails with the whole slot in the exception."""
        stored = self._store.read(namespace, name)
        if name.startswith("fail"):
            raise LookupError(f"what is this: {stored}")
        return stored

    def transact(self, decide: Decide[T]) -> Any:
        """Fails with the body in the exception, and in the one that led to it."""
        return self._store.transact(lambda tx: decide(FailingTransaction(tx)))  # type: ignore[arg-type]


class FailingTransaction:
    """A transaction that cannot put what it is given."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def put(self, record: Any, body: bytes | None, **options: Any) -> None:
        """Fails with the body in the exception."""
        if not record.name.startswith("fail to put"):
            self._tx.put(record, body, **options)
            return
        try:
            raise KeyError(body)
        except KeyError as error:
            raise ValueError(f"no place for {body!r} of {record}") from error


def main() -> int:
    """Runs the program."""
    open_store = app.open_store
    app.open_store = lambda *args: FailingStore(open_store(*args))
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
