"""One process owns a data directory: an exclusive lock on a file in it, which the kernel lets go of when the process dies."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from memslot_sidecar.errors import DataDirInUse, StartupError, StoreUnusable

_POLL_S = 0.05


class DirectoryLock:
    """The lock on ``directory``."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "lock"
        self._file: int | None = None

    async def acquire(self, wait_s: float) -> None:
        """Takes the lock, waiting up to ``wait_s`` for another process to let go. Raises DataDirInUse, StoreUnusable, StartupError."""
        deadline = time.monotonic() + wait_s
        while not self._try():
            if time.monotonic() >= deadline:
                raise DataDirInUse(
                    f"the data directory {self._path.parent} is in use by {self._holder()}: stop it, "
                    "choose another --data-dir, or wait for it with --lock-wait"
                )
            await asyncio.sleep(_POLL_S)

    def release(self) -> None:
        """Lets go; idempotent."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _try(self) -> bool:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnusable(self._closed(error)) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise StartupError(f"the data directory {self._path.parent} cannot be locked: {error.strerror}") from error
        self._file = file
        # For messages alone: a full disk does not take it.
        with suppress(OSError):
            os.ftruncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        return True

    def _closed(self, error: OSError) -> str:
        """Why this user cannot make or open the file, which is there where another user's sidecar was at work."""
        remedy = "choose another --data-dir"
        if error.errno == errno.EACCES:
            owner = os.stat(self._path if os.path.exists(self._path) else self._path.parent).st_uid  # noqa: PTH110, PTH116
            own = owner == os.geteuid()
            remedy = f"{'make it writable' if own else f'run as user {owner}, whose it is'}, or {remedy}"
        return f"the data directory {self._path.parent} cannot be used: {error.strerror}; {remedy}"

    def _holder(self) -> str:
        pid = self._path.read_text(errors="replace").strip()
        return f"another sidecar (process {pid})" if pid.isdigit() else "another sidecar"
