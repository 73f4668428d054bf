"""A store in this process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import memslot
from memslot import NEVER, EmbeddedMemory, Outcome, OutcomeUnknown, aio


def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    """An embedded store on a path is durable."""
    with memslot.embedded(tmp_path) as memory:
        memory.write("a", "b", ttl=NEVER)
    with memslot.embedded(tmp_path) as memory:
        assert memory.read("a").text == "b"


def test_one_process_at_a_time_has_a_store(tmp_path: Path) -> None:
    """A directory that is in use is a clear error, and leaves nothing running."""
    with memslot.embedded(tmp_path):
        before = threading.active_count()
        with pytest.raises(memslot.DataDirInUse, match="in use"):
            memslot.embedded(tmp_path)
        assert threading.active_count() == before


def test_a_snapshot_shows_every_slot_and_is_audited(memory: EmbeddedMemory) -> None:
    """All live slots of all namespaces with their bodies, and events that name each slot whose body was shown."""
    memory.write("b", "1")
    memory.write("a", {"n": 1})
    memory.namespace("other/x").write("c", b"\x00")
    shown = memory.snapshot()
    assert [(slot.info.namespace, slot.name, slot.value) for slot in shown] == [
        ("acme/test", "a", {"n": 1}),
        ("acme/test", "b", "1"),
        ("other/x", "c", b"\x00"),
    ]
    events = [event for event in memory.audit_events() if event["operation"] == "BatchRead"]
    assert [(event["namespace"], event["names"]) for event in events] == [("acme/test", ["a", "b"]), ("other/x", ["c"])]


def test_a_snapshot_of_many_slots_is_whole(memory: EmbeddedMemory) -> None:
    """More slots than a page, and more bytes than a reply."""
    memory.namespaces.update(slot_limit=5000, body_limit_bytes=100_000)
    for number in range(1100):
        memory.write(f"n{number:04}", "x" * 5000)
    assert len(memory.snapshot()) == 1100


def test_every_call_leaves_one_event_without_a_body(memory: EmbeddedMemory) -> None:
    """The embedded store is audited as the served one is, failures too."""
    with memory.turn("7"):
        memory.write("a", "secret")
    with pytest.raises(memslot.SlotNotFound):
        memory.read("missing")
    events = memory.audit_events()
    assert [(event["operation"], event["code"]) for event in events] == [("Write", "OK"), ("Read", "NOT_FOUND")]
    assert events[0]["turn"] == "7"
    assert "secret" not in str(events)


def test_the_trail_of_a_stored_store_is_in_its_directory(tmp_path: Path) -> None:
    """Events go to audit.jsonl beside the store."""
    with memslot.embedded(tmp_path) as memory:
        memory.write("a", "b")
        assert [event["operation"] for event in memory.audit_events()] == ["Write"]
        assert (tmp_path / "audit.jsonl").read_bytes().count(b"\n") == 1


def test_threads_share_an_embedded_store(memory: EmbeddedMemory) -> None:
    """Twenty threads append and lose nothing."""
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda number: memory.append("log", f"{number},"), range(100)))
    assert sorted(memory.read("log").text.strip(",").split(","), key=int) == [str(number) for number in range(100)]


def test_closing_is_idempotent_and_ends_the_thread(tmp_path: Path) -> None:
    """Nothing runs on after close; calls are errors that say so."""
    before = threading.active_count()
    memory = memslot.embedded(tmp_path)
    memory.close()
    memory.close()
    assert threading.active_count() == before
    with pytest.raises(memslot.ClientClosed):
        memory.read("a")


def test_a_deadline_holds_without_a_network(memory: EmbeddedMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call whose answer does not come ends as over the wire, with an outcome that can be settled."""
    sidecar = memory._transport.sidecar
    dispatch = sidecar.dispatch

    async def answer_too_late(*call: Any, **_: float) -> None:
        await dispatch(*call)
        await asyncio.sleep(3600)

    monkeypatch.setattr(sidecar, "dispatch", answer_too_late)
    with pytest.raises(OutcomeUnknown) as raised:
        memory.append("a", "b", timeout=0.1)
    monkeypatch.undo()
    assert raised.value.code == "DEADLINE_EXCEEDED"
    assert memory.retry(raised.value).outcome is Outcome.CREATED
    assert memory.read("a").text == "b"


def test_settings_of_the_sidecar_can_be_given() -> None:
    """Limits are those of the server's settings."""
    with memslot.embedded(settings={"slot_limit": 1}) as memory:
        memory.write("a", "b")
        with pytest.raises(memslot.SlotLimitReached):
            memory.write("b", "b")


def test_a_setting_that_there_is_not_is_told() -> None:
    """A typing mistake is no silent default."""
    with pytest.raises(TypeError, match="did you mean slot_limit"):
        memslot.embedded(settings={"slot_limt": 1})


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda m: m.write("a", "b", ttl="1h"), "ttl is a number of seconds"),
        (lambda m: m.write("a", "b", importance="1"), "importance is a number, not str"),
        (lambda m: m.write("a", "b", description=3), "description is a str, not int"),
        (lambda m: m.injected(3, into=[]).__enter__(), "each of names is a str, not int"),
        (lambda m: m.prompt_card().around("hello"), "history is a list of messages, not str"),
        (lambda m: m.prompt_card().around({"role": "user"}), "history is a list of messages, not dict"),
        (
            lambda m: m.act('{"action": "mem_write", "slot": "a", "value": "b"}').history(None),
            "acted on, a text or .*, not NoneType",
        ),
        (lambda m: m.write("a", "b", tags=["x", 1]), "each of tags is a str"),
        (lambda m: m.write(5, "b"), "name is a str"),
        (lambda m: m.read(5), "name is a str"),
        (lambda m: m.forget(None), "name is a str"),
        (lambda m: m.update_info("a", task_type=1), "task_type is a str"),
        (lambda m: list(m.lookup(where="name")), "where is a condition"),
        (lambda m: m.commit(["a"]), "commit takes a memslot.Batch"),
    ],
)
def test_arguments_of_wrong_types_are_named(memory: EmbeddedMemory, call: Callable[[Any], Any], said: str) -> None:
    """The error says which argument it is about, and what it takes."""
    with pytest.raises(TypeError, match=said):
        call(memory)


async def test_the_awaited_store_lives_in_the_callers_loop(tmp_path: Path) -> None:
    """No thread of its own, the same calls."""
    async with aio.embedded(tmp_path, namespace="acme") as memory:
        await memory.write("a", {"n": 1})
        await memory.update("a", lambda value: {"n": value["n"] + 1})
        assert [entry.name async for entry in memory.lookup()] == ["a"]
        assert [slot.value for slot in await memory.snapshot()] == [{"n": 2}]
        backup = await memory.backup(tmp_path / "copy.db")
        assert backup.total_bytes > 0
        operations = [event["operation"] for event in await memory.audit_events()]
        assert operations.count("Write") == 2
    with pytest.raises(memslot.ClientClosed):
        await memory.read("a")


async def test_an_awaited_store_that_cannot_open_says_so_each_time(tmp_path: Path) -> None:
    """A failed start is raised by every call, and closing still works."""
    with memslot.embedded(tmp_path):
        memory = aio.embedded(tmp_path)
        for _ in range(2):
            with pytest.raises(memslot.DataDirInUse):
                await memory.read("a")
        await memory.close()


def test_without_the_sidecars_packages_the_error_says_what_to_install() -> None:
    """A client alone explains how to get an embedded store."""
    program = "import sys; sys.modules['memslot_sidecar.app'] = None; import memslot; memslot.embedded()"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert "pip install 'memslot[sidecar]'" in done.stderr
