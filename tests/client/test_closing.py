"""What a closed client says, and how calls end that are under way when it is closed."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.client.waiting import wait_until
from tests.support.reply_proxy import ReplyProxy

import memslot
from memslot import ClientClosed, MemslotError, Outcome, OutcomeUnknown, aio
from memslot.v1.slot_service_pb2 import ReadRequest

READ = ReadRequest(namespace="acme", name="a")
NOBODY = "127.0.0.1:1"
CALLS: list[Callable[[Any], Any]] = [
    lambda memory: memory.read("a"),
    lambda memory: memory.write("a", "b"),
    lambda memory: memory.update("a", lambda n: n + 1, initial=0),
    lambda memory: memory.call("SlotService/Read", READ),
    lambda memory: memory.namespace("other").read("a"),
    lambda memory: memory.namespaces.get(),
]


def _told(error: MemslotError) -> None:
    assert (error.reason, error.code, error.details) == ("CLIENT_CLOSED", "CANCELLED", ())
    assert "is closed: open a new one" in str(error)


@pytest.mark.parametrize("kind", ["served", "never used", "embedded"])
def test_a_closed_client_says_so_and_what_to_do(kind: str, sidecar: SidecarProcess) -> None:
    """Every call is refused by name, and closing again is fine, by any client of the connection."""
    memory = memslot.embedded() if kind == "embedded" else memslot.connect(sidecar.target)
    if kind != "never used":
        memory.write("a", "b")
    pages = memory.lookup()
    memory.namespace("other").close()
    memory.close()
    for call in [*CALLS, lambda _: next(pages), lambda _: memory.task("t").__enter__()]:
        with pytest.raises(ClientClosed) as raised:
            call(memory)
        _told(raised.value)


@pytest.mark.parametrize("kind", ["served", "never used", "embedded"])
async def test_an_awaited_client_says_the_same(kind: str, sidecar: SidecarProcess) -> None:
    """The same for asyncio."""
    memory = aio.embedded() if kind == "embedded" else aio.connect(sidecar.target)
    if kind != "never used":
        await memory.write("a", "b")
    pages = memory.lookup()
    await memory.namespace("other").close()
    await memory.close()
    for call in [*CALLS, lambda _: pages.__anext__(), lambda _: memory.task("t").__aenter__()]:
        with pytest.raises(ClientClosed) as raised:
            await call(memory)
        _told(raised.value)


async def test_a_closed_embedded_store_has_no_more_to_tell() -> None:
    """Its audit is closed with it, and it does not open again."""
    memory = memslot.embedded()
    memory.close()
    with pytest.raises(ClientClosed):
        memory.audit_events()
    awaited = aio.embedded()
    await awaited.close()
    with pytest.raises(ClientClosed):
        await awaited.audit_events()
    with pytest.raises(ClientClosed):
        await awaited.__aenter__()


async def test_a_batch_on_a_closed_client_tries_nothing_again() -> None:
    """Each item fails once, as closed, and is not tried again."""
    memory, awaited = memslot.embedded(), aio.embedded()
    memory.close()
    await awaited.close()

    async def nothing(_item: int, _task: object) -> None:
        """Is never reached."""

    asked = {"retries": 3, "backoff": 0.0, "progress": False}
    plain = await asyncio.to_thread(
        memslot.run_batch,
        [1, 2],
        lambda item, _task: item,
        memory=memory,
        **asked,  # type: ignore[arg-type]
    )
    for report in (plain, await aio.run_batch([1, 2], nothing, memory=awaited, **asked)):  # type: ignore[arg-type]
        errors = [[type(attempt.error) for attempt in item.attempts] for item in report.items]
        assert errors == [[ClientClosed], [ClientClosed]]


def test_calls_under_way_end_when_the_client_is_closed(sidecar: SidecarProcess, served: memslot.Memory) -> None:
    """A read ends as closed; a write, which had happened, has an unknown outcome that another client settles."""
    served.write("warm", "up")
    with ReplyProxy(sidecar.target) as proxy, ThreadPoolExecutor() as pool:
        far = memslot.connect(proxy.target, namespace=served.namespace_path, timeout=60)
        far.describe("warm")
        before = _reads(served)
        proxy.lose_replies()
        read, append = pool.submit(far.read, "warm"), pool.submit(far.append, "log", "one line")
        wait_until(lambda: "log" in served.describe_many(["log"]), "the commit")
        wait_until(lambda: _reads(served) > before, "the read")
        far.close()
        with pytest.raises(ClientClosed, match="while the call was under way"):
            read.result()
        with pytest.raises(OutcomeUnknown) as unknown:
            append.result()
    _settled(served, unknown.value)


async def test_awaited_calls_end_alike(sidecar: SidecarProcess, served: memslot.Memory) -> None:
    """The same for asyncio; on Python 3.10 they are cancelled, since it cannot tell who cancelled."""
    served.write("warm", "up")
    with ReplyProxy(sidecar.target) as proxy:
        far = aio.connect(proxy.target, namespace=served.namespace_path, timeout=60)
        await far.describe("warm")
        before = _reads(served)
        proxy.lose_replies()
        read, append = asyncio.ensure_future(far.read("warm")), asyncio.ensure_future(far.append("log", "one line"))
        await asyncio.to_thread(wait_until, lambda: "log" in served.describe_many(["log"]), "the commit")
        await asyncio.to_thread(wait_until, lambda: _reads(served) > before, "the read")
        await far.close()
        ends = await asyncio.gather(read, append, return_exceptions=True)
    if sys.version_info < (3, 11):
        assert [type(end) for end in ends] == [asyncio.CancelledError] * 2
        return
    assert [type(end) for end in ends] == [ClientClosed, OutcomeUnknown]
    assert isinstance(ends[1], OutcomeUnknown)
    _settled(served, ends[1])


def _reads(memory: memslot.Memory) -> int:
    return sum(counted.count for counted in memory.stats().calls if counted.method.endswith("/Read"))


def _settled(served: memslot.Memory, unknown: OutcomeUnknown) -> None:
    """Another client repeats the very same request, which had happened."""
    assert isinstance(unknown.__cause__, ClientClosed)
    assert served.retry(unknown).outcome is Outcome.CREATED
    assert served.read("log").text == "one line"


async def test_a_cancelled_task_stays_cancelled_when_its_client_closes(sidecar: SidecarProcess) -> None:
    """Who cancels a task and closes the client then finds the task cancelled."""
    with ReplyProxy(sidecar.target) as proxy:
        far = aio.connect(proxy.target, timeout=60)
        await far.write("warm", "up")
        proxy.lose_replies()
        read = asyncio.ensure_future(far.read("warm"))
        await asyncio.sleep(0)
        read.cancel()
        await far.close()
        with pytest.raises(asyncio.CancelledError):
            await read


def test_whoever_waits_for_a_sidecar_is_told_that_the_client_is_closed() -> None:
    """Also a call that would wait without bound for a sidecar to start."""
    memory = memslot.connect(NOBODY, wait_for_ready=True, timeout=float("inf"))
    began = threading.Event()

    def read() -> None:
        began.set()
        memory.read("a")

    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(read), pool.submit(memory.write, "a", "b")]
        began.wait()
        memory.close()
        for one in waiting:
            with pytest.raises(ClientClosed, match="open a new one"):
                one.result()


async def test_whoever_awaits_a_sidecar_is_told_alike() -> None:
    """The same for asyncio: nothing was sent, so nothing is unknown."""
    memory = aio.connect(NOBODY, wait_for_ready=True, timeout=float("inf"))
    calls: list[Awaitable[object]] = [memory.read("a"), memory.write("a", "b")]
    waiting = [asyncio.ensure_future(call) for call in calls]
    await asyncio.sleep(0)
    await memory.close()
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(end) for end in ends] == [ClientClosed, ClientClosed]


async def test_an_awaited_embedded_store_finishes_what_it_began() -> None:
    """A write that was begun is done when the store closes."""
    memory = aio.embedded()
    writes = [asyncio.ensure_future(memory.append("log", "x")) for _ in range(8)]
    await asyncio.sleep(0)
    await memory.close()
    assert all([(await write).revision for write in writes])


def test_an_embedded_store_finishes_what_it_began() -> None:
    """Each of the writes that other threads have under way when it closes is done, or is refused as closed."""
    memory = memslot.embedded()
    with ThreadPoolExecutor(8) as pool:
        writes = [pool.submit(memory.append, "log", "x") for _ in range(64)]
        wait_until(lambda: any(write.done() for write in writes), "the first write")
        memory.close()
    for write in writes:
        assert write.exception() is None or isinstance(write.exception(), ClientClosed)
