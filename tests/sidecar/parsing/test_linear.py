"""The time is linear in the length of the output, however it is made."""

from __future__ import annotations

from time import process_time

import pytest
from tests.benchmarks.parsed_texts import ADVERSARIAL, PLAIN, repeated

from memslot_sidecar.parsing import parse

UNITS = [
    "{",
    "[",
    '{"a":',
    '{"a":x',
    '[{"a":"',
    "```json\n{",
    '<tool_call>{"name": "mem_read", ',
    "<think>",
    "</think>",
    "<tool_call><function=mem_write><parameter=a>",
    "<parameter=a></parameter>",
    '<invoke name="mem_write"><parameter name="value">a</parameter> ',
    "<tool_call>mem_write<arg_key>slot</arg_key>",
    "mem_write(",
    'mem_read((slot="',
    '[mem_read(slot="a"), ',
    '{"action": "mem_write", "slot": "',
    '{"action": "mem_read", "slot": "x",} ',
    "{'action': 'mem_read', ",
    '{\\"action\\": ',
    "{&quot;mem_read",
    "Action: mem_read\nAction Input: {",
    '<|tool_call>call:mem_write{slot:<|"|>',
    "<|start|>assistant to=functions.mem_read<|message|>",
    "<|channel|>analysis<|message|>",
    '{"action": "mem_write", "value": "a "b" ',
    '{"mem_x": "a\\d", ',
    '{"tool_calls": [',
    "{a: /* mem_read",
    "✿FUNCTION✿: mem_read\n✿ARGS✿: {",
    '[TOOL_CALLS]mem_read[ARGS]{"a":',
    "\\u0061",
    '<think></think>{"action": "mem_read", "slot": "x"}</think>',
    'mem_write(slot="x", value=' + "(" * 900,
    '{"mem_read": 1, "a": 1, "a": 1, "a": ',
    "`",
]


def _seconds(text: str) -> float:
    start = process_time()
    parse(text, lenient=True)
    return process_time() - start


def _grows_linearly(unit: str, tail: str) -> bool:
    short, long = (unit * (size // len(unit)) + tail for size in (6_000, 60_000))
    parse(short)
    return _seconds(long) < 40 * max(_seconds(short), 0.0005)


@pytest.mark.parametrize("tail", ["", "}" * 50 + ' {"action": "mem_read", "slot": "x"}'], ids=["torn", "closed"])
@pytest.mark.parametrize("unit", UNITS)
def test_ten_times_the_output_takes_about_ten_times_as_long(unit: str, tail: str) -> None:
    """A repeated opener, whatever it opens, costs no more than in proportion: quadratic time would be a hundredfold."""
    assert any(_grows_linearly(unit, tail) for _ in range(3))


@pytest.mark.parametrize("unit", [*ADVERSARIAL.values(), *PLAIN.values()], ids=[*ADVERSARIAL, *PLAIN])
def test_a_megabyte_of_anything_takes_about_ten_times_as_long_as_a_tenth_of_it(unit: str) -> None:
    """What `make bench` measures of the parser does not hang it: quadratic time would be a hundredfold."""
    short, long = repeated(unit, 100_000), repeated(unit, 1_000_000)
    assert any(_seconds(long) < 25 * max(_seconds(short), 0.0005) for _ in range(3))


def test_an_object_behind_a_megabyte_of_openers_is_found() -> None:
    """A long run of braces hides nothing that comes after it."""
    parsed = parse("{" * 1_000_000 + '\n{"action": "mem_read", "slot": "x"}')
    assert [action.arguments for action in parsed.actions] == [{"slot": "x"}]
