"""An embedder for tests: a text's words, hashed. It finds texts that share words, in no time and without a model."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from memslot_index.embedders.base import Embedded
from memslot_index.embedders.content import head
from memslot_index.embedders.unit import unit

_LIMIT_BYTES = 65_536
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TERM = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")


class HashingEmbedder:
    """Signed feature hashing of words and of the bigrams of Chinese, Japanese and Korean; the same in every process.

    (Weinberger, Dasgupta, Langford, Smola, Attenberg: Feature Hashing for Large Scale Multitask Learning, ICML 2009.)
    """

    name = "hashing"
    model = "hashing-256/1"
    dimensions = 256
    batch = 256

    def passages(self, texts: Sequence[str]) -> Embedded:
        """Embed texts; what stands behind the first 64 KiB of one is left out."""
        heads = [head(text, _LIMIT_BYTES) for text in texts]
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, (text, _) in enumerate(heads):
            vectors[row] = self._vector(text)
        return Embedded(vectors, tuple(left_out for _, left_out in heads))

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed a query, which is a text like any other."""
        return self._vector(head(text, _LIMIT_BYTES)[0])

    def close(self) -> None:
        """Hold nothing, release nothing."""

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self.dimensions, np.float32)
        for term, count in sorted(Counter(_terms(text)).items()):
            _add(vector, term, count)
        if text and not vector.any():
            _add(vector, text, 1)
        return unit(vector)


def _terms(text: str) -> Iterator[str]:
    for run in _TERM.findall(text.casefold()):
        if len(run) > 1 and re.match(rf"[{_CJK}]", run):
            yield from map("".join, itertools.pairwise(run))
        else:
            yield run


def _add(vector: NDArray[np.float32], term: str, count: int) -> None:
    number = int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "big")
    vector[number % len(vector)] += count if number >> 63 else -count
