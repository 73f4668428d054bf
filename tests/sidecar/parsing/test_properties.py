"""What holds for every text."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sidecar.parsing.invariants import check
from tests.sidecar.parsing.test_model_outputs import CASES

from memslot_sidecar.parsing import Parsed, parse

OUTPUTS = [case["output"] for case in CASES]
PIECES = sorted({piece for output in OUTPUTS for piece in re.findall(r"\w+|[^\w\s]+|\s+", output) if len(piece) < 40})
soup = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60).map("".join)
damaged = st.tuples(st.sampled_from(OUTPUTS), st.integers(0, 4000), st.integers(0, 6), soup).map(
    lambda made: made[0][: made[1]] + made[3][:20] + made[0][made[1] + made[2] :]
)
anything = st.one_of(st.text(max_size=300), soup, damaged)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
slots = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12)
SHAPES = (
    '{"action": "mem_write", "slot": %(slot)s, "value": %(value)s}',
    '```json\n{"action": "mem_write", "slot": %(slot)s, "value": %(value)s}\n```',
    '<tool_call>\n{"name": "mem_write", "arguments": {"slot": %(slot)s, "value": %(value)s}}\n</tool_call>',
    '[{"name": "mem_write", "parameters": {"value": %(value)s, "slot": %(slot)s}}]',
    '<|tool_call_begin|>mem_write:0<|tool_call_argument_begin|>{"slot": %(slot)s, "value": %(value)s}<|tool_call_end|>',
    '[TOOL_CALLS]mem_write[ARGS]{"slot": %(slot)s, "value": %(value)s}',
    '<function=mem_write>{"slot": %(slot)s, "value": %(value)s}</function>',
    'Action: mem_write\nAction Input: {"slot": %(slot)s, "value": %(value)s}',
)
writes = st.lists(st.tuples(st.sampled_from(SHAPES), slots, values), min_size=1, max_size=5)


def _taken(parsed: Parsed) -> list[tuple[str, str]]:
    return [(action.name, action.arguments_json) for action in parsed.actions]


@given(anything)
@settings(max_examples=500, deadline=None)
def test_what_holds_for_every_text(text: str) -> None:
    """Whatever the text, nothing is raised, spans are inside and apart, strict mode is lenient mode without what was mended, a complete
    action runs once, and one that never closes does not."""
    check(text)


@given(writes)
@settings(max_examples=200, deadline=None)
def test_actions_one_after_the_other_are_found_in_order(made: list[tuple[str, str, object]]) -> None:
    """Outputs of any of these shapes, joined by line feeds, give all their actions, value for value."""
    text = "\n".join(shape % {"slot": json.dumps(slot), "value": json.dumps(value)} for shape, slot, value in made)
    parsed = parse(text)
    assert parsed.rejects == ()
    assert [action.arguments for action in parsed.actions] == [
        {"slot": slot, "value": value} for _, slot, value in made
    ]
    for action, (_, slot, _) in zip(parsed.actions, made, strict=True):
        assert json.dumps(slot) in text[action.start : action.end]


@given(st.sampled_from(SHAPES), st.text(st.characters(categories=["L"]), min_size=12, max_size=60))
@settings(max_examples=100, deadline=None)
def test_a_stored_text_is_not_in_the_user_text(shape: str, body: str) -> None:
    """What was stored does not come back with the text for the user."""
    filled = shape % {"slot": '"a"', "value": json.dumps(body)}
    parsed = parse(f"Before.\n{filled}\nAfter.")
    assert parsed.actions
    assert body not in parsed.user_text
    assert json.dumps(body)[1:-1] not in parsed.user_text
    assert "Before." in parsed.user_text
    assert "After." in parsed.user_text


WHOLE = [case for case in CASES if case["strict"] and not case["expect"]["rejects"]]
"""What is cut off can be what made an action unreadable, so only those in which nothing is."""


@given(st.sampled_from([case for case in WHOLE if "hink" not in case["output"].lower()]), st.data())
@settings(max_examples=400, deadline=None)
def test_a_truncated_output_gives_no_other_action(case: dict[str, str], data: st.DataObject) -> None:
    """Wherever an output is cut off, strict mode takes only actions that the whole has, with equal arguments."""
    output = case["output"]
    cut = parse(output[: data.draw(st.integers(0, len(output)))])
    whole = _taken(parse(output))
    assert _taken(cut) == whole[: len(cut.actions)]
