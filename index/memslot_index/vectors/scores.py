"""What every index does with arrays: check their shape, compare, and pick the best."""

from __future__ import annotations

import numpy as np

from memslot_index.vectors.base import Ids, Scores, Vector, Vectors


def checked(ids: Ids, vectors: Vectors, dimensions: int) -> tuple[Ids, Vectors]:
    """Return both as contiguous arrays of their types, or raise ValueError if the shapes do not fit."""
    ids = np.ascontiguousarray(ids, dtype=np.int64)
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    if ids.ndim != 1 or vectors.shape != (len(ids), dimensions):
        raise ValueError(
            f"vectors have the shape {vectors.shape}; the index takes ({ids.size}, {dimensions}), a row for each id"
        )
    return ids, vectors


def checked_query(vector: Vector, dimensions: int) -> Vector:
    """Return the vector as a contiguous array of its type, or raise ValueError if it has another number of dimensions."""
    vector = np.ascontiguousarray(vector, dtype=np.float32)
    if vector.shape != (dimensions,):
        raise ValueError(f"vector has the shape {vector.shape}; the index takes ({dimensions},)")
    return vector


def compare(vectors: Vectors, vector: Vector) -> Scores:
    """Return the dot product of each row with ``vector``.

    Not by ``@``: a BLAS would use all cores for it, and its threads go on spinning for some 50 ms after each call.
    """
    scores: Scores = np.einsum("ij,j->i", vectors, vector)
    return scores


def best(ids: Ids, scores: Scores, limit: int) -> tuple[Ids, Scores]:
    """Return the ``limit`` highest scores with their ids, best first, equal ones by id. NaN is left out."""
    present = ~np.isnan(scores)
    if not present.all():
        ids, scores = ids[present], scores[present]
    if limit < len(scores):
        top = np.argpartition(-scores, limit)[:limit]
        ids, scores = ids[top], scores[top]
    order = np.lexsort((ids, -scores))
    return ids[order], scores[order]
