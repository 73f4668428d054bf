"""Vectors of length 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows of ``vectors``, or the one vector that it is, with length 1; zeros stay zeros."""
    exact = vectors.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    return (exact / np.where(lengths > 0, lengths, 1)).astype(np.float32)
