"""The events of an Act: one of its own, and one of each action, under the same turn."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.sidecar.audit.harness import Event, file_events, operations_in

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.app import Sidecar
from memslot_sidecar.audit.event import Recorded
from memslot_sidecar.config import Config
from memslot_sidecar.stores.sqlite import SqliteStore

REQUEST_ID = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
CANARY = "0xCANARY-nobody-may-see-this"
SAID = [
    ("memslot-agent", "planner"),
    ("memslot-conversation", "c-7"),
    ("traceparent", "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"),
]
OUTPUT = f"""{{"action": "mem_write", "slot": "a", "value": "{CANARY}"}} {{"action": "mem_append", "slot": "a", "value": "{CANARY}"}}
{{"action": "mem_read", "slot": "a"}} {{"action": "mem_read", "slot": "gone"}} {{"action": "mem_lookup"}}
{{"action": "mem_search", "query": "{CANARY}"}} {{"action": "mem_forget", "slot": "a"}}
{{"action": "mem_write", "slot": "b", "value": 1, "colour": "{CANARY}"}} {{"action": "mem_write", "slot": "c", "value": "{CANARY}"""
ACTIONS = [
    ("Write", "OK", "CREATED"),
    ("Write", "OK", "APPENDED"),
    ("Read", "OK", "READ"),
    ("Read", "NOT_FOUND", "FAILED"),
    ("Lookup", "OK", "LISTED"),
    ("Lookup", "OK", "LISTED"),
    ("Forget", "OK", "FORGOTTEN"),
    ("Write", "INVALID_ARGUMENT", "FAILED"),
]


@pytest.fixture(params=["ram", "sqlite"])
def events(request: pytest.FixtureRequest, tmp_path: Path) -> list[Event]:
    """What one Act leaves, in order; checked against the schema."""
    path = tmp_path / "audit.jsonl"

    async def run() -> None:
        sidecar = Sidecar(Config(store=request.param, data_dir=tmp_path, audit_file=str(path)))
        await sidecar.start()
        try:
            asked = pb.ActRequest(namespace="acme", output=OUTPUT, turn="3", request_id=REQUEST_ID)
            reply = await sidecar.dispatch("AgentService/Act", asked, SAID)
            assert CANARY not in reply.model_text
        finally:
            await sidecar.stop()

    asyncio.run(run())
    assert CANARY.encode() not in path.read_bytes()
    return file_events(path)


def test_the_act_and_each_action_leave_one_event(events: list[Event]) -> None:
    """The actions' in their order, each as the operation that it was, and then that of the Act, which names the slots and counts the actions."""
    *actions, act = events
    assert [(event["operation"], event["code"], event["outcome"]) for event in actions] == ACTIONS
    assert (act["operation"], act["code"], act["outcome"]) == ("Act", "OK", "ACTED")
    assert (act["names"], act["count"]) == (["a", "gone", "b"], len(ACTIONS))
    assert len(operations_in(events)) == len(events)


def test_events_of_actions_tell_whose_they_are(events: list[Event]) -> None:
    """Agent, conversation, turn, trace and request id are those of the Act, and `parent_event_id` is its event."""
    *actions, act = events
    assert "parent_event_id" not in act
    for event in events:
        said = (event["agent"], event["conversation"], event["turn"], event["trace_id"], event["request_id"])
        assert said == ("planner", "c-7", "3", "ab" * 16, REQUEST_ID)
    assert {event["parent_event_id"] for event in actions} == {act["event_id"]}


def test_each_revision_is_told_once(events: list[Event]) -> None:
    """The mutations among them have the store's revisions, without gaps."""
    assert [event["revision"] for event in events if event.get("mutation")] == [1, 2, 3]


async def test_recovered_events_know_their_act(tmp_path: Path) -> None:
    """After a crash the events that are told from the feed name the Act too."""
    data = tmp_path / "data"
    sidecar = Sidecar(Config(store="sqlite", data_dir=data, audit_file=str(tmp_path / "lost.jsonl")))
    await sidecar.start()
    await sidecar.dispatch("AgentService/Act", pb.ActRequest(namespace="acme", output=OUTPUT), SAID)
    told = await sidecar.store.feed(0, 10)
    await sidecar.stop()
    assert len({record.call.parent_event_id for record in told} - {""}) == 1
    store = SqliteStore(data)
    await store.start()
    try:
        kept = await store.feed(0, 10)
    finally:
        await store.close()
    assert [record.call for record in kept] == [record.call for record in told]
    fields: dict[str, Any] = {}
    Recorded(kept[0], recovered=True).tell(fields)
    assert fields["parent_event_id"] == told[0].call.parent_event_id
