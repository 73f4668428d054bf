"""Chroma: in a folder of its own, or on a server when one machine is too small. It keeps what was put by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np
from chromadb.api.client import Client
from chromadb.api.models.Collection import Collection
from chromadb.errors import NotFoundError

from memslot_index.vectors.base import BackendUnavailable, Ids, Scores, Vector, Vectors
from memslot_index.vectors.chroma_clients import Answering, acquire, release
from memslot_index.vectors.scores import best, checked, checked_query, compare

_PAGE = 10_000
_COLLECTIONS = 1_000
_BATCH_BYTES = 8 << 20
_LOOKUP_FLOATS = 400_000
_WIDER = 8


def collection_name(store: str, space: int) -> str:
    """Return the name that namespace number ``space`` of a store has in Chroma, which allows few characters."""
    plain = re.sub(rb"[^A-Za-z0-9-]", lambda found: b"_%02x" % ord(found[0]), store.encode())
    return f"memslot-{plain.decode()}-{space}"


def store_and_space(name: str) -> tuple[str, int] | None:
    """Return what `collection_name` made this name from, or None if it is not one of ours."""
    found = re.fullmatch(r"memslot-([A-Za-z0-9_-]*)-(\d+)", name)
    if found is None:
        return None
    plain = re.sub(rb"_([0-9a-f]{2})", lambda code: bytes([int(code[1], 16)]), found[1].encode())
    return plain.decode(), int(found[2])


def kept_spaces(store: str, url: str, folder: Path | None) -> list[int]:
    """Return the numbers of the namespaces of this store that have a collection. Raises BackendUnavailable."""
    names: list[str] = []
    client = acquire(url, folder)
    try:
        with Answering():
            while len(page := client.list_collections(_COLLECTIONS, len(names))):
                names += [found.name for found in page]
    finally:
        release(url, folder)
    ours = (store_and_space(name) for name in names)
    return sorted(found[1] for found in ours if found is not None and found[0] == store)


class ChromaIndex:
    """One collection, with cosine distance. Nothing is asked of Chroma before it is needed.

    All methods raise BackendUnavailable when the server does not answer, or has lost the collection: then only opening the index
    again makes a new one, which is empty. `wipe` cannot promise anything: Chroma leaves removed vectors in its files.
    """

    kind = "chroma"

    def __init__(self, dimensions: int, name: str, url: str = "", folder: Path | None = None) -> None:
        self.dimensions = dimensions
        self._name = name
        self._place = (url, folder)
        self._lock = Lock()
        self._client: Client | None = None
        self._collection: Collection | None = None
        self._closed = False

    def __len__(self) -> int:
        with Answering():
            return self._found().count()

    def ids(self) -> Ids:
        """Return all ids, in no order."""
        pages, found = [np.zeros(0, np.int64)], self._found()
        with Answering():
            while len(page := found.get(limit=_PAGE, offset=_PAGE * (len(pages) - 1), include=[])["ids"]):
                pages.append(np.array(page, np.int64))
        return np.concatenate(pages)

    def put(self, ids: Ids, vectors: Vectors) -> None:
        """Set the vectors of these ids, in as many batches as Chroma wants. Some may have been set when it fails."""
        ids, vectors = checked(ids, vectors, self.dimensions)
        found = self._found()
        with Answering():
            for some in self._batches(len(ids), _BATCH_BYTES // 4):
                found.upsert(ids=_names(ids[some]), embeddings=vectors[some])

    def remove(self, ids: Ids) -> None:
        """Drop these ids; those that are not there are ignored."""
        found = self._found()
        with Answering():
            for some in self._batches(len(ids), _BATCH_BYTES // 4):
                found.delete(ids=_names(ids[some]))

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> tuple[Ids, Scores]:
        """Return the nearest ids and their similarities, best first; without ``within`` nearly always the true nearest."""
        vector = checked_query(vector, self.dimensions)
        if within is not None:
            within = np.unique(within)
            return best(within, self.similarities(vector, within), limit)
        ids, scores = self._nearest(vector, limit)
        if len(ids) < limit and len(ids) < (count := len(self)):
            ids, scores = self._nearest(vector, min(count, _WIDER * limit))
            if len(ids) < min(limit, count):
                return best(everything := self.ids(), self.similarities(vector, everything), limit)
        return best(ids, scores, limit)

    def similarities(self, vector: Vector, ids: Ids) -> Scores:
        """Return the similarity of each of these ids, NaN for one that is not there. Computed here from what Chroma keeps."""
        vector = checked_query(vector, self.dimensions)
        scores = np.full(len(ids), np.nan, np.float32)
        found = self._found()
        for some in self._batches(len(ids), _LOOKUP_FLOATS):
            with Answering():
                rows = found.get(ids=_names(ids[some]), include=["embeddings"])
            if rows["ids"]:
                similar = compare(np.asarray(rows["embeddings"], np.float32), vector)
                known = dict(zip(map(int, rows["ids"]), similar.tolist(), strict=True))
                scores[some] = [known.get(slot, np.nan) for slot in ids[some].tolist()]
        return scores

    def load(self, path: Path) -> int | None:  # noqa: ARG002 - it is not kept there
        """Return up to which ``seq`` the collection goes, or None if it never was told."""
        metadata = self._found().metadata or {}
        seq = metadata.get("seq")
        return seq if isinstance(seq, int) else None

    def save(self, path: Path, seq: int) -> None:  # noqa: ARG002
        """Note with the collection up to which ``seq`` it goes."""
        found = self._found()
        with Answering():
            found.modify(metadata={"dimensions": self.dimensions, "seq": seq})

    def wipe(self) -> bool:
        """Return False: what Chroma removes, it does not overwrite."""
        return False

    def drop(self) -> None:
        """Delete the collection."""
        with self._lock, Answering():
            self._delete(self._connected())

    def close(self) -> None:
        """Close the connection, or Chroma itself, with the last index that uses it."""
        with self._lock:
            self._closed = True
            if self._client is not None:
                self._client = self._collection = None
                release(*self._place)

    def _nearest(self, vector: Vector, limit: int) -> tuple[Ids, Scores]:
        found = self._found()
        with Answering():
            answer = found.query(query_embeddings=vector[None], n_results=limit, include=["distances"])
        ids, distances = answer["ids"][0], answer["distances"]
        assert distances is not None
        return np.array(ids, np.int64), 1 - np.array(distances[0], np.float32)

    def _batches(self, count: int, floats: int) -> Iterator[slice]:
        """Cut so many vectors into as few batches as Chroma takes, none of more than so many numbers."""
        assert self._client is not None
        with Answering():
            size = min(self._client.get_max_batch_size(), max(1, floats // self.dimensions))
        for start in range(0, count, size):
            yield slice(start, start + size)

    def _found(self) -> Collection:
        """Return the collection; at first look for it, or make it."""
        with self._lock:
            if self._collection is None:
                client = self._connected()
                with Answering():
                    self._collection = self._find(client)
            return self._collection

    def _find(self, client: Client) -> Collection:
        """Return the collection of this name and these dimensions; one of other dimensions is from another embedder, and deleted."""
        with suppress(NotFoundError):
            found = client.get_collection(self._name, embedding_function=None)
            if (found.metadata or {}).get("dimensions") == self.dimensions:
                return found
            self._delete(client)
        return client.create_collection(
            self._name,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={"dimensions": self.dimensions},
            embedding_function=None,
        )

    def _delete(self, client: Client) -> None:
        with suppress(NotFoundError):
            client.delete_collection(self._name)

    def _connected(self) -> Client:
        if self._closed:
            # Whoever is still at it would open again, for good, what is being removed.
            raise BackendUnavailable("chroma", "the index was closed")
        if self._client is None:
            self._client = acquire(*self._place)
        return self._client


def _names(ids: Ids) -> list[str]:
    return [str(slot) for slot in ids.tolist()]
