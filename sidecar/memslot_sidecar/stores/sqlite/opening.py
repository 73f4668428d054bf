"""Opening and closing a data directory, in the one order that is right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import apsw

from memslot_sidecar.errors import StoreUnusable
from memslot_sidecar.stores.base import Wipe
from memslot_sidecar.stores.sqlite import schema
from memslot_sidecar.stores.sqlite.connection import fetch
from memslot_sidecar.stores.sqlite.erase import Eraser
from memslot_sidecar.stores.sqlite.files import Files
from memslot_sidecar.stores.sqlite.lock import DirectoryLock
from memslot_sidecar.stores.sqlite.readers import Readers
from memslot_sidecar.stores.sqlite.work import Committed
from memslot_sidecar.stores.sqlite.writer import Writer

_WATERMARK = "watermark."


@dataclass(slots=True)
class Opened:
    """The parts of an open store, and what its file says of itself."""

    store_id: str
    digest_key: bytes
    watermarks: dict[str, int]
    lock: DirectoryLock
    connection: apsw.Connection
    writer: Writer
    readers: Readers
    eraser: Eraser

    async def close(self) -> None:
        """Finishes what was accepted, then closes everything; the last connection copies the log into the file."""
        await self.eraser.close()
        await self.writer.close()
        await self.readers.close()
        with suppress(
            apsw.Error
        ):  # On a full disk the last commits stay in the log, and are found there by the next start.
            await asyncio.get_running_loop().run_in_executor(None, self.connection.close)
        self.lock.release()


async def open_store(
    files: Files,
    clock: Callable[[], int],
    lock_wait_s: float,
    deliver: Callable[[Committed], None],
    before_erase: Sequence[Wipe] = (),
) -> Opened:
    """Opens the directory of ``files``, making it if it is missing. Raises DataDirInUse, StoreUnusable."""
    try:
        files.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(f"the data directory {files.directory} cannot be made: {error.strerror}") from error
    lock = DirectoryLock(files.directory)
    await lock.acquire(lock_wait_s)
    try:
        files.make()
        return _open(files, lock, clock, deliver, before_erase)
    except OSError as error:
        lock.release()
        raise StoreUnusable(f"the store {files.database} cannot be made: {error.strerror}") from error
    except apsw.Error as error:
        lock.release()
        raise StoreUnusable(_why(files, error)) from error
    except BaseException:
        lock.release()
        raise


def _open(
    files: Files,
    lock: DirectoryLock,
    clock: Callable[[], int],
    deliver: Callable[[Committed], None],
    before_erase: Sequence[Wipe],
) -> Opened:
    files.remove_leftovers()
    connection = files.connect(4)
    try:
        schema.prepare(connection)
    except BaseException:
        connection.close()
        raise
    meta = dict(fetch(connection, "SELECT key, value FROM meta"))
    writer = Writer(connection, clock, deliver)
    return Opened(
        store_id=meta["store_id"],
        digest_key=meta["digest_key"],
        watermarks={key[len(_WATERMARK) :]: value for key, value in meta.items() if key.startswith(_WATERMARK)},
        lock=lock,
        connection=connection,
        writer=writer,
        readers=Readers(files.connect(4), lambda: files.connect(8)),
        eraser=Eraser(files, writer, meta.get("erase_pending", 0), before_erase),
    )


def _why(files: Files, error: apsw.Error) -> str:
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)):
        return f"the store {files.database} is damaged: restore a backup, or choose another --data-dir"
    if isinstance(error, (apsw.FullError, apsw.IOError)):
        return f"the store {files.database} cannot be read or written (is the disk full?): {error}"
    return f"the store {files.database} cannot be opened: {error}"
