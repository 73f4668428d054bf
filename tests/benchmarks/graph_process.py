"""A graph of vectors, alone in a process, so that its memory can be told.

Run as ``python -m tests.benchmarks.graph_process build COUNT FILE``, which saves it, or ``... open COUNT FILE``, which answers each line
of standard input (seconds, seconds to warm up, how many are asked for) with a turn. Both write a line of facts first; everything is JSON.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray
from tests.benchmarks.corpus import DIMENSIONS, Corpus, Question
from tests.benchmarks.event_loop import run
from tests.benchmarks.measure import take_turn
from tqdm import tqdm

from memslot_index.vectors.hnsw import HnswIndex

_TOGETHER = 8
_QUESTIONS = 200


def build(vectors: int, path: Path) -> dict[str, Any]:
    """Builds a graph of so many vectors with all cores, tunes it as memslot does, saves it, and tells what it took."""
    corpus = Corpus(vectors)
    index = _empty(corpus)
    before, begin = _resident_bytes(), time.perf_counter()
    _fill(index, corpus)
    took_s = time.perf_counter() - begin
    grown = _resident_bytes() - before
    recall = index.calibrate()
    index.save(path, 0)
    return {"built_in_s": took_s, "resident_bytes": grown, "recall": recall}


def _fill(index: HnswIndex, corpus: Corpus) -> None:
    with tqdm(total=corpus.slots, unit="vector", desc="building a graph", leave=False, disable=None) as progress:
        for ids, rows in _portions(corpus):
            index.put(ids, rows)
            progress.update(len(ids))


def opened(vectors: int, path: Path) -> tuple[HnswIndex, dict[str, Any]]:
    """A graph from its file, and what it takes. Raises ValueError when the file is not of so many vectors."""
    index = _empty(Corpus(vectors))
    before, begin = _resident_bytes(), time.perf_counter()
    if index.load(path) is None or len(index) != vectors:
        raise ValueError(f"{path} does not hold {vectors:,} vectors: remove it")
    facts = {
        "loaded_in_s": time.perf_counter() - begin,
        "resident_bytes": _resident_bytes() - before,
        "file_bytes": path.stat().st_size,
        "expansion": index.expansion,
    }
    return index, facts


class Queries:
    """Asks for the nearest of one question after the other."""

    def __init__(self, index: HnswIndex, questions: list[Question], hits: int) -> None:
        self._index = index
        self._hits = hits
        self._questions = questions
        self._turns = count()

    async def __call__(self, _caller: int) -> None:
        """Asks once. Raises AssertionError when too few are found, or not best first."""
        question = self._questions[next(self._turns) % len(self._questions)]
        ids, scores = self._index.search(question.vector, self._hits)
        if len(set(ids.tolist())) != self._hits or (np.diff(scores) > 0).any():
            raise AssertionError("a graph answered with too few, or in a wrong order")


def _portions(corpus: Corpus) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    for first in corpus.blocks[::_TOGETHER]:
        blocks = corpus.blocks[first : first + _TOGETHER]
        numbers = range(corpus.numbers(blocks[0]).start, corpus.numbers(blocks[-1]).stop)
        # Ids are positive.
        yield np.array(numbers, dtype=np.int64) + 1, np.concatenate([corpus.vectors(block) for block in blocks])


def _empty(corpus: Corpus) -> HnswIndex:
    """An index, in a process that has already taken what it takes once."""
    threads = psutil.cpu_count() or 1
    once = HnswIndex(DIMENSIONS, threads)
    once.put(*next(_portions(corpus)))
    once.close()
    return HnswIndex(DIMENSIONS, threads)


def _resident_bytes() -> int:
    gc.collect()
    return psutil.Process().memory_info().rss


async def _answer(index: HnswIndex, questions: list[Question]) -> None:
    for line in sys.stdin:
        seconds, warm_s, hits = json.loads(line)
        turn = await take_turn(Queries(index, questions, hits), callers=1, seconds=seconds, warm_s=warm_s)
        _tell(asdict(turn))


def _tell(facts: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def main(what: str, vectors: int, path: Path) -> None:
    """Builds, or opens and answers."""
    if what == "build":
        _tell(build(vectors, path))
        return
    index, facts = opened(vectors, path)
    _tell(facts)
    run(_answer(index, Corpus(vectors).questions(_QUESTIONS, 1)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
