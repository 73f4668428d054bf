"""A store that lives as long as its process, for tests and for the embedded store without a path."""

from memslot_sidecar.stores.ram.store import RamStore

__all__ = ["RamStore"]
