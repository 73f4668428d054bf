"""The embedder ``openai``: any endpoint that answers ``/embeddings`` as OpenAI's does."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memslot_index.embedders.base import Embedded, EmbedderRefused, EmbedderUnavailable
from memslot_index.embedders.content import head
from memslot_index.embedders.endpoint import Endpoint, EndpointRefused, EndpointUnavailable
from memslot_index.embedders.unit import unit

INPUT_BYTES = 8_000
"""So much of a text is sent. No text has more tokens than bytes, and the usual models take 8,191 tokens."""
_SHORTEST_BYTES = 256
_TOO_LONG = frozenset({400, 413, 422})
_PROBE = "dimensions"


class OpenAIEmbedder:
    """The dimension is found out by asking, unless it is given: then the endpoint is told, and need not be up when this is made.

    Raises EmbedderRefused when the endpoint refuses or has another dimension, EmbedderUnavailable when it cannot be asked and no dimension is given.
    A text that the endpoint does not take is sent anew at half its length, until it is short beyond doubt.
    """

    name = "openai"
    batch = 32

    def __init__(self, endpoint: Endpoint, model: str, dimensions: int | None = None) -> None:
        self.model = f"{model} (openai)"
        self.dimensions = dimensions or 0
        self._endpoint = endpoint
        self._asked: dict[str, Any] = {"model": model, "encoding_format": "base64"}
        if dimensions:
            self._asked["dimensions"] = dimensions
        try:
            self.dimensions = self._send([_PROBE]).shape[1]
        except EmbedderUnavailable:
            if not dimensions:
                raise

    def passages(self, texts: Sequence[str]) -> Embedded:
        """Embed texts in one request, or more if some are too long for the model."""
        heads = [head(text, INPUT_BYTES) for text in texts]
        rows = [row for row, (text, _) in enumerate(heads) if text]
        truncated = [left_out for _, left_out in heads]
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if rows:
            vectors[rows], shortened = self._embed([heads[row][0] for row in rows])
            for row, short in zip(rows, shortened, strict=True):
                truncated[row] |= short
        return Embedded(vectors, tuple(truncated))

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed a query, in the same way as a passage."""
        vector: NDArray[np.float32] = self.passages([text]).vectors[0]
        return vector

    def close(self) -> None:
        """Close all connections."""
        self._endpoint.close()

    def _embed(self, texts: list[str]) -> tuple[NDArray[np.float32], list[bool]]:
        try:
            return self._send(texts), [False] * len(texts)
        except _TooLong:
            embedded = [self._shortened(text) for text in texts]
        return np.stack([vector for vector, _ in embedded]), [short for _, short in embedded]

    def _shortened(self, text: str) -> tuple[NDArray[np.float32], bool]:
        """Embed as much of one text as the endpoint takes."""
        size = len(text.encode())
        piece = text
        while True:
            try:
                return self._send([piece])[0], piece != text
            except _TooLong:
                if size <= _SHORTEST_BYTES:
                    raise
            size = max(size // 2, _SHORTEST_BYTES)
            piece, _ = head(text, size)

    def _send(self, texts: list[str]) -> NDArray[np.float32]:
        with _translated():
            answer = self._endpoint.post("/embeddings", {**self._asked, "input": texts})
        vectors = _vectors(answer, len(texts))
        if vectors is None:
            raise EmbedderUnavailable("the embedding endpoint answered something that is not one vector for each text")
        if self.dimensions not in (0, vectors.shape[1]):
            raise EmbedderRefused(
                f"the embedding endpoint answers {vectors.shape[1]} dimensions and not {self.dimensions}, as set or before"
            )
        return unit(vectors)


class _TooLong(EmbedderRefused):
    """Refused with a code that may mean that a text is too long. It often means something else, too."""


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except EndpointUnavailable as error:
        raise EmbedderUnavailable(str(error), error.retry_after_s) from None
    except EndpointRefused as error:
        kind = _TooLong if error.status in _TOO_LONG else EmbedderRefused
        raise kind(f"{error}; look at the settings of the embedder 'openai'") from None


def _vectors(answer: Any, count: int) -> NDArray[np.float32] | None:
    """Return the vectors in the order of the texts, or None if the answer has not exactly one of finite numbers for each."""
    try:
        found = {item["index"]: _vector(item["embedding"]) for item in answer["data"]}
        vectors = np.stack([found[row] for row in range(count)])
    except (TypeError, KeyError, ValueError):
        return None
    right = vectors.ndim == 2 and vectors.shape[1] > 0 and len(answer["data"]) == count and np.isfinite(vectors).all()
    return vectors if right else None


def _vector(embedding: str | list[float]) -> NDArray[np.float32]:
    """Read a vector in either of the formats, whichever was asked for: not every server knows both."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), np.dtype("<f4"))
    with np.errstate(over="ignore"):
        return np.asarray(embedding, np.float64).astype(np.float32)
