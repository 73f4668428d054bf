"""A consistent copy of the store while it is in use.

The copy is written beside the store, made a store of its own (page tokens of the original are refused by it), and removed from the
directory before the first byte is sent: it lives on only as long as it is being read.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from io import FileIO
from pathlib import Path

import apsw

from memslot_sidecar.stores.sqlite import schema
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.failures import translating
from memslot_sidecar.stores.sqlite.files import Files

CHUNK_BYTES = 256 << 10
_SHARE = 16


async def stream_copy(files: Files) -> AsyncIterator[tuple[bytes, int, int]]:
    """The copy as (chunk, total bytes, revision). Raises StoreFull when there is no room for it."""
    loop = asyncio.get_running_loop()
    copying = loop.run_in_executor(None, _copy, files)
    try:
        file, revision = await asyncio.shield(copying)
    except asyncio.CancelledError:
        copying.add_done_callback(_let_go)
        raise
    # A file object, not a descriptor: a read that was queued when the caller went away must not hit a descriptor's next owner.
    with file:
        total = os.fstat(file.fileno()).st_size
        while chunk := await loop.run_in_executor(None, file.read, CHUNK_BYTES):
            yield chunk, total, revision


def _let_go(copying: asyncio.Future[tuple[FileIO, int]]) -> None:
    """Closes the copy that nobody waits for any more."""
    if not copying.cancelled() and copying.exception() is None:
        copying.result()[0].close()


@translating
def _copy(files: Files) -> tuple[FileIO, int]:
    """An open file that is no longer in the directory, and the revision that it holds."""
    path = files.directory / f"backup-{uuid.uuid4().hex}.tmp"
    with files.whole:
        try:
            source = files.connect(_SHARE)
            try:
                source.execute("VACUUM INTO ?", (str(path),))
            finally:
                source.close()
            revision = _make_own(path)
            return path.open("rb", buffering=0), revision
        finally:
            for left in (path, path.with_name(path.name + "-journal")):
                left.unlink(missing_ok=True)


def _make_own(path: Path) -> int:
    copy = apsw.Connection(str(path))
    try:
        copy.pragma("journal_mode", "delete")
        with copy:
            schema.mark_copy(copy)
            copy.execute("DELETE FROM meta WHERE key = 'erase_pending'")
        return int(fetch(copy, "SELECT revision FROM state")[0][0])
    finally:
        copy.close()
