"""Vectors that no longer fit a space are removed in portions, so that no transaction, and no log of one, grows with the namespace.

Meanwhile the space stays what it was, with fewer vectors; who ends in between begins again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import apsw

from memslot_index.database import documents, vector_rows
from memslot_index.database.spaces import Space

PORTION = 2000

Changing = Callable[[], AbstractContextManager[apsw.Connection]]


def discard(changing: Changing, space: Space, digests: str = "%") -> None:
    """Removes all vectors of a space, each portion in a transaction of its own; documents whose digest is like ``digests`` are as if they
    had never had one, and wait for none."""
    low = space.low
    while low <= space.high:
        with changing() as connection:
            end = documents.end_of_portion(connection, low, space.high, PORTION)
            vector_rows.remove_range(connection, low, end)
            documents.unsettle_range(connection, low, end, digests)
        low = end + 1
