"""What remains for the user: the output without the actions and what wrapped them, with another tool's calls as they were."""

from __future__ import annotations

import pytest

from memslot_sidecar.parsing import parse

OURS = '{"name": "mem_read", "arguments": {"slot": "x"}}'
OTHER = '{"name": "get_time", "arguments": {}}'
INVOKE = '<invoke name="mem_read">\n<parameter name="slot">x</parameter>\n</invoke>'
OTHER_INVOKE = '<invoke name="get_time">\n</invoke>'
KIMI = '<|tool_call_begin|>functions.mem_read:0<|tool_call_argument_begin|>{"slot": "x"}<|tool_call_end|>'
OTHER_KIMI = "<|tool_call_begin|>functions.get_time:1<|tool_call_argument_begin|>{}<|tool_call_end|>"

NOTHING_OF_OURS = {
    f"[{OURS}, {OURS}]": "",
    f"Text.\n[TOOL_CALLS][{OURS}, {OURS}]</s>": "Text.",
    f"```json\n[{OURS},\n {OURS}]\n```\nDone.": "Done.",
    f"```json {OURS} ```": "",
    f"<tool_calls>[\n    {OURS},\n    {OURS}\n]</tool_calls>": "",
    f"Ok.<|tool_calls_section_begin|>{KIMI}{KIMI}<|tool_calls_section_end|>": "Ok.",
    '[mem_read(slot="x"), mem_read(slot="y")] Done.': "Done.",
}
THE_OTHER_STAYS = {
    f"[{OTHER}, {OURS}]": f"[{OTHER}]",
    f"[{OURS}, {OTHER}]": f"[{OTHER}]",
    f"[{OTHER}, {OURS}, {OTHER}]": f"[{OTHER}, {OTHER}]",
    f"<TOOLCALL>[{OURS}, {OTHER}]</TOOLCALL>": f"<TOOLCALL>[{OTHER}]</TOOLCALL>",
    f"<tool_calls>\n{OTHER}\n{OURS}\n</tool_calls> Done.": f"<tool_calls>\n{OTHER}\n</tool_calls> Done.",
    f"<function_calls>\n{INVOKE}\n{OTHER_INVOKE}\n</function_calls>": f"<function_calls>\n{OTHER_INVOKE}\n</function_calls>",
    f"<function_calls>\n{OTHER_INVOKE}\n{INVOKE}\n</function_calls>": f"<function_calls>\n{OTHER_INVOKE}\n</function_calls>",
    f"<|tool_calls_section_begin|>{KIMI}{OTHER_KIMI}<|tool_calls_section_end|>": f"<|tool_calls_section_begin|>{OTHER_KIMI}"
    "<|tool_calls_section_end|>",
    f"<tool_call>\n{OTHER}\n</tool_call>\n<tool_call>\n{OURS}\n</tool_call>": f"<tool_call>\n{OTHER}\n</tool_call>",
    '[mem_read(slot="x"), get_time(zone="UTC")]': '[get_time(zone="UTC")]',
    '[get_time(zone="UTC"), mem_read(slot="x")]': '[get_time(zone="UTC")]',
    f'```python\nprint("{{}}")\n```\n{OURS}': '```python\nprint("{}")\n```',
}


@pytest.mark.parametrize(("output", "left"), [*NOTHING_OF_OURS.items(), *THE_OTHER_STAYS.items()])
def test_what_is_left_can_still_be_read(output: str, left: str) -> None:
    """Brackets, tags and tokens go with the last call in them; where another tool's call stays, they stay around it, whole."""
    parsed = parse(output)
    assert parsed.actions
    assert parsed.rejects == ()
    assert parsed.user_text == left
