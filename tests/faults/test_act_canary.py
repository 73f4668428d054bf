"""What a model writes and reads leaves by one way only: the application's own field of the reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.faults.canaries import Canary
from tests.system.process import Served

from memslot.v1 import admin_service_pb2
from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.agent_service_pb2_grpc import AgentServiceStub


def _outputs(word: str) -> list[str]:
    """Outputs of all kinds, with the word in every place that holds what is to be stored."""
    wide = {"description": word, "tags": [word]}
    actions: list[dict[str, Any]] = [
        {"action": "mem_write", "slot": "text", "value": f"a {word} text", **wide},
        {"action": "mem_write", "slot": "json", "value": {word: [word]}},
        {"action": "mem_append", "slot": "text", "value": word},
        {"action": "mem_append", "slot": "text", "value": [word]},
        {"action": "mem_append", "slot": "json", "value": word},
        {"action": "mem_patch", "slot": "json", "value": {word: None, "k": word}},
        {"action": "mem_patch", "slot": "text", "value": {"k": word}},
        {"action": "mem_patch", "slot": "json", "value": word},
        {"action": "mem_write", "slot": "big", "value": word * 1000},
        {"action": "mem_write", "slot": "wrong", "value": word, "colour": word},
        {"action": "mem_write", "slot": "wrong", "value": word, word: 1, "long " + word: 2},
        {"action": "mem_write", "slot": "wrong", "value": word, "ttl": word},
        {"action": "mem_write", "slot": "wrong", "value": word, "description": word * 100},
        {"action": "mem_write", "slot": "a\n" + word, "value": word},
        {"action": "mem_search", "query": word},
        {"action": "mem_lookup", "name_prefix": "a\n" + word},
        {"action": "mem_read", "slot": "text"},
        {"action": "mem_read", "slot": "json"},
    ]
    torn = json.dumps(actions[0])[:-2]
    bent = json.dumps(actions[0]).replace('"', "'")
    twice = f'{{"action": "mem_write", "slot": "x", "value": "{word}", "value": "{word}2"}}'
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "mem_write", "arguments": json.dumps({"slot": "c", "value": word})},
    }
    block = {"type": "tool_use", "id": "t1", "name": "mem_write", "input": {"slot": "d", "value": word, "x": word}}
    return [
        *map(json.dumps, actions),
        torn,
        bent,
        twice,
        json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}),
        json.dumps({"role": "assistant", "content": [block]}),
        f"<tool_call>\n{torn}",
        f'mem_write(slot="e", value="{word}"',
    ]


def _told(reply: pb.ActResponse) -> bytes:
    """All of a reply but what is the application's: the bodies that were read, the arguments, the text for the user."""
    rest = pb.ActResponse()
    rest.CopyFrom(reply)
    rest.ClearField("user_text")
    rest.ClearField("injection")
    for action in rest.actions:
        action.ClearField("arguments_json")
        action.ClearField("slot")
    return rest.SerializeToString() + rest.model_text.encode()


@pytest.mark.parametrize("store", ["sqlite", "ram"])
def test_no_body_leaves_by_acting(store: str, tmp_path: Path) -> None:
    """A word that stands in every value, description and query is in no line, tool message, reject, status, log, audit or ledger file."""
    canary = Canary()
    flags = ("--store", store, "--data-dir", tmp_path / "data", "--listen", "127.0.0.1:0", "--index-mode", "fulltext")
    with Served(*flags, "--audit-file", tmp_path / "audit.jsonl") as served:
        agent = AgentServiceStub(served.ready().channel())
        replies = [
            agent.Act(
                pb.ActRequest(namespace="acme", output=output, mode=mode, language=language, on_read=on_read, turn="7")
            )
            for output in _outputs(canary.word)
            for mode, language, on_read in [(pb.ACT_MODE_STRICT, 1, 1), (pb.ACT_MODE_LENIENT, 2, 2)]
        ]
        assert not [reply for reply in replies if canary.is_in(_told(reply))]
        assert any(canary.is_in(action.slot.body) for reply in replies for action in reply.actions)
        assert any(canary.is_in(reply.injection) for reply in replies)
        assert not canary.is_in(served.admin().Stats(admin_service_pb2.StatsRequest()).SerializeToString())
        assert served.stop() == 0
    assert not canary.is_in(served.stderr + served.stdout)
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and not _holds_bodies(path)]
    assert kept
    assert not [path for path in kept if canary.is_in(path.read_bytes())]


def _holds_bodies(path: Path) -> bool:
    """Whether it is a file of the store or the index, where bodies belong."""
    return path.name.startswith(("memslot.db", "index"))
