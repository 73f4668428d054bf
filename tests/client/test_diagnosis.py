"""Diagnosis: of each way in which a turn goes wrong, the step that broke, in words, and never a body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import memslot
from memslot import StepVerdict, TurnStep
from memslot.errors import TurnNotFound

CANARY = "the blue heron nests beside the old mill every april"


@pytest.fixture
def memory() -> Iterator[memslot.Memory]:
    """A client of an embedded store in RAM, in a conversation."""
    with memslot.embedded(namespace="acme", conversation="c-1", agent="helper") as client:
        yield client


def _act(memory: memslot.Memory, turn: str, *actions: dict[str, Any], fence: bool = False) -> memslot.Acted:
    written = "\n".join(json.dumps(action, ensure_ascii=False) for action in actions)
    return memory.act(f"```json\n{written}\n```" if fence else written, turn=turn)


def _write(slot: str, value: object = CANARY, **more: object) -> dict[str, Any]:
    return {"action": "mem_write", "slot": slot, "value": value, **more}


def _read(slot: str) -> dict[str, Any]:
    return {"action": "mem_read", "slot": slot}


def _finding(found: memslot.Diagnosis, reason: str) -> memslot.DiagnosisFinding:
    return next(one for step in found.steps for one in step.findings if one.reason == reason)


def test_a_turn_that_went_well(memory: memslot.Memory) -> None:
    """Each step is told, what was fenced was parsed, and nothing broke."""
    memory.prompt_card()
    _act(memory, "1", _write("pref"), fence=True)
    card = memory.prompt_card(renew=True)
    with memory.turn("2"):
        memory.record_turn([{"role": "system", "content": card.text}], "ok")
    _act(memory, "2", _read("pref"))
    found = memory.diagnose("1")
    assert [step.step for step in found.steps] == list(TurnStep)[1:]
    assert found.first_broken is None
    assert "fence" in _finding(found, "PARSED").text
    assert _finding(found, "WRITTEN").revision == memory.describe("pref").revision
    assert {"ON_CARD", "NO_BODY"} <= found.reasons
    assert "NEVER_READ" not in found.reasons
    assert CANARY not in str(found)


def test_an_output_that_was_torn(memory: memslot.Memory) -> None:
    """The parse broke first, with the reason and where; lenient mode is named where it would help."""
    memory.act('{"action": "mem_write", "slot": "pref", "value": "the blue her', turn="1")
    found = memory.diagnose("1")
    assert found.first_broken is TurnStep.PARSE
    assert "0 to" in _finding(found, "REJECTED").text
    single = "{'action': 'mem_write', 'slot': 'pref', 'value': 'x'}"
    assert "LENIENT_FINDS_MORE" in memory.diagnose("1", output=single).reasons


def test_a_write_that_was_refused(memory: memslot.Memory) -> None:
    """The store refused it, and why."""
    _act(memory, "1", _write("pref", "x" * 5000))
    found = memory.diagnose("1")
    assert found.first_broken is TurnStep.STORE
    assert "BODY_TOO_LARGE" in found.summary


def test_a_slot_that_was_overwritten_since(memory: memslot.Memory) -> None:
    """Written at one revision, changed at another, by whom and in which turn."""
    _act(memory, "1", _write("pref"))
    first = memory.describe("pref").revision
    _act(memory, "2", _write("pref", "something else"))
    changed = _finding(memory.diagnose("1"), "CHANGED_SINCE")
    assert changed.verdict is StepVerdict.WARNING
    assert f"revision {first} and changed at {changed.revision} by helper in turn 2" in changed.text
    memory.forget("pref")
    gone = _finding(memory.diagnose("2"), "FORGOTTEN_SINCE")
    assert gone.revision == memory.server_info().revision


def test_a_read_that_came_too_early(memory: memslot.Memory) -> None:
    """The slot was read before it was written; a name that never was has a nearest one."""
    _act(memory, "1", _read("pref"))
    assert _finding(memory.diagnose("1"), "NEVER_WRITTEN").verdict is StepVerdict.BROKEN
    _act(memory, "2", _write("pref"))
    found = memory.diagnose("1")
    assert found.first_broken is TurnStep.STORE
    assert f"at revision {memory.describe('pref').revision} in turn 2" in _finding(found, "READ_BEFORE_WRITTEN").text
    _act(memory, "3", _read("perf"))
    assert "nearest name is pref" in memory.diagnose("3").summary


def test_a_slot_that_expired_or_was_evicted() -> None:
    """What time or the limit took is told as that."""
    settings = {"slot_limit": 1, "overflow": "evict_lowest_rank"}
    with memslot.embedded(namespace="acme", conversation="c", settings=settings) as memory:
        _act(memory, "1", _write("a"))
        _act(memory, "2", _write("b"))
        assert memory.diagnose("1").summary.startswith("a was evicted at revision")
        _act(memory, "3", _read("a"))
        assert "READ_AFTER_EVICTED" in memory.diagnose("3").reasons


def test_a_body_that_came_back(memory: memslot.Memory) -> None:
    """The next prompt holds it: which message, and how much; also where the prompt is given only now."""
    _act(memory, "1", _write("pref"))
    history = [{"role": "user", "content": "hi"}] * 4 + [{"role": "assistant", "content": f"I stored: {CANARY}"}]
    memory.record_turn(history, "ok", turn="2")
    found = memory.diagnose("1")
    assert found.first_broken is TurnStep.PROMPT
    assert f"{len(CANARY)} characters of it stand in message 4 of turn 2" in found.summary
    assert "LEAKED" in found.reasons
    assert CANARY not in str(found)
    given = memory.diagnose("1", prompt=history[4:])
    assert "message 0" in _finding(given, "BODY_CAME_BACK").text


def test_a_slot_that_the_card_does_not_list(memory: memslot.Memory) -> None:
    """Too many names for the card: the slot was there, and the model could not know it."""
    for number in range(40):
        memory.write(f"slot_{number}_with_a_rather_long_name", "x", description="words " * 10, importance=1.0)
    _act(memory, "1", _write("pref", importance=0.0))
    memory.prompt_card(max_chars=1000)
    found = memory.diagnose("1")
    assert "does not list pref" in _finding(found, "NOT_ON_CARD").text
    assert found.first_broken is TurnStep.PROMPT


def test_a_slot_that_nobody_reads(memory: memslot.Memory) -> None:
    """It was stored, and no later turn read it."""
    _act(memory, "1", _write("pref"))
    _act(memory, "2", {"action": "mem_lookup"})
    assert _finding(memory.diagnose("1"), "NEVER_READ").name == "pref"


def test_answers(memory: memslot.Memory) -> None:
    """Given without a read, or with nothing of what the slot says; an answer that stands on a read is left alone."""
    memory.write("seat", "window")
    memory.act("You like aisle seats.", turn="1")
    blind = memory.diagnose("1", slot="seat", answer="You like aisle seats.")
    assert {"NO_ACTION", "ANSWER_WITHOUT_READ", "ANSWER_DIFFERS"} <= blind.reasons
    assert blind.first_broken is TurnStep.OUTPUT
    assert "ANSWER_WITHOUT_LOOKING" in memory.diagnose("1", answer="You like aisle seats.").reasons
    _act(memory, "2", _read("seat"))
    wrong = memory.diagnose("2", answer="You like aisle seats.")
    assert "ANSWER_DIFFERS" in wrong.reasons
    assert "ANSWER_WITHOUT_READ" not in wrong.reasons
    right = memory.diagnose("2", answer="You prefer windows.")
    assert right.first_broken is None
    assert "window" not in str(wrong)


def test_turns_are_told_apart_and_missing_ones_are_an_error(memory: memslot.Memory) -> None:
    """The latest turn is the default, another conversation's is not taken, and what is not known is said."""
    _act(memory, "1", _write("a"))
    _act(memory, "2", _write("b"))
    assert memory.diagnose().turn == "2"
    with pytest.raises(TurnNotFound, match="the latest are 1, 2"):
        memory.diagnose("7")
    with pytest.raises(TurnNotFound):
        memory.diagnose("1", conversation="other")
    assert "PARSED" in memory.diagnose("7", output=json.dumps(_write("c"))).reasons
    with pytest.raises(memslot.NotFound):
        memory.describe("c")
    with pytest.raises(memslot.InvalidRequest):
        memory.diagnose("1", slot="\n")


def test_it_speaks_chinese(memory: memslot.Memory) -> None:
    """Every finding has its words in both languages."""
    _act(memory, "1", _read("pref"))
    assert "没有槽位 pref" in memory.diagnose("1", language="zh").summary
