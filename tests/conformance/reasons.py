"""Which reasons a caller can cause with any client, and why the others not."""

from __future__ import annotations

from collections.abc import Mapping

NOT_BY_A_CALLER: Mapping[str, str] = {
    "BACKUP_UNSUPPORTED": "only Backup says it, which is a stream",
    "ERASE_PENDING": "the store must be unable to rewrite its file; tests/faults does that",
    "FAILED_PRECONDITION": "the base of other reasons, never sent itself",
    "INDEX_OUTDATED": "the server must have another model than the one that made the vectors",
    "INDEX_UNAVAILABLE": "the index's file must be unusable; tests/faults does that",
    "INTERNAL": "only what nobody foresaw",
    "STORE_CORRUPT": "the store's files must be damaged; tests/faults does that",
    "STORE_UNAVAILABLE": "the disk must fail, or the server be starting; tests/faults does that",
    "UNKNOWN_FIELD": "a client's messages have no field that this server does not know; tests/sidecar sends such bytes",
}
