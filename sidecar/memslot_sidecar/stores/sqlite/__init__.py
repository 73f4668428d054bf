"""The store on SQLite, the default: durable, in one directory, owned by one process."""

from memslot_sidecar.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
