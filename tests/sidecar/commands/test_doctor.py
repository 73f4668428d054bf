"""`memslot doctor` against a sidecar: the five steps in words, JSON, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.sidecar.commands.conftest import Command

import memslot

CANARY = "CANARY-77b0 keeps bees behind the chapel and sells honey on sundays"


@pytest.fixture
def acted(cli: Command, sidecar: SidecarProcess, namespace: str) -> Command:
    """The command line, with a namespace in which two turns are known."""
    with memslot.connect(sidecar.target, namespace=namespace, conversation="c") as memory:
        memory.act(json.dumps({"action": "mem_write", "slot": "note", "value": CANARY}), turn="1")
        memory.record_turn([{"role": "user", "content": CANARY}], "ok", turn="2")
    return cli


def test_the_steps_in_words(acted: Command) -> None:
    """The first line says what broke, a mark shows the step, and the exit code is 1; no body is printed."""
    done = acted("doctor", "--turn", "1")
    lines = done.text.splitlines()
    assert done.code == 1
    assert lines[0].startswith("turn 1: the body of note came back")
    assert next(line for line in lines if "first that broke" in line).startswith("4 next prompt  broken")
    assert "x the body of note came back" in done.text
    assert "CANARY" not in done.text
    assert "note 的内容又出现了" in acted("doctor", "--turn", "1", "--language", "zh").text


def test_json_and_what_is_given_besides(acted: Command, tmp_path: Path) -> None:
    """Files are looked at as well; the whole diagnosis is one JSON object."""
    output, prompt = tmp_path / "output.txt", tmp_path / "prompt.json"
    output.write_text('{"action": "mem_read", "slot": "note"}')
    prompt.write_text(json.dumps([{"role": "user", "content": "hello"}]))
    done = acted("doctor", "--turn", "9", "--output", str(output), "--prompt", str(prompt), "--json")
    assert done.code == 0
    assert done.json["first_broken"] is None
    assert [step["step"] for step in done.json["steps"]] == ["OUTPUT", "PARSE", "STORE", "PROMPT", "TOKENS"]
    unread = acted("doctor", "--slot", "note", "--answer", "no idea", "--turn", "2")
    assert "without a mem_read of note" in unread.text


def test_what_cannot_be_looked_at(acted: Command, tmp_path: Path) -> None:
    """An unknown turn is refused with the latest ones, a file that is not there is wrong usage."""
    assert acted("doctor", "--turn", "9").code == 1
    assert acted("doctor", "--output", str(tmp_path / "none")).code == 2
    assert acted("doctor", "--output", "-", "--prompt", "-").code == 2
