"""Rows of a query, as they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw


def fetch(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """All rows of a query, each a tuple. Raises apsw.Error."""
    return connection.execute(sql, values).fetchall()
