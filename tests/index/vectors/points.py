"""Vectors to test with, and the plain truth about them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 16
SPACE = 7 << 32


def slots(*numbers: int) -> NDArray[np.int64]:
    """Ids as the sidecar makes them: the number of a namespace in front."""
    return np.array([SPACE | number for number in numbers], np.int64)


def unit(count: int, dimensions: int = DIMENSIONS, seed: int = 0) -> NDArray[np.float32]:
    """Random directions."""
    return normal(np.random.default_rng(seed).standard_normal((count, dimensions)))


def clustered(count: int, dimensions: int, seed: int = 0) -> NDArray[np.float32]:
    """Vectors about a hundred centres, as texts about a hundred subjects would have. The centres do not depend on the seed."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(100).standard_normal((100, dimensions))
    return normal(centres[rng.integers(0, 100, count)] + 0.7 * rng.standard_normal((count, dimensions)))


def normal(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    """Rows of length 1."""
    scaled: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled.astype(np.float32)
