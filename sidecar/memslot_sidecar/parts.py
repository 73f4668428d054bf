"""Which store and which audit sink the settings ask for. A backend is imported when it is chosen."""

from __future__ import annotations

from collections.abc import Callable

from memslot_index.ranking import Decay
from memslot_sidecar.audit.sinks.base import Sink
from memslot_sidecar.audit.sinks.choice import sink_for
from memslot_sidecar.audit.sinks.memory import MemorySink
from memslot_sidecar.config import Config
from memslot_sidecar.edge.ledger import Ledger
from memslot_sidecar.stores.base import Store
from memslot_sidecar.stores.clock import wall_clock_ms

AUDIT_FILE_NAME = "audit.jsonl"


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
    if not config.audit_file and config.store == "ram":
        return MemorySink()
    return sink_for(
        config.audit_file or str(config.data_dir / AUDIT_FILE_NAME),
        file_limit_bytes=config.audit_file_limit_bytes,
        file_limit_s=config.audit_file_limit_s,
    )


def ledger_of(config: Config) -> Ledger:
    """What keeps the notes of turns, not started: in the data directory, or with the ram store in memory."""
    kept, per_namespace = config.turns_kept, config.turns_kept_per_namespace
    if config.store == "ram":
        return Ledger(kept, per_namespace)
    from memslot_sidecar.edge.kept_ledger import KeptLedger  # noqa: PLC0415 - only what is chosen

    return KeptLedger(config.data_dir, kept, per_namespace)
