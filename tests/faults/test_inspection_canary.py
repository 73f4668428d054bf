"""Neither a body nor a prompt leaves by inspecting, and nothing of it is on disk; a sidecar that is killed inspects as before."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.asking import NAMESPACE, attempt, write
from tests.faults.canaries import Canary
from tests.faults.trail import read_trail
from tests.system.process import PATIENCE_S, Served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1 import slot_service_pb2 as slot_pb
from memslot.v1.agent_service_pb2_grpc import AgentServiceStub

LONG = "x y z " * 8


@pytest.fixture(params=["sqlite", "ram"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A sidecar on either store."""
    places = ("--store", request.param, "--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit.jsonl")
    with Served(*places, "--listen", "127.0.0.1:0", "--body-limit-bytes", "64KiB") as running:
        running.ready()
        yield running


def inspections(body: Canary, asked: Canary) -> list[pb.InspectPromptRequest]:
    """Prompts with a body in every form, and a secret of their own; the last ones are refused."""
    text = f"{asked.word} {body.text.decode()} {LONG}"
    messages = [
        {"role": "user", "content": text, asked.word: {body.word: text}},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": json.dumps({body.word: text})}}]},
        {"role": "tool", "content": {"value": json.loads(body.document), "key": body.word}},
    ]
    given = [
        {"prompt": text},
        {"prompt": json.dumps(text)},
        {"messages_json": json.dumps(messages), "turn": "7"},
        {"prompt": text, "token_counter": "abacus"},
        {"messages_json": json.dumps(messages)[:-2]},
        {"messages_json": json.dumps({body.word: asked.word})},
        {"prompt": text, "messages_json": "[]"},
    ]
    return [pb.InspectPromptRequest(namespace=NAMESPACE, **fields) for fields in given]


def test_nothing_secret_leaves_by_inspecting(served: Served, tmp_path: Path) -> None:
    """No body and no prompt in a finding, an error, a line of the log, the audit trail, or any file but the store's."""
    body, asked = Canary(), Canary()
    slots, agent = served.slots(), AgentServiceStub(served.channel())
    slots.Write(write("text", body.text + LONG.encode()), timeout=PATIENCE_S)
    slots.Write(write("document", body.document, content_type="application/json"), timeout=PATIENCE_S)
    slots.Write(write("word", body.word.encode()), timeout=PATIENCE_S)
    requests = inspections(body, asked)
    replies = [agent.InspectPrompt(request, timeout=PATIENCE_S) for request in requests[:3]]
    assert all(reply.findings for reply in replies)
    told = [reply.SerializeToString() for reply in replies]
    failures = [attempt(agent.InspectPrompt, request, PATIENCE_S) for request in requests[3:]]
    told += [getattr(failure, "text", "").encode() for failure in failures]
    assert [getattr(failure, "code", None) for failure in failures] == ["INVALID_ARGUMENT"] * 4
    assert not [one for one in told if asked.is_in(one)]
    assert not [one for one in told[:3] if body.is_in(one)]
    assert served.stop() == 0
    for canary in (body, asked):
        assert not canary.is_in(served.stderr)
        assert not canary.is_in((tmp_path / "audit.jsonl").read_bytes())
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if asked.is_in(path.read_bytes())]
    assert not [path for path in files if body.is_in(path.read_bytes()) and not path.name.startswith("memslot.db")]
    events = [event for event in read_trail(tmp_path / "audit.jsonl") if event["operation"] == "InspectPrompt"]
    assert len(events) == len(requests)


def test_inspections_are_right_after_a_kill(tmp_path: Path) -> None:
    """What was written before is found, what was forgotten is not, though no fingerprint was kept."""
    flags = ("--data-dir", tmp_path, "--listen", "127.0.0.1:0")
    texts = [
        " ".join(f"{word}{number}" for word in ("memory", "about", "matters", "of", "its", "own", "and", "others"))
        for number in range(4)
    ]
    with Served(*flags) as running:
        slots = running.ready().slots()
        for number, text in enumerate(texts):
            slots.Write(write(f"s{number}", text.encode()), timeout=PATIENCE_S)
        agent = AgentServiceStub(running.channel())
        agent.InspectPrompt(pb.InspectPromptRequest(namespace=NAMESPACE, prompt=texts[0]), timeout=PATIENCE_S)
        slots.Forget(slot_pb.ForgetRequest(namespace=NAMESPACE, name="s0"), timeout=PATIENCE_S)
        running.signal(signal.SIGKILL)
        assert running.exit_code() == -signal.SIGKILL
    with Served(*flags) as running:
        agent = AgentServiceStub(running.ready().channel())
        request = pb.InspectPromptRequest(namespace=NAMESPACE, prompt="\n".join(texts))
        reply = agent.InspectPrompt(request, timeout=PATIENCE_S)
        assert [found.name for found in reply.findings] == ["s1", "s2", "s3"]


def test_who_inspects_nothing_imports_no_numpy() -> None:
    """A sidecar that only keeps slots has no use for it."""
    program = (
        "import memslot, sys\n"
        "with memslot.embedded() as memory:\n"
        "    memory.write('a', 'x' * 100)\n"
        "    assert 'numpy' not in sys.modules, 'imported too early'\n"
        "    assert memory.inspect_prompt('x' * 100).leaked\n"
        "    assert 'numpy' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
