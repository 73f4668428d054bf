"""Tasks: memory that belongs to one attempt at something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from memslot._core import tasks
from memslot._core.binding import Binding
from memslot._core.drive import AsyncTransport, Transport, run, run_async
from memslot._core.steps import Steps
from memslot.errors import StaleAttempt
from memslot.expiry import Seconds

if TYPE_CHECKING:
    from memslot import aio
    from memslot.client import Memory

RETAIN_FAILED_S = 3600.0

MemoryT = TypeVar("MemoryT")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for when the task was made."""

    task_id: str
    attempt: int
    carry_over: tuple[str, ...]
    retain: Seconds
    retain_failed: Seconds
    timeout: Seconds | None


class _Attempt(Generic[MemoryT]):
    """An attempt at a task, which begins where its ``with`` does, and what is known of it from then on."""

    memory: MemoryT
    """A client of the attempt's own namespace."""
    attempt: int
    """Its number, from 1."""
    resumed: bool
    """It had begun before, and finds what it had written."""
    carried_over: tuple[str, ...]
    """Slots that came from the attempt before."""
    missing: tuple[str, ...]
    """Slots that were to be carried over and were not there."""
    promoted: tuple[str, ...] = ()
    """Slots that went to the parent's namespace, when the attempt has ended."""
    not_promoted: tuple[str, ...] = ()
    """Slots that were to be promoted and were not there."""

    def __init__(self, binding: Binding, wanted: Wanted) -> None:
        self.task_id = wanted.task_id
        self._binding = binding
        self._wanted = wanted
        self._promote: dict[str, None] = {}

    def promote(self, *names: str) -> None:
        """Move these slots to the parent's namespace when the task ends well, over what is there under the same name."""
        self._promote.update(dict.fromkeys(names))

    def _began(self, begun: tasks.Begun, memory: MemoryT) -> None:
        self.memory, self._path = memory, begun.namespace_path
        self.attempt, self.resumed = begun.attempt, begun.resumed
        self.carried_over, self.missing = begun.carried_over, begun.missing

    def _over(self, error: BaseException | None) -> bool:
        """Whether an error says that this very attempt, or one that it is within, is over: then there is nothing to end."""
        if not isinstance(error, StaleAttempt):
            return False
        over = f"{error.metadata.get('task')}/attempt-{error.metadata.get('attempt')}"
        return f"{self._path}/".startswith(f"{over}/")

    def _ending(self, *, failed: bool) -> Steps[None]:
        wanted = self._wanted
        ended = yield from tasks.end(
            self._binding,
            self.task_id,
            self.attempt,
            () if failed else self._promote,
            failed=failed,
            retain=wanted.retain_failed if failed else wanted.retain,
            timeout=wanted.timeout,
        )
        self.promoted, self.not_promoted = ended.promoted, ended.missing

    def __repr__(self) -> str:
        begun = f", attempt {self.attempt}" if hasattr(self, "attempt") else ""
        return f"<{type(self).__name__} {self.task_id!r}{begun}>"


class Task(_Attempt["Memory"]):
    """An attempt at a task, as ``with memory.task("job-17") as task``: ``task.memory`` is its own, empty memory.

    When the block ends, the attempt ends well; when it raises, the attempt has failed, promotes nothing, and can be read, and carried
    over by the next one, for an hour.
    """

    def __init__(self, parent: Memory, binding: Binding, transport: Transport, wanted: Wanted) -> None:
        super().__init__(binding, wanted)
        self._parent = parent
        self._transport = transport

    def __enter__(self) -> Task:
        wanted = self._wanted
        begun = run(
            tasks.begin(self._binding, wanted.task_id, wanted.attempt, wanted.carry_over, wanted.timeout),
            self._transport,
        )
        self._began(begun, self._parent.namespace(begun.namespace_path))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._over(error):
            return
        if kind is None:
            run(self._ending(failed=False), self._transport)
            return
        try:
            run(self._ending(failed=True), self._transport)
        except Exception as second:  # noqa: BLE001 - what went wrong first is what the caller must see
            _noted(error, second)


class AsyncTask(_Attempt["aio.Memory"]):
    """The same for asyncio, as ``async with memory.task("job-17") as task``."""

    def __init__(self, parent: aio.Memory, binding: Binding, transport: AsyncTransport, wanted: Wanted) -> None:
        super().__init__(binding, wanted)
        self._parent = parent
        self._transport = transport

    async def __aenter__(self) -> AsyncTask:
        wanted = self._wanted
        begun = await run_async(
            tasks.begin(self._binding, wanted.task_id, wanted.attempt, wanted.carry_over, wanted.timeout),
            self._transport,
        )
        self._began(begun, self._parent.namespace(begun.namespace_path))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._over(error):
            return
        if kind is None:
            await run_async(self._ending(failed=False), self._transport)
            return
        try:
            await run_async(self._ending(failed=True), self._transport)
        except Exception as second:  # noqa: BLE001 - what went wrong first is what the caller must see
            _noted(error, second)


def wanted(
    task_id: str,
    *,
    attempt: int | None,
    carry_over: Iterable[str],
    retain: Seconds,
    retain_failed: Seconds,
    timeout: Seconds | None,
) -> Wanted:
    """Check what was asked for. Raises ValueError and TypeError."""
    if isinstance(carry_over, str):
        raise TypeError("carry_over is a list of names, not one name")
    if attempt is not None and attempt < 1:
        raise ValueError(f"attempt is {attempt}: attempts count from 1; leave it out for the next one")
    return Wanted(task_id, attempt or 0, tuple(carry_over), retain, retain_failed, timeout)


def _noted(error: BaseException | None, second: Exception) -> None:
    """Tell beside the first error that the attempt could not be ended either (where Python can tell it)."""
    if error is not None and not isinstance(second, StaleAttempt) and hasattr(error, "add_note"):
        error.add_note(f"the attempt could not be ended as failed: {type(second).__name__}")
