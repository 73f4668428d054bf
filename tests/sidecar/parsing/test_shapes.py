"""Shapes, broken variants and near misses beyond the corpus."""

from __future__ import annotations

import pytest

from memslot_sidecar.parsing import parse

READ = '{"action": "mem_read", "slot": "x"}'

TAKEN = {
    "tilde fence": f"~~~json\n{READ}\n~~~",
    "crlf": f"```json\r\n{READ}\r\n```\r\n",
    "whole line in backticks": f"`{READ}`",
    "leaked end token": f"{READ}<|im_end|>",
    "byte order mark": f"\ufeff{READ}",
    "bare python call": 'mem_read(slot="x")',
    "python call with the prefix": '[functions.mem_read(slot="x")]',
    "code fence of calls only": '```python\n# look\nmem_read(slot="x")\n```',
    "harmony preamble": "<|channel|>commentary<|message|>Wait.<|end|><|start|>assistant<|channel|>commentary to=functions.mem_read"
    '<|message|>{"slot": "x"}',
    "kimi without the prefix": '<|tool_call_begin|>mem_read:0<|tool_call_argument_begin|>{"slot": "x"}<|tool_call_end|>',
    "deepseek without its end": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>mem_read\n```json\n{"slot": "x"}',
    "mistral with a call id": '[TOOL_CALLS]mem_read[CALL_ID]abc123[ARGS]{"slot": "x"}</s>',
    "tags without a wrapper": "<function=mem_read>\n<parameter=slot>\nx\n</parameter>\n</function>",
    "a tag for the tool": "<mem_read>\n<slot>x</slot>\n</mem_read>",
    "responses API": '{"output": [{"type": "function_call", "call_id": "c", "name": "mem_read", "arguments": "{\\"slot\\": \\"x\\"}"}]}',
    "converse API": '{"output": {"message": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "mem_read", '
    '"input": {"slot": "x"}}}]}}}',
    "chat of a local server": '{"message": {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "mem_read", '
    '"arguments": {"slot": "x"}}}]}}',
    "a candidate": '{"candidates": [{"content": {"parts": [{"functionCall": {"name": "mem_read", "args": {"slot": "x"}}}]}}]}',
    "a call in the content": '{"role": "assistant", "content": "<tool_call>{\\"name\\": \\"mem_read\\", \\"arguments\\": '
    '{\\"slot\\": \\"x\\"}}</tool_call>"}',
    "function gemma": "<start_function_call>call:mem_read{slot:<escape>x<escape>}<end_function_call>",
    "think in backticks": f"Close `<think>` first. {READ}",
    "name as key": '{"mem_read": {"slot": "x"}}',
}
LENIENT = {
    "missing_end_tag": "<tool_call>\n<function=mem_read>\n<parameter=slot>\nx\n</parameter>\n</tool_call>",
    "stray_brackets": '<|tool_call_begin|>mem_read:0<|tool_call_argument_begin|>{"slot": "x"}}<|tool_call_end|>',
    "missing_tokens": 'assistantcommentary to=functions.mem_read json{"slot": "x"}',
    "name_prefix": '```tool_code\nprint(default_api.mem_read(slot="x"))\n```',
    "fence_around_arguments": 'Action: mem_read\nAction Input:\n```json\n{"slot": "x"}\n```',
    "name_before_object": 'mem_read: {"slot": "x"}',
    "quotes_for_tokens": '<|tool_call>call:mem_read{"slot": "x"}<tool_call|>',
    "fullwidth_punctuation": "｛＂action＂：＂mem_read＂，＂slot＂：＂x＂｝",
    "duplicate_key": '{"action": "mem_read", "slot": "x", "slot": "x"}',
    "escaped_object": r'"{\"action\": \"mem_read\", \"slot\": \"x\"}"',
    "name_spelling": '{"action": "mem-read", "slot": "x"}',
    "wrapper": '{"tool_call": {"name": "mem_read", "arguments": {"slot": "x"}}}',
    "merged_calls": '{"name": "mem_read", "arguments": "{\\"slot\\": \\"x\\"}{\\"slot\\": \\"x\\"}"}',
}
REFUSED = {
    "NOT_A_NUMBER": '{"action": "mem_write", "slot": "x", "value": NaN}',
    "NUMBER_OUT_OF_RANGE": '{"action": "mem_write", "slot": "x", "value": 1e999}',
    "TOO_DEEP": '{"action": "mem_write", "slot": "x", "value": ' + "[" * 200 + "]" * 200 + "}",
    "MALFORMED_JSON": '{"action": "mem_write", "slot": "x", "value": 007}',
    "NESTED_ACTION": '{"results": [{"action": "mem_read", "slot": "x"}]}',
    "SCHEMA_NOT_CALL": '{"name": "mem_lookup", "parameters": {"type": "object", "properties": {}}}',
    "UNREADABLE_CALL": '"action": "mem_read", "slot": "x"}',
    "MID_SENTENCE": 'You can call mem_forget(slot="x") to delete it.',
    "SAMPLE_CODE": '```python\nimport memory\nmem_write(slot="x", value=1)\n```',
    "AMBIGUOUS_MARKUP": "<function=mem_write>\n<parameter=slot>\nd\n</parameter>\n<parameter=value>\nuse <function=mem_forget>"
    "<parameter=slot>x</parameter></function> so\n</parameter>\n</function>",
    "TEXT_AFTER_ARGUMENTS": 'Action: mem_read\nAction Input: {"slot": "x"} to find it',
    "AMBIGUOUS": '{"action": "mem_write", "slot": "x", "value": "close it with "}" at the end"}',
    "AMBIGUOUS_ARGUMENTS": '{"name": "mem_read", "arguments": {"slot": "x"}, "parameters": {"slot": "y"}}',
    "AMBIGUOUS_NAME": '{"name": "mem_read", "action": "mem_forget", "arguments": {"slot": "x"}}',
    "NOT_A_TEXT": '{"action": "mem_read", "slot": 5}',
    "UNKNOWN_ACTION": '{"action": "mem_wirte", "slot": "x", "value": 1}',
    "REASONING_UNCLEAR": '<think>a</think> {"action": "mem_forget", "slot": "z"} </think>',
    "TRUNCATED": '<|tool_call>call:mem_write{slot:<|"|>x<|"|>,value:<|"|>abc',
}
SILENT = {
    "a mention": "Use mem_write(slot, value) to store, or mem_lookup() to list.",
    "another tool's arguments": '{"name": "send", "arguments": {"body": {"action": "mem_read", "slot": "x"}}}',
    "another tool, torn": '{"name": "search", "arguments": {"q": "how does mem_write wor',
    "another tool in tags": "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>mem_read</arg_value>\n</tool_call>",
    "another tool in ReAct": 'Action: search\nAction Input: {"query": "mem_read"}',
}


@pytest.mark.parametrize("output", TAKEN.values(), ids=TAKEN)
def test_taken_in_both_modes(output: str) -> None:
    """A complete action runs whatever stands around it."""
    for lenient in (False, True):
        parsed = parse(output, lenient=lenient)
        assert [(action.name, action.arguments) for action in parsed.actions] == [("mem_read", {"slot": "x"})]
        assert parsed.actions[0].repaired == ()
        assert parsed.rejects == ()


@pytest.mark.parametrize(("repair", "output"), LENIENT.items(), ids=LENIENT)
def test_taken_leniently_and_marked(repair: str, output: str) -> None:
    """What has one reading is taken in lenient mode, marked, and is a reject with that reason in strict mode."""
    assert {reject.reason for reject in parse(output).rejects} == {repair.upper()}
    actions = parse(output, lenient=True).actions
    assert [(action.name, action.arguments) for action in actions] == [("mem_read", {"slot": "x"})]
    assert repair in actions[0].repaired


@pytest.mark.parametrize(("reason", "output"), REFUSED.items(), ids=REFUSED)
def test_refused_in_both_modes(reason: str, output: str) -> None:
    """What is no action, or has two readings, is reported with its reason, a span and a hint."""
    for lenient in (False, True):
        parsed = parse(output, lenient=lenient)
        assert parsed.actions == ()
        assert [reject.reason for reject in parsed.rejects] == [reason]
        assert parsed.rejects[0].end > parsed.rejects[0].start
        assert parsed.rejects[0].hint


@pytest.mark.parametrize("output", SILENT.values(), ids=SILENT)
def test_left_alone(output: str) -> None:
    """A mention, and another tool's call, is neither run nor reported, and stays in the text."""
    for lenient in (False, True):
        parsed = parse(output, lenient=lenient)
        assert (parsed.actions, parsed.rejects, parsed.user_text) == ((), (), output)


@pytest.mark.parametrize("value", ['{a"}', 'a "}</b>', 'say "}b" c', '[x"]}'])
def test_an_object_that_a_quote_in_its_text_seems_to_end_is_not_taken(value: str) -> None:
    """When a quote that is not escaped stands before a brace, half the text would be stored: it is refused."""
    parsed = parse('{"action": "mem_write", "slot": "x", "value": "' + value + '"}', lenient=True)
    assert parsed.actions == ()
    assert len(parsed.rejects) == 1


def test_a_decimal_keeps_its_digits() -> None:
    """A number that a double rounds is written as it was."""
    value = "[1.10, 0.1234567890123456789, 2e3, 123456789012345678901234567890]"
    parsed = parse('{"action": "mem_write", "slot": "x", "value": ' + value + "}")
    assert parsed.actions[0].arguments_json == '{"slot": "x", "value": ' + value + "}"


def test_a_call_without_its_end_does_not_swallow_the_next() -> None:
    """A value whose closing tag is missing ends where its call does, and the next call is found."""
    output = (
        "<function=mem_write>\n<parameter=slot>\na\n</parameter>\n<parameter=value>\nleek\n</function>\n"
        "<function=mem_read>\n<parameter=slot>\nx\n</parameter>\n</function>"
    )
    assert [action.name for action in parse(output).actions] == ["mem_read"]
    assert [action.arguments.get("value") for action in parse(output, lenient=True).actions] == ["leek", None]


def test_the_ids_that_want_an_answer_are_told_with_their_form() -> None:
    """Each call id of ours is listed once, also that of a reject; a foreign call's is not."""
    output = (
        '{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "mem_read", "input": {}}, '
        '{"type": "tool_use", "id": "t2", "name": "other", "input": {}}, '
        '{"type": "tool_use", "id": "t3", "name": "mem_read", "input": {"slot": "x"}}]}'
    )
    parsed = parse(output)
    assert [(reply.call_id, reply.form) for reply in parsed.replies_to] == [("t1", "anthropic"), ("t3", "anthropic")]
    assert parsed.rejects[0].call_id == "t1"


def test_a_span_in_a_text_part_is_the_one_where_it_was_written() -> None:
    """An action inside the text of a message has its span in the message's own JSON."""
    output = '{"role": "assistant", "content": "\\u00e9\\n{\\"action\\": \\"mem_read\\", \\"slot\\": \\"x\\"} ok"}'
    action = parse(output).actions[0]
    assert output[action.start : action.end] == '{\\"action\\": \\"mem_read\\", \\"slot\\": \\"x\\"}'
