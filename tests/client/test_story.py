"""The minimal story: save a name, change the subject, ask for the name; by the loops of `examples/`, embedded and through a sidecar."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.client.story_models import ANSWERS, BODY, CANARY, QUESTIONS, SLOT, LocalModel, hosted_model

import memslot

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIMIT_S = 30.0
EVENTS = {"Act": 5, "Write": 1, "Read": 1, "GetPromptCard": 5, "Inject": 1, "RecordTurn": 5}
"""What the story leaves in the audit: five calls of the model, of which one writes and one reads what the next is shown."""


class Story:
    """A memory, where its audit is written, and everything that the model was given."""

    def __init__(self, memory: memslot.Memory, audit: Path) -> None:
        self.memory = memory
        self.audit = audit
        self.prompts: list[list[Any]] = []
        self.history: list[Any] = []

    def tell(self, chat: Callable[[list[Any]], str]) -> list[str]:
        """The answers."""
        answers = []
        for question in QUESTIONS:
            self.history.append({"role": "user", "content": question})
            answers.append(chat(self.history))
        return answers


@pytest.fixture(params=["embedded", "sidecar"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    """A story that has not begun."""
    said = {"namespace": "acme/story", "conversation": "c-1", "agent": "story"}
    if request.param == "embedded":
        with memslot.embedded(tmp_path / "data", **said) as memory:
            yield Story(memory, tmp_path / "data/audit.jsonl")
        return
    with SidecarProcess(tmp_path) as sidecar, memslot.connect(sidecar.target, **said) as memory:
        yield Story(memory, tmp_path / "data/audit.jsonl")


@pytest.fixture(params=["hosted", "local"])
def told(request: pytest.FixtureRequest, story: Story) -> Story:
    """The story, told by one kind of model."""
    loop = example(f"{request.param}_agent")
    if request.param == "local":
        local = LocalModel()
        answers = story.tell(lambda history: loop.chat(local, story.memory, history))
        story.prompts = local.prompts
    else:
        with hosted_model() as hosted, loop.service(hosted.url) as http:
            answers = story.tell(lambda history: loop.chat(http, story.memory, history))
        story.prompts = hosted.prompts
        assert len(hosted.tools) == 7
    assert answers == list(ANSWERS)
    return story


def example(name: str) -> ModuleType:
    """An example, as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_name_is_remembered_outside_of_the_prompt(told: Story) -> None:
    """It is stored under its name, and what the model was given and the history hold show it once: in the call after it was read."""
    assert told.memory.read(SLOT).text == BODY
    assert [CANARY in json.dumps(prompt) for prompt in told.prompts] == [False] * 4 + [True]
    assert CANARY not in json.dumps(told.history)
    inspection = told.memory.inspect_prompt(told.memory.prompt_card().around(told.history))
    assert (inspection.findings, inspection.slots) == ((), 1)


def test_what_comes_back_is_receipts(told: Story) -> None:
    """Each action is answered in the history with a line of a few dozen characters."""
    answers = [message for place, message in enumerate(told.history) if place in (2, 8)]
    assert [message["content"] for message in answers] == [f"stored {SLOT}", f"read {SLOT}: given to the application"]
    assert [message["role"] for message in answers] in (["tool", "tool"], ["user", "user"])


def test_prompts_share_all_bytes_up_to_the_tail(told: Story) -> None:
    """Every prompt begins with all of the one before it that stands before its tail, so that a prompt cache holds."""
    for earlier, later in zip(told.prompts, told.prompts[1:], strict=False):
        tail = next((place for place, one in enumerate(earlier) if _is_tail(one)), len(earlier))
        assert tail >= 2
        assert later[:tail] == earlier[:tail]
    assert [sum(map(_is_tail, prompt)) for prompt in told.prompts] == [0, 1, 1, 1, 2]


def test_a_prompt_ends_with_what_was_asked(told: Story) -> None:
    """The tail stands before the last message of the user, for a model that answers what it reads last."""
    assert [prompt[-1]["content"] for prompt in (told.prompts[0], *told.prompts[2:4])] == list(QUESTIONS)
    empty = told.memory.prompt_card(with_schemas=True)
    assert [message["content"] for message in empty.around([])] == [empty.text, *([empty.tail] if empty.tail else [])]


def _is_tail(message: dict[str, Any]) -> bool:
    return str(message["content"]).startswith(("Memory since", "[memslot begin"))


def test_the_books_tell_what_was_shown(told: Story) -> None:
    """Each call of the model is a turn; the injection is allowed in its own, and nothing is leaked in any."""
    report = told.memory.token_report()
    assert [account.turn for account in report] == ["1", "3", "5", "7", "9"]
    assert [account.injected.characters > len(BODY) for account in report] == [False] * 4 + [True]
    assert report.total is not None
    assert report.total.leaked.characters == 0
    assert report.total.receipts.characters > 0
    assert report[0].actions.characters > len(BODY) * 0.9
    assert told.memory.inspect_prompt(told.prompts[-1], turn="9").leaked == ()
    assert [one.name for one in told.memory.inspect_prompt(told.prompts[-1], turn="11").leaked] == [SLOT]


def test_the_audit_has_an_event_for_each_operation(told: Story) -> None:
    """One for each call and one for each action, with the turn, and none holds the body."""
    events = _events(told.audit, sum(EVENTS.values()))
    counted = Counter(event["operation"] for event in events)
    assert {operation: counted[operation] for operation in EVENTS} == EVENTS
    assert [event["turn"] for event in events if event["operation"] in ("Write", "Read", "Inject")] == ["1", "7", "9"]
    assert CANARY not in told.audit.read_text()


def test_values_stay_out_of_the_history_and_refusals_stay_in(story: Story) -> None:
    """What was stored is left out of a message in any form; what was refused stays for the model to mend, and objects of an SDK do."""
    memory = story.memory
    wrong = "x" * 5_000
    said = f'a {{"action":"mem_write","slot":"s","value":"{BODY}"}} b {{"action":"mem_write","slot":"t","value":"{wrong}"}}'
    kept, answer = memory.act(said).history(said)
    assert (
        kept["content"]
        == f'a {{"action":"mem_write","slot":"s"}} b {{"action":"mem_write","slot":"t","value":"{wrong}"}}'
    )
    assert answer["content"].startswith("stored s\n")
    block = {"type": "tool_use", "id": "tu_1", "name": "mem_append", "input": {"slot": "s", "value": BODY}}
    said = {"role": "assistant", "content": [{"type": "text", "text": "Yes."}, block]}
    kept, answer = memory.act(said).history(said)
    assert kept["content"] == [{"type": "text", "text": "Yes."}, {**block, "input": {"slot": "s"}}]
    assert answer["content"][0]["tool_use_id"] == "tu_1"
    said = {"role": "assistant", "content": f'Fine. {{"action":"mem_write","slot":"s","value":"{BODY}"}}'}
    kept, _ = memory.act(said).history(said)
    assert kept == {"role": "assistant", "content": "Fine."}
    assert memory.act("Plain.").history("Plain.") == [{"role": "assistant", "content": "Plain."}]
    plain = {"role": "assistant", "content": "Plain."}
    assert memory.act(plain).history(plain)[0] is plain


def test_nothing_is_shown_without_names(story: Story) -> None:
    """`injected` of no names adds nothing and asks nobody, so that a loop needs no case for it."""
    messages: list[Any] = []
    with story.memory.injected(into=messages) as text:
        assert (messages, text, text.injected) == ([], "", ())


@pytest.mark.parametrize("name", ["hosted_agent", "local_agent"])
def test_the_loop_is_short_and_the_readme_shows_it(name: str) -> None:
    """At most fifteen lines, and the README has them as they are run here."""
    source = (EXAMPLES / f"{name}.py").read_text()
    loop = source.partition("# --- the loop ---\n")[2].partition("# --- the end of the loop ---")[0].rstrip() + "\n"
    assert len(loop.splitlines()) <= 15
    assert loop in (EXAMPLES.parent / "README.md").read_text()


def _events(audit: Path, least: int) -> list[dict[str, Any]]:
    """The audit's events, once so many are written."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        events = [json.loads(line) for line in audit.read_text().splitlines()]
        if sum(event["operation"] in EVENTS for event in events) >= least:
            return events
        assert time.monotonic() < deadline, Counter(event["operation"] for event in events)
        time.sleep(0.01)


@pytest.mark.parametrize("served", [False, True])
def test_the_story_as_an_example(served: bool, tmp_path: Path) -> None:
    """`examples/save_a_name.py` runs without a model, with a memory of its own or a sidecar's, and what goes through its history is no body."""
    command = [sys.executable, str(EXAMPLES / "save_a_name.py")]
    env = {key: value for key, value in os.environ.items() if not key.startswith("MEMSLOT_")}
    if served:
        with SidecarProcess(tmp_path) as sidecar:
            env["MEMSLOT_TARGET"] = sidecar.target
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    else:
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "agent:  Of course: you are Ada."
    assert [line for line in lines if line.startswith("memory:")] == [
        "memory: stored user_name",
        "memory: read user_name: given to the application",
    ]
    assert not any("Ada" in line for line in lines if "mem_" in line)
