"""Diagnosis of what is huge, hostile or cut off; and what must not be told as broken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import memslot
from memslot import TurnStep

CANARY = "the blue heron nests beside the old mill every april"


@pytest.fixture
def memory() -> Iterator[memslot.Memory]:
    """A client of an embedded store in RAM, in a conversation."""
    with memslot.embedded(namespace="acme", conversation="c-1") as client:
        yield client


def _action(action: str, slot: str, **more: Any) -> str:
    return json.dumps({"action": action, "slot": slot, **more}, ensure_ascii=False)


def test_a_huge_output_is_told_in_part(memory: memslot.Memory) -> None:
    """Thousands of actions make a reply of bounded size: the worst findings stay, and how many more there are."""
    good = "\n".join(_action("mem_write", f"slot-{n}", value=n) for n in range(5_000))
    found = memory.diagnose("1", output=f'{good}\n{{"action": "mem_write", "slot": "torn", "va')
    parse = next(step for step in found.steps if step.step is TurnStep.PARSE)
    assert len(parse.findings) == 200
    assert found.first_broken is TurnStep.PARSE
    assert {"REJECTED", "PARSED", "MORE"} <= found.reasons
    assert parse.findings[-1].text == "4802 more findings are not told"


@pytest.mark.parametrize("slot", ["x" * 100_000, "", " ", "a\nb", "\x00", CANARY * 3, "\u202e"])
def test_what_is_no_name_is_not_told_as_one(memory: memslot.Memory, slot: str) -> None:
    """An output may hold anything where a name belongs: it is neither quoted nor looked up."""
    found = memory.diagnose("1", output=_action("mem_write", slot, value="v"))
    assert "PARSED_NAMELESS" in found.reasons or "REJECTED" in found.reasons
    assert not slot.strip() or slot not in str(found)
    assert len(str(found)) < 2_000
    memory.act(_action("mem_write", slot, value="v"), turn="2")
    assert not slot.strip() or slot not in str(memory.diagnose("2"))


def test_lone_surrogates_are_no_name(memory: memslot.Memory) -> None:
    """Half a character in the place of a name is looked at like any other."""
    for action in ("mem_read", "mem_write"):
        output = json.dumps({"action": action, "slot": "\ud83d", "value": 1})
        assert memory.diagnose("1", output=output).revision == 0


@pytest.mark.parametrize("name", ['quo"ted', "it's {name} %s {0}", "用户偏好", "a/b\\c", "😀"])
def test_odd_names_are_told_as_they_are(memory: memslot.Memory, name: str) -> None:
    """Braces, quotes and any script stand in the words unchanged."""
    memory.act(_action("mem_write", name, value=CANARY), turn="1")
    memory.act(_action("mem_read", name), turn="2")
    for turn, language in (("1", "en"), ("1", "zh"), ("2", "en"), ("2", "zh")):
        found = memory.diagnose(turn, language=language)
        assert name in str(found)
        assert CANARY not in str(found)


def test_a_prompt_that_begins_with_a_bracket(memory: memslot.Memory) -> None:
    """`[INST]` opens a text, not a list of messages."""
    memory.write("pref", CANARY)
    found = memory.diagnose("1", prompt=f"[INST] {CANARY} [/INST]")
    assert "BODY_CAME_BACK" in found.reasons


def test_what_an_injection_shows_has_not_come_back(memory: memslot.Memory) -> None:
    """A prompt that is given holds what the next turn was shown: that is allowed, and only that."""
    memory.write("pref", CANARY)
    memory.act("hello", turn="1")
    with memory.turn("2"):
        injected = memory.inject("pref")
    allowed = memory.diagnose("1", prompt=str(injected))
    assert "BODY_INJECTED" in allowed.reasons
    assert "BODY_CAME_BACK" not in allowed.reasons
    assert "BODY_CAME_BACK" in memory.diagnose("7", prompt=str(injected)).reasons


def test_an_answer_may_stand_on_the_turn_before(memory: memslot.Memory) -> None:
    """A read is answered in the next call of the model: its answer was not given blindly."""
    memory.write("seat", "window")
    memory.act(_action("mem_read", "seat"), turn="1")
    memory.act("You like windows.", turn="2")
    assert memory.diagnose("2", slot="seat", answer="You like windows.").first_broken is None
    assert memory.diagnose("2", answer="You like windows.").first_broken is None


def test_an_answer_to_what_was_said_needs_no_look(memory: memslot.Memory) -> None:
    """A turn that only stores something may answer in any words."""
    memory.act(_action("mem_write", "seat", value="window"), turn="1")
    assert memory.diagnose("1", answer="Noted, thank you!").first_broken is None
    asked = memory.diagnose("1", slot="seat", answer="You like the aisle.")
    assert "ANSWER_DIFFERS" in asked.reasons


def test_a_huge_answer(memory: memslot.Memory) -> None:
    """It is compared once with all slots, however many."""
    for number in range(20):
        memory.write(f"s{number}", f"fact{number}")
    output = "\n".join(_action("mem_read", f"s{number}") for number in range(20))
    memory.act(output, turn="1")
    found = memory.diagnose("1", answer="word " * 200_000 + "fact7")
    assert sum(one.reason == "ANSWER_DIFFERS" for one in found.steps[0].findings) == 19
