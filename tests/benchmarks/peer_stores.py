"""Other stores that are searched by vectors: a Chroma server, and LangGraph's SqliteStore in the bench's own process.

They are imported only here: `pip install --group peers` brings them.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import chromadb
import httpx
from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore
from tests.benchmarks.corpus import Corpus, Question, name_of, number_of
from tests.benchmarks.processes import READY_LIMIT_S, ROOT, free_address
from tests.benchmarks.searching import HITS
from tqdm import tqdm

_PLACE = ("bench", "found")
_CHROMA = "from chromadb.cli.cli import app; app()"


class Chroma:
    """A collection on a Chroma server, asked through its own client over HTTP. It answers with ids and distances."""

    def __init__(self, collection: chromadb.Collection, questions: Sequence[Question]) -> None:
        self._collection = collection
        self._vectors = [question.vector for question in questions]

    def ask(self, index: int) -> list[int]:
        """The numbers of the slots that answer a question."""
        found = self._collection.query(query_embeddings=[self._vectors[index]], n_results=HITS, include=["distances"])
        return [number_of(name) for name in found["ids"][0]]


class LangGraph:
    """A SqliteStore, which compares all vectors of a namespace; without a server, and it answers with the texts."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def ask(self, index: int) -> list[int]:
        """The numbers of the slots that answer a question."""
        found = self._store.search(_PLACE, query=_key(index), limit=HITS)
        return [number_of(item.key) for item in found]


@asynccontextmanager
async def chroma(folder: Path, work_dir: Path, corpus: Corpus, questions: Sequence[Question]) -> AsyncIterator[Chroma]:
    """A served collection of a corpus, from the files in ``folder``, or filled into them."""
    host, port = free_address(work_dir, unix=False).rsplit(":", 1)
    command = [sys.executable, "-c", _CHROMA, "run", "--path", str(folder), "--host", host, "--port", port]
    with (work_dir / "chroma.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        await _until_answering(f"http://{host}:{port}", process)
        client = chromadb.HttpClient(host, int(port), settings=chromadb.Settings(anonymized_telemetry=False))
        collection = client.get_or_create_collection("found", configuration={"hnsw": {"space": "cosine"}})
        if collection.count() != corpus.slots:
            for block in tqdm(corpus.blocks, unit="block", desc="filling Chroma", leave=False, disable=None):
                names = [name_of(number) for number in corpus.numbers(block)]
                collection.upsert(ids=names, embeddings=corpus.vectors(block), documents=corpus.bodies(block))
        yield Chroma(collection, questions)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


@contextmanager
def langgraph(path: Path, corpus: Corpus, questions: Sequence[Question]) -> Iterator[LangGraph]:
    """A SqliteStore of a corpus in the file ``path``, filled unless it is. What it asks to be embedded is looked up."""
    vectors = {_key(index): question.vector.tolist() for index, question in enumerate(questions)}
    connection = _connection(path)
    try:
        store = SqliteStore(
            connection,
            index={
                "dims": corpus.all_vectors.shape[1],
                "embed": lambda texts: [vectors[text] for text in texts],
            },
        )
        store.setup()
        if len(store.search(_PLACE, limit=corpus.slots)) != corpus.slots:
            for block in tqdm(corpus.blocks, unit="block", desc="filling SqliteStore", leave=False, disable=None):
                bodies = corpus.bodies(block)
                vectors |= dict(zip(bodies, corpus.vectors(block).tolist(), strict=True))
                rows = zip(corpus.numbers(block), bodies, strict=True)
                store.batch([PutOp(_PLACE, name_of(number), {"text": body}, ["text"]) for number, body in rows])
        yield LangGraph(store)
    finally:
        connection.close()


def _connection(path: Path) -> Any:
    """A connection that loads extensions, as SqliteStore needs it for vectors; not every Python is built with such a sqlite3."""
    import sqlite3

    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3 as sqlite3
    return sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)


def _key(index: int) -> str:
    return f"question {index}"


async def _until_answering(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.perf_counter() + READY_LIMIT_S
    async with httpx.AsyncClient() as client:
        while True:
            if process.poll() is not None or time.perf_counter() > deadline:
                raise RuntimeError("the Chroma server did not come up")
            try:
                if (await client.get(f"{url}/api/v2/heartbeat")).is_success:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)
