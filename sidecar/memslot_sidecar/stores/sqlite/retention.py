"""How long the change feed is kept."""

from __future__ import annotations

from memslot_sidecar.stores.sqlite.group import GroupRows

PORTION = 1_000


def trim(rows: GroupRows, last: int, older_than_ms: int) -> bool:
    """Drops one portion of records up to revision ``last`` that are older than a point in time; answers whether there may be more.

    Times grow with revisions, so that the records to drop are the first ones.
    """
    connection = rows.connection
    connection.execute(
        "DELETE FROM feed WHERE revision <= ? AND time_ms < ? AND revision < (SELECT min(revision) FROM feed) + ?",
        (last, older_than_ms, PORTION),
    )
    dropped = connection.changes()
    rows.dirty = rows.dirty or dropped > 0
    return dropped == PORTION
