"""The libraries beneath a search, bare: a usearch graph and an FTS5 table over the same vectors and texts, in the bench's own process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import apsw
import numpy as np
import psutil
from tests.benchmarks.corpus import DIMENSIONS, Corpus, Question
from tests.benchmarks.searching import HITS
from tqdm import tqdm
from usearch.index import Index

# Those of memslot_index: the same graph, the same tokens, the same walk.
_GRAPH = {
    "ndim": DIMENSIONS, "metric": "ip", "dtype": "f16", "connectivity": 16, "expansion_add": 256, "expansion_search": 96,
}  # fmt: skip
_TABLE = "USING fts5(body, content='', tokenize='porter unicode61 remove_diacritics 2')"
_QUERY = "SELECT rowid, bm25(texts) AS score FROM texts WHERE texts MATCH ? ORDER BY score LIMIT ?"


class RawGraph:
    """The nearest vectors, by usearch alone."""

    def __init__(self, path: Path, corpus: Corpus) -> None:
        """Opens the graph of a corpus, made and saved to ``path`` unless it is there."""
        self._index = Index(**_GRAPH)
        if path.exists():
            self._index.load(path)
            return
        for block in _shown("building the raw graph", corpus):
            keys = np.array(corpus.numbers(block), dtype=np.uint64)
            self._index.add(keys, corpus.vectors(block), threads=psutil.cpu_count() or 1)
        written = path.with_name(path.name + ".writing")
        self._index.save(written)
        written.replace(path)

    def ask(self, question: Question) -> list[int]:
        """The numbers of the nearest."""
        return self._index.search(question.vector, HITS, threads=1).keys.tolist()

    def recall(self, corpus: Corpus, questions: Sequence[Question]) -> float:
        """Which part of the true nearest is found, over all questions."""
        found = [len({*self.ask(question)} & {*corpus.nearest(question.vector, HITS)}) for question in questions]
        return sum(found) / HITS / len(questions)


class RawTable:
    """The best matches, by FTS5 alone."""

    def __init__(self, path: Path, corpus: Corpus) -> None:
        """Opens the table of a corpus, made in ``path`` unless it is there."""
        self._connection = apsw.Connection(str(path))
        with self._connection as connection:
            if connection.pragma("user_version"):
                return
            connection.execute(f"CREATE VIRTUAL TABLE texts {_TABLE}")
            for block in _shown("filling the raw table", corpus):
                rows = zip(corpus.numbers(block), corpus.bodies(block), strict=True)
                connection.executemany("INSERT INTO texts(rowid, body) VALUES (?, ?)", rows)
            connection.pragma("user_version", 1)

    def ask(self, question: Question) -> list[int]:
        """The numbers of those that match best."""
        words = " OR ".join(question.text.split())
        return [number for number, _ in self._connection.execute(_QUERY, (words, HITS))]


class RawBoth:
    """What a search by words and vectors cannot do without: the same question to the graph, then to the table."""

    def __init__(self, graph: RawGraph, table: RawTable, questions: Sequence[Question]) -> None:
        self._graph = graph
        self._table = table
        self._questions = questions
        self._turns = count()
        self.graph_ms: list[float] = []
        self.table_ms: list[float] = []

    async def __call__(self, _caller: int) -> None:
        """Answers the next question. Raises AssertionError when too few are found."""
        question = self._questions[next(self._turns) % len(self._questions)]
        begin = time.perf_counter()
        near = self._graph.ask(question)
        between = time.perf_counter()
        best = self._table.ask(question)
        self.graph_ms.append((between - begin) * 1e3)
        self.table_ms.append((time.perf_counter() - between) * 1e3)
        if len(near) != HITS or len(best) != HITS:
            raise AssertionError("the raw graph or the raw table finds too few")


def _shown(what: str, corpus: Corpus) -> tqdm[int]:
    return tqdm(corpus.blocks, unit="block", desc=what, leave=False, disable=None)
