"""A whole conversation with secrets in every body: no file but a store or an index, no line of the log, no receipt, book, report or diagnosis
holds one of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.faults.canaries import Canary

import memslot
from memslot.errors import MemslotError
from memslot_sidecar.cli import main

STORES = ("memslot.db", "index.db", "vectors", "chroma", "sqlite-vss")


def _act(action: str, **arguments: Any) -> str:
    return json.dumps({"action": action, **arguments})


def _turns(memory: memslot.Memory, body: Canary) -> list[object]:
    """All that a conversation of many turns gives to the model, its books, and its doctor."""
    told: list[object] = []
    outputs = [
        _act("mem_write", slot="plan", value={"step": body.word, "list": [body.word]}),
        _act("mem_write", slot="note", value=body.text.decode()),
        _act("mem_append", slot="note", value=body.text.decode()),
        _act("mem_patch", slot="plan", value={"step": body.word + "2"}),
        _act("mem_read", slot="note"),
        _act("mem_search", query="note plan"),
        _act("mem_lookup"),
        _act("mem_write", slot="big", value=body.text.decode() * 4000),
        _act("mem_write", slot="note\n", value=body.text.decode()),
        _act("mem_write", slot="odd", value=body.text.decode(), ttl=body.word, importance=body.word),
        _act("mem_write", slot="torn", value=body.text.decode())[:-3],
        f"{{'action': 'mem_write', 'slot': 'quoted', 'value': '{body.word}'}}",
        _act("mem_forget", slot="note"),
        _act("mem_read", slot="note"),
    ]
    history: list[dict[str, Any]] = [{"role": "system", "content": memory.prompt_card().text}]
    for number, output in enumerate(outputs):
        with memory.turn(str(number)):
            acted = memory.act(output, language="zh" if number % 2 else "en")
            told += [acted.model_text, acted.tool_messages, [action.error for action in acted.actions], acted.rejects]
            history.append({"role": "assistant", "content": acted.model_text})
            leaking = [*history, {"role": "tool", "content": body.text.decode()}]
            told += [memory.inspect_prompt(leaking), memory.record_turn(leaking, output)]
            told += [memory.diagnose(output=output, prompt=leaking, answer=body.word), memory.prompt_card(renew=True)]
    told += [memory.token_report(), memory.token_report(language="zh"), memory.stats(), memory.tool_schemas("openai")]
    return told


def _tasks(memory: memslot.Memory, body: Canary) -> list[object]:
    def work(item: str, task: memslot.Task) -> None:
        task.memory.write("x", body.text.decode())
        raise ValueError(body.word + item)

    report = memslot.run_batch(["a"], work, retries=1, backoff=0, memory=memory)
    return [str(report), [one.namespace_path for item in report.items for one in item.attempts]]


def _refusals(memory: memslot.Memory, body: Canary) -> list[object]:
    """Requests that are wrong, with secrets in them."""
    wrong: list[Any] = [
        lambda: memory.act(body.text.decode(), own_prefixes=[body.word * 40]),
        lambda: memory.record_turn("x", turn="t", card=body.text.decode()),
        lambda: memory.diagnose(prompt="[" + body.text.decode()),
        lambda: memory.inject("plan", max_chars=-1),
    ]
    told = []
    for call in wrong:
        try:
            told.append(call())
        except (MemslotError, ValueError, TypeError) as error:
            told.append(str(error))
    return told


def test_no_body_leaves_by_the_edge(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Receipts, tool messages, errors, books, reports, diagnoses, the card, the log, the audit trail and every file beside the store."""
    body = Canary()
    with SidecarProcess(tmp_path, "--index-mode", "fulltext", "--body-limit-bytes", "64KiB") as sidecar:
        with memslot.connect(sidecar.target, namespace="acme", conversation="c") as memory:
            memory.write("seen", body.text.decode())
            told = _turns(memory, body) + _tasks(memory, body)
            shown = memory.inject("seen")
            assert body.is_in(str(shown).encode())
            told += [repr(shown), shown.injected, memory.scrub(str(shown))]
            refused = _refusals(memory, body)
        at = ("--target", sidecar.target, "--namespace", "acme")
        for command in (("report", "--json"), ("doctor", "--json"), ("doctor", "--turn", "1"), ("stats",), ("lookup",)):
            main([*command, *at])
        printed = capfd.readouterr()
        told += [printed.out, printed.err]
    assert not [one for one in map(str, told) if body.is_in(one.encode())]
    words = [one for one in map(str, refused) if body.is_in(one.encode())]
    assert not words
    assert not body.is_in(sidecar.output.encode())
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        if not path.name.startswith(STORES):
            assert not body.is_in(path.read_bytes()), path.name
    assert (tmp_path / "data" / "turns.db").exists()
