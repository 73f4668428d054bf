"""Slots to be found: texts of a hundred words, vectors in clusters as embeddings are, and the questions that are asked of them.

Everything is made from a slot's number, a block at a time, so that every answer can be verified without keeping what was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

NAMESPACE = "bench/found"
DIMENSIONS = 384
WORDS = 100
"""Of a body."""
BLOCK = 128
"""Slots that are made together: one Commit."""
SHARE = 0.01
"""Of all slots that hold a marker."""

_CLUSTER = 100
_NOISE = 0.6
_VOCABULARY = 6_000
_SEED = 20_240_601
_CONSONANTS, _VOWELS = "bdfgklmnprtvz", "aou"


def _words(syllables: int) -> Iterator[str]:
    """Words that no stemmer shortens and no list of stop words has."""
    spoken = ["".join(letters) for letters in product(_CONSONANTS, _VOWELS)]
    return ("".join(parts) for parts in product(spoken, repeat=syllables))


MARKERS = tuple(islice(_words(4), 0, None, 57_000))[:40]
_SPOKEN = np.random.default_rng(_SEED).permutation(list(islice(_words(3), 0, None, 9))[:_VOCABULARY])
# Some words stand in nearly every text, most in very few.
_USE = 1 / (np.arange(_VOCABULARY) + 10.0)
_USE /= _USE.sum()
_POOL = " ".join(np.random.default_rng(_SEED).choice(_SPOKEN, 20_000, p=_USE).tolist())


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: markers as text, and a vector that belongs to one of the clusters."""

    markers: tuple[int, ...]
    vector: NDArray[np.float32]

    @property
    def text(self) -> str:
        """The markers' words."""
        return " ".join(MARKERS[marker] for marker in self.markers)


def sentence(number: int, size: int) -> str:
    """A text of ``size`` ASCII characters for each number, which begins with a word of its own: :func:`word_of`."""
    first = word_of(number)
    length = size - len(first) - 1
    start = _POOL.index(" ", number * 37 % (len(_POOL) - 2 * size)) + 1
    return f"{first} {_POOL[start : start + length]}"


def word_of(number: int) -> str:
    """A word that only the text of this number has."""
    return f"x{number:011d}"


def name_of(number: int) -> str:
    """``note-0000012``."""
    return f"note-{number:07d}"


def number_of(name: str) -> int:
    """The number of the slot of that name."""
    return int(name.removeprefix("note-"))


class Corpus:
    """So many slots; there is a cluster for each hundred of them."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._centres = _unit(np.random.default_rng(_SEED).standard_normal((max(slots // _CLUSTER, 1), DIMENSIONS)))

    @property
    def blocks(self) -> range:
        """The blocks that there are."""
        return range(-(-self.slots // BLOCK))

    def numbers(self, block: int) -> range:
        """The numbers of the slots of a block."""
        return range(block * BLOCK, min((block + 1) * BLOCK, self.slots))

    def vectors(self, block: int) -> NDArray[np.float32]:
        """The vectors of a block's slots, of length 1."""
        return self._near(np.random.default_rng((_SEED, 1, block)), len(self.numbers(block)))

    def marked(self, block: int) -> NDArray[np.bool_]:
        """Which markers a block's slots hold: a row for each slot."""
        return np.random.default_rng((_SEED, 2, block)).random((len(self.numbers(block)), len(MARKERS))) < SHARE

    def bodies(self, block: int) -> list[str]:
        """The texts of a block's slots: each marker that a slot holds stands in it once."""
        marked = self.marked(block)
        rows = np.random.default_rng((_SEED, 3, block)).choice(_SPOKEN, (len(marked), WORDS), p=_USE).tolist()
        for row, marker in np.argwhere(marked).tolist():
            rows[row][2 * marker] = MARKERS[marker]
        return [" ".join(row) for row in rows]

    def body(self, number: int) -> str:
        """The text of one slot."""
        return self.bodies(number // BLOCK)[number % BLOCK]

    @cached_property
    def all_vectors(self) -> NDArray[np.float32]:
        """All vectors, in the order of the numbers."""
        return np.concatenate([self.vectors(block) for block in self.blocks])

    @cached_property
    def all_marked(self) -> NDArray[np.bool_]:
        """Which markers each slot holds."""
        return np.concatenate([self.marked(block) for block in self.blocks])

    def questions(self, count: int, markers: int) -> list[Question]:
        """Different questions of so many markers each."""
        random = np.random.default_rng((_SEED, 4, markers))
        vectors = self._near(random, count)
        return [
            Question(tuple(random.choice(len(MARKERS), markers, replace=False).tolist()), vector) for vector in vectors
        ]

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[int]:
        """The numbers of the slots with the most similar vectors, found by comparing all."""
        similar = self.all_vectors @ vector
        return np.argsort(-similar, kind="stable")[:count].tolist()

    def _near(self, random: np.random.Generator, count: int) -> NDArray[np.float32]:
        centres = self._centres[random.integers(len(self._centres), size=count)]
        return _unit(centres + _NOISE * _unit(random.standard_normal((count, DIMENSIONS))))


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
