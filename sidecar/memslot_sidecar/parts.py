"""Which store and which audit sink the settings ask for. A backend is imported when it is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memslot_index.ranking import Decay
from memslot_sidecar.config import Config
from memslot_sidecar.stores.base import Store
from memslot_sidecar.stores.clock import wall_clock_ms

if TYPE_CHECKING:
    from memslot_sidecar.audit.sinks import Sink


def open_store(config: Config, decay: Decay, clock: Callable[[], int] | None) -> Store:
    """The store, not started."""
    if config.store == "ram":
        from memslot_sidecar.stores.ram import RamStore  # noqa: PLC0415 - only what is chosen

        return RamStore(clock or wall_clock_ms, decay)
    from memslot_sidecar.stores.sqlite import SqliteStore  # noqa: PLC0415 - only what is chosen

    return SqliteStore(
        config.data_dir,
        clock=clock or wall_clock_ms,
        decay=decay,
        cache_bytes=config.cache_bytes,
        lock_wait_s=config.lock_wait_s,
    )


def audit_sink(config: Config) -> Sink:
    """Where audit events go, not opened."""
    from memslot_sidecar.audit.sinks import FileSink, MemorySink, StdoutSink  # noqa: PLC0415 - with what it needs

    if config.audit_file == "-":
        return StdoutSink()
    if config.audit_file:
        return FileSink(config.audit_file)
    return MemorySink() if config.store == "ram" else FileSink(config.data_dir / "audit.jsonl")
