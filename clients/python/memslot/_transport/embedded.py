"""The sidecar in this process: the same dispatch as behind gRPC, without a socket.

The sidecar's packages are imported when an embedded store is made, and not before.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import os
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memslot._core.decode import status_error
from memslot._core.steps import Ask, Effect, Pause, Receive
from memslot._transport.closing import closed, closed_under_way
from memslot._transport.status import no_answer
from memslot.errors import DataDirInUse, DeadlineExceeded, StartFailed

if TYPE_CHECKING:
    from memslot_sidecar.app import Sidecar

T = TypeVar("T")
_DRAIN_GRACE_S = 10.0


def sidecar_for(path: str | os.PathLike[str] | None, settings: dict[str, Any]) -> Sidecar:
    """Return a sidecar, not started, whose store lives in the directory ``path`` or, without one, in RAM.

    Raises ImportError, saying what to install, without the sidecar's packages; TypeError for a setting that there is not,
    StartFailed for one whose value is wrong.
    """
    try:
        from memslot_sidecar.app import Sidecar  # noqa: PLC0415 - an extra, slow to import
        from memslot_sidecar.config import Config  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("an embedded store needs the sidecar's packages: pip install 'memslot[sidecar]'") from error
    known = {field.name for field in fields(Config)}
    for name in settings:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"there is no setting {name!r}" + (f": did you mean {near[0]}?" if near else ""))
    with _starting():
        if path is None:
            return Sidecar(Config(store="ram", **settings))
        return Sidecar(Config(store="sqlite", data_dir=Path(path), **settings))


@contextmanager
def _starting() -> Iterator[None]:
    """Raises StartFailed, or DataDirInUse, where the sidecar says that it cannot start."""
    from memslot_sidecar.errors import DataDirInUse as InUse  # noqa: PLC0415
    from memslot_sidecar.errors import StartupError  # noqa: PLC0415

    try:
        yield
    except InUse as error:
        raise DataDirInUse(str(error)) from error
    except StartupError as error:
        raise StartFailed(str(error)) from error


class InLoop:
    """Performs effects in the sidecar's own event loop."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self._under_way = 0
        self._idle = asyncio.Event()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a call, so that :meth:`stop` waits for it."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    async def stop(self) -> None:
        """Finish what was begun, and close the store."""
        if self._under_way:
            self._idle.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._idle.wait(), _DRAIN_GRACE_S)
        await self.sidecar.stop(_DRAIN_GRACE_S)

    async def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError."""
        if isinstance(effect, Pause):
            return await asyncio.sleep(effect.seconds)
        with self.under_way():
            try:
                return await asyncio.wait_for(self._dispatch(effect), effect.timeout_s)
            except asyncio.TimeoutError:
                raise DeadlineExceeded(no_answer(effect.timeout_s or 0.0)) from None

    async def audit_events(self) -> list[dict[str, Any]]:
        """Return the audit events written so far, oldest first: the last ones of a store in RAM, else those in its file."""
        from memslot_sidecar.audit.sinks.memory import MemorySink  # noqa: PLC0415 - loaded with the sidecar
        from memslot_sidecar.parts import AUDIT_FILE_NAME  # noqa: PLC0415

        await self.sidecar.audit.flush()
        sink, config = self.sidecar.audit_sink, self.sidecar.config
        if isinstance(sink, MemorySink):
            lines = list(sink.lines)
        else:
            path = Path(config.audit_file or config.data_dir / AUDIT_FILE_NAME)
            lines = (await asyncio.to_thread(path.read_bytes)).splitlines()
        return [json.loads(line) for line in lines]

    async def _dispatch(self, effect: Ask | Receive) -> Any:
        from memslot_sidecar import errors, status  # noqa: PLC0415 - loaded with the sidecar

        request = effect.method.request.FromString(effect.request.SerializeToString())
        try:
            if isinstance(effect, Ask):
                return await self.sidecar.dispatch(
                    effect.method.name, request, effect.metadata, remaining_s=effect.timeout_s
                )
            async for message in self.sidecar.stream(effect.method.name, request, effect.metadata):
                await asyncio.to_thread(effect.consume, message)
            return None
        except errors.MemslotError as error:
            # As if it had come over the wire.
            raise status_error(status.to_status(error)) from None


class AsyncEmbeddedTransport:
    """The sidecar in the event loop of the first call, which starts it."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._inner = InLoop(sidecar)
        self._start: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def sidecar(self) -> Sidecar:
        """The sidecar."""
        return self._inner.sidecar

    async def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError, and what a start may raise."""
        with self._inner.under_way():
            await self.start()
            return await self._inner.perform(effect)

    async def audit_events(self) -> list[dict[str, Any]]:
        """Return the audit events written so far."""
        await self.start()
        return await self._inner.audit_events()

    async def start(self) -> None:
        """Open the store; idempotent. Raises ClientClosed after close, StartFailed when the store cannot be opened."""
        if self._closed:
            raise closed()
        if self._start is None:
            self._start = asyncio.ensure_future(self.sidecar.start())
        with _starting():
            await asyncio.shield(self._start)

    async def close(self) -> None:
        """Finish what was accepted and close the store; idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._start is not None:
            await self._inner.stop()


class EmbeddedTransport:
    """The sidecar in an event loop of its own, in a thread, for callers in any other thread."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._inner = InLoop(sidecar)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="memslot-embedded", daemon=True)
        self._closing = threading.Lock()
        self._asking = threading.Lock()
        self._closed = False
        self._thread.start()
        try:
            with _starting():
                self.run(sidecar.start())
        except BaseException:
            self._end()
            raise

    @property
    def sidecar(self) -> Sidecar:
        """The sidecar."""
        return self._inner.sidecar

    def perform(self, effect: Effect) -> Any:
        """Perform one effect. Raises MemslotError."""
        return self._asked(self._inner.perform(effect))

    def audit_events(self) -> list[dict[str, Any]]:
        """Return the audit events written so far."""
        return self._asked(self._inner.audit_events())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the sidecar's loop and wait for it; an interrupt cancels it."""
        return _result(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """Finish what was accepted and close the store; idempotent."""
        with self._closing:
            if not self._loop.is_closed():
                with self._asking:
                    self._closed = True
                try:
                    self.run(self._inner.stop())
                finally:
                    self._end()

    def _asked(self, work: Coroutine[Any, Any, T]) -> T:
        with self._asking:
            if self._closed:
                work.close()
                raise closed()
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return _result(future)

    def _end(self) -> None:
        self.run(self._loop.shutdown_default_executor())
        self.run(_cut_off())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except CancelledError:
        raise closed_under_way() from None
    except BaseException:
        future.cancel()
        raise


async def _cut_off() -> None:
    """End what still waits in the loop, so that nobody waits for it without end."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
