"""Replies that are lost after the commit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.client.waiting import wait_until
from tests.support.reply_proxy import ReplyProxy

import memslot
from memslot import Batch, Memory, Outcome, OutcomeUnknown, aio


@pytest.fixture
def proxy(sidecar: SidecarProcess) -> Iterator[ReplyProxy]:
    """A way to the sidecar on which replies can be lost."""
    with ReplyProxy(sidecar.target) as between:
        yield between


@pytest.fixture
def far(proxy: ReplyProxy, served: Memory) -> Iterator[Memory]:
    """A connected client behind the proxy, in the namespace of the direct one."""
    with memslot.connect(proxy.target, namespace=served.namespace_path) as memory:
        memory.write("warm", "up")
        yield memory


def _there(memory: Memory, name: str) -> bool:
    return name in memory.describe_many([name])


def _revision(memory: Memory) -> int:
    return memory.server_info().revision


def test_a_retry_returns_the_first_answer_and_changes_nothing(proxy: ReplyProxy, far: Memory, served: Memory) -> None:
    """An append whose reply is lost is repeated by the client itself, and happens once."""
    proxy.lose_replies()
    with ThreadPoolExecutor() as pool:
        append = pool.submit(far.append, "log", "one line")
        wait_until(lambda: _there(served, "log"), "the commit")
        committed = _revision(served)
        proxy.heal()
        receipt = append.result()
    assert (receipt.outcome, receipt.revision) == (Outcome.CREATED, committed)
    assert served.read("log").text == "one line"
    assert _revision(served) == committed


async def test_the_awaited_client_retries_as_well(proxy: ReplyProxy, served: Memory) -> None:
    """The same holds for asyncio."""
    async with aio.connect(proxy.target, namespace=served.namespace_path) as far:
        await far.write("warm", "up")
        proxy.lose_replies()
        append = asyncio.ensure_future(far.append("log", "one line"))
        await asyncio.to_thread(wait_until, lambda: _there(served, "log"), "the commit")
        proxy.heal()
        assert (await append).outcome is Outcome.CREATED
    assert (await asyncio.to_thread(served.read, "log")).text == "one line"


def test_an_outcome_that_no_retry_could_settle_is_settled_later(proxy: ReplyProxy, far: Memory, served: Memory) -> None:
    """Past its deadline the client says that it does not know; repeating the same request tells what happened."""
    proxy.lose_replies()
    with pytest.raises(OutcomeUnknown) as raised:
        far.commit(Batch().append("log", "x").forget("warm"), timeout=0.5)
    assert raised.value.code == "DEADLINE_EXCEEDED"
    wait_until(lambda: _there(served, "log"), "the commit")
    committed = _revision(served)
    proxy.heal()
    settled = far.retry(raised.value)
    assert [receipt.outcome for receipt in settled.receipts] == [Outcome.CREATED, Outcome.FORGOTTEN]
    assert (settled.revision, _revision(served)) == (committed, committed)
    assert served.read("log").text == "x"


def test_the_answer_outlives_the_sidecar(tmp_path: Path) -> None:
    """After `kill -9` and a restart a repeat still gets the first answer."""
    with (
        SidecarProcess(tmp_path) as sidecar,
        ReplyProxy(sidecar.target) as proxy,
        memslot.connect(proxy.target) as far,
        memslot.connect(sidecar.target) as near,
    ):
        far.write("warm", "up")
        proxy.lose_replies()
        with pytest.raises(OutcomeUnknown) as raised:
            far.append("log", "x", timeout=0.5)
        wait_until(lambda: _there(near, "log"), "the commit")
        sidecar.kill()
        sidecar.start()
        proxy.heal()
        assert far.retry(raised.value).outcome is Outcome.CREATED
        assert near.read("log").text == "x"


def test_every_mutation_can_be_repeated(proxy: ReplyProxy, far: Memory, served: Memory) -> None:
    """Each kind of mutation gives its first answer again when it is repeated under its request id."""
    calls = {
        "write": lambda request_id: far.write("a", 1, request_id=request_id),
        "append": lambda request_id: far.append("b", "x", request_id=request_id),
        "patch": lambda request_id: far.patch("c", {"k": 1}, request_id=request_id),
        "update_info": lambda request_id: far.update_info("a", pinned=True, request_id=request_id),
        "commit": lambda request_id: far.commit(Batch().append("b", "y"), request_id=request_id),
        "configure": lambda request_id: far.namespaces.update(slot_limit=9, request_id=request_id),
        "forget": lambda request_id: far.forget("a", request_id=request_id),
        "forget_matching": lambda request_id: far.forget_matching(everything=True, request_id=request_id),
        "delete": lambda request_id: far.namespaces.delete(force=True, request_id=request_id),
    }
    for number, (kind, call) in enumerate(calls.items()):
        request_id = f"5a1d6f0e-0000-4000-8000-{number:012}"
        first = call(request_id)
        revision = _revision(served)
        assert call(request_id) == first, kind
        assert _revision(served) == revision, kind
