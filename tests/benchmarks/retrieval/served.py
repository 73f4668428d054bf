"""memslot as a searcher: a real `memslot serve`, filled and asked through the Python client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.retrieval.asking import Searcher
from tests.benchmarks.retrieval.dataset import Dataset, Query, Slot
from tests.system.process import Served
from tqdm import tqdm

import memslot
from memslot import Batch, Memory

_WRITES = 32
_POLL_S = 0.05
_SEARCH_TIMEOUT_S = 60.0
NEIGHBORS = "+neighbors"
MODES = ("fulltext", "vector", "hybrid", f"hybrid{NEIGHBORS}")


@dataclass(frozen=True, slots=True)
class Backend:
    """What a sidecar searches with."""

    vector_index: str
    embedder: str = "e5"
    flags: tuple[str, ...] = ()

    def command(self, data_dir: Path) -> list[str | Path]:
        """Flags of `memslot serve` for an empty store in ``data_dir``."""
        return [
            "--data-dir", data_dir, "--listen", "127.0.0.1:0", "--slot-limit", "1000000", "--body-limit-bytes", "1MiB", "--ttl-default", "365d",
            "--index-mode", "hybrid", "--embedder", self.embedder, "--vector-index", self.vector_index, *self.flags,
        ]  # fmt: skip


class Filled:
    """A sidecar that holds a dataset, every vector made."""

    def __init__(self, memory: Memory, dataset: Dataset) -> None:
        self._spaces = {name: memory.namespace(memslot.namespace(name)) for name in dataset.by_namespace()}
        for name, slots in dataset.by_namespace().items():
            _write(self._spaces[name], slots)
        _wait_for_vectors(memory, len(dataset.slots))

    def searcher(self, mode: str, neighbor_weight: float) -> Searcher:
        """Searches in a mode of :data:`MODES`. Raises AssertionError where a search did less than it was asked for."""
        weight = neighbor_weight if mode.endswith(NEIGHBORS) else None
        plain = mode.removesuffix(NEIGHBORS)

        def search(query: Query, limit: int) -> Sequence[str]:
            found = self._spaces[query.namespace].search(
                query.text, mode=plain, limit=limit, neighbor_weight=weight, timeout=_SEARCH_TIMEOUT_S
            )
            if found.degraded:
                raise AssertionError(f"{mode} was degraded: {'; '.join(found.degraded)}")
            return found.names

        return search


@contextmanager
def filled(backend: Backend, dataset: Dataset, data_dir: Path) -> Iterator[Filled]:
    """A sidecar of its own with the dataset, until the end of the block."""
    with Served(*backend.command(data_dir)) as served:
        served.ready()
        with memslot.connect(served.addresses()[0], timeout=_SEARCH_TIMEOUT_S) as memory:
            yield Filled(memory, dataset)


def _write(memory: Memory, slots: Sequence[Slot]) -> None:
    for begin in range(0, len(slots), _WRITES):
        batch = Batch()
        for slot in slots[begin : begin + _WRITES]:
            batch.write(
                slot.name, slot.value, description=slot.description, task_type=slot.task_type, tags=slot.tags or None
            )
        memory.commit(batch)


def _wait_for_vectors(memory: Memory, slots: int) -> None:
    with tqdm(total=slots, desc="embedding", unit="slot", leave=False, disable=None) as progress:
        while waiting := memory.stats().index_waiting:
            progress.update(slots - waiting - progress.n)
            time.sleep(_POLL_S)
