"""The same talk twice with the same model: with all memory in the prompt, and with memslot."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.llm.model import Call, SmallModel
from tests.llm.talk import Fact, facts, turns

import memslot

LOOP = Path(__file__).resolve().parents[2] / "examples/local_agent.py"
_TEXT = {"type": "string", "minLength": 1, "maxLength": 80}
_WORDS = {"type": "string", "pattern": "^[A-Za-z0-9 ']{1,48}$"}
"""One sentence without its end: so small a model would go on and on."""
ANSWER = {"type": "object", "properties": {"answer": _WORDS}, "required": ["answer"]}
WRITE = {
    "type": "object",
    "properties": {
        "action": {"const": "mem_write"},
        "slot": {"type": "string", "pattern": "^[a-z_]{3,20}$"},
        "value": _TEXT,
    },
    "required": ["action", "slot", "value"],
}
EXAMPLES = (
    ("shoe_size", "The user's shoe size is 39"),
    ("locker", ""),
    ("old_village", "The user's old village is Tarnby"),
    ("first_hotel", "The user's first hotel is Ostmere"),
)
"""What the history begins with, so that so small a model knows the forms: things asked for, and one to be remembered."""


@dataclass(slots=True)
class Measured:
    """What a talk came to.

    Answers to questions are ``right`` or ``wrong`` when the slot in question was read before, or when the prompt held all memory; else they
    were given ``without_a_read`` of it, and ``guessed_right`` tells how many of those are right all the same.
    """

    calls: Sequence[Call] = ()
    prompts: list[list[Any]] = field(default_factory=list)
    right: int = 0
    wrong: int = 0
    without_a_read: int = 0
    guessed_right: int = 0

    def add(self, fact: Fact, output: str, *, looked: bool) -> None:
        """Counts an answer."""
        right = fact.word.lower() in output.lower()
        if not looked:
            self.without_a_read += 1
            self.guessed_right += right
        elif right:
            self.right += 1
        else:
            self.wrong += 1


def taught(*, reads: bool) -> list[dict[str, str]]:
    """The examples as messages; with ``reads`` each answer comes after a read."""
    messages = []
    for slot, answer in EXAMPLES:
        asked = f"What is my {slot.replace('_', ' ')}?" if answer else f"Remember that my {slot} is 12."
        messages.append({"role": "user", "content": asked})
        action = (
            {"action": "mem_read", "slot": slot} if answer else {"action": "mem_write", "slot": slot, "value": "12"}
        )
        if reads or not answer:
            messages.append({"role": "assistant", "content": json.dumps(action)})
            receipt = f"read {slot}: given to the application" if answer else f"stored {slot}"
            messages.append({"role": "user", "content": receipt})
        messages.append({"role": "assistant", "content": json.dumps({"answer": answer or "Noted"})})
    return messages


def inlined(model: SmallModel) -> Measured:
    """All bodies stand in the system message, new ones behind the old ones; the model can still store."""
    model.forget_cache()
    known = facts()
    bodies = {fact.slot: fact.body for fact in known}
    history, measured = taught(reads=False), Measured()
    for turn in turns(known):
        history.append({"role": "user", "content": turn.said})
        output = ""
        for _ in range(2):
            told = "\n".join(f"{name}: {body}" for name, body in bodies.items())
            system = (
                f"You have a memory. Answer from it in a short sentence; keep what will matter with mem_write.\n{told}"
            )
            prompt = [{"role": "system", "content": system}, *history]
            stored = history[-1]["content"].startswith("stored ")
            output = model.say(prompt, ANSWER if stored else {"anyOf": [ANSWER, WRITE]})
            measured.prompts.append(prompt)
            history.append({"role": "assistant", "content": output})
            said = _parsed(output)
            if "action" not in said:
                break
            bodies[said["slot"]] = said["value"]
            history.append({"role": "user", "content": f"stored {said['slot']}"})
        if turn.asks is not None:
            measured.add(turn.asks, output, looked=True)
    measured.calls = model.calls
    return measured


def outside(model: SmallModel, memory: memslot.Memory, *, required: bool) -> Measured:
    """With the loop of examples/local_agent.py: a card, actions, receipts, and bodies for one call.

    With ``required`` the first thing in each turn is an action, as hosted APIs can be told to demand (``tool_choice``).
    """
    model.forget_cache()
    known = facts()
    for fact in known:
        memory.write(fact.slot, fact.body, ttl=memslot.NEVER)
    measured, chat = Measured(), _loop()
    history: list[Any] = taught(reads=True)

    def generate(prompt: Sequence[Mapping[str, Any]]) -> str:
        measured.prompts.append(list(prompt))
        return model.say(prompt, _choices(memory, history, required=required))

    for turn in turns(known):
        before = len(history)
        history.append({"role": "user", "content": turn.said})
        output = chat(generate, memory, history)
        if turn.asks is not None:
            receipts = [message["content"] for message in history[before:] if message["role"] == "user"]
            looked = any(text.startswith(f"read {turn.asks.slot}") for text in receipts)
            measured.add(turn.asks, output, looked=looked)
    measured.calls = model.calls
    return measured


def _choices(memory: memslot.Memory, history: Sequence[Mapping[str, Any]], *, required: bool) -> Mapping[str, Any]:
    """What the model may say next: behind a receipt an answer, else an action or, if none is required, an answer."""
    if history[-1]["content"].startswith(("read ", "stored ")):
        return ANSWER
    names = [entry.name for entry in memory.lookup()]
    read = {
        "type": "object",
        "properties": {"action": {"const": "mem_read"}, "slot": {"enum": names}},
        "required": ["action", "slot"],
    }
    return {"anyOf": [read, WRITE] if required else [read, WRITE, ANSWER]}


def _loop() -> Callable[..., str]:
    spec = importlib.util.spec_from_file_location("local_agent", LOOP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    chat: Callable[..., str] = module.chat
    return chat


def _parsed(output: str) -> dict[str, Any]:
    """What was said; an output that was cut off is an answer."""
    try:
        said: dict[str, Any] = json.loads(output)
    except json.JSONDecodeError:
        return {}
    return said
