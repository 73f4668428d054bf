"""Texts that a parser of model outputs is measured on: plain ones, and ones made to be hard.

Plain text is what most outputs are: prose in two scripts, code full of braces, Markdown. Adversarial texts repeat a unit that opens something, quotes
something or looks like something, up to a length.
"""

from __future__ import annotations

ENGLISH = (
    "The lighthouse keeper counted the ships twice and the gulls once. It was late, and the tide had turned; nobody in the village "
    'would ask before noon. "Leave the lamp," said Ada, "and come down."\n\nHe didn\'t. There were three letters on the table (two of them '
    "unopened), a cup of cold tea, and a map of the harbour - the old one, from before the wall was built.\n"
)
CHINESE = (
    "值班编辑把选题又看了一遍：河堤夜跑路线、老电影修复，还有一封读者来信。“先把事实写清楚，再谈风格。”墙上的便签这样说。"
    "《词典》第12页有一处要核对，图片说明放在「附录」里；预算是￥960.00，含交通。\n下次会议：周五16:30，三楼小会议室……请带上草稿。\n\n"
)
CODE = (
    "static int count(struct ship *s, int n) {\n    int seen = 0;\n    for (int i = 0; i < n; i++) { if (s[i].flag && s[i].name[0] != '\"') { seen++; } }\n"
    '    printf("%d of {%d}\\n", seen, n);\n    return seen;\n}\n\nconst row = { id: 4, name: `kite ${n}`, tags: ["a", "b"], draw() { return {}; } };\n'
    '.kite::after { content: " }{ "; color: #064; }\n{% for ship in ships %}{{ ship.name }}{% endfor %}\n'
)
MARKDOWN = (
    "## Tides\n\n- **low** water at `06:10`, see [the table](https://example.invalid/tides?d=2#low)\n- *high* water: <b>1.42 m</b> &mdash; about\n"
    '  1. count the `{ships}`\n  2. write `{"kind": "note"}` down\n\n| time | height |\n|---|---|\n| 06:10 | 0.42 |\n\n```sh\ntide --today | awk \'{ print $2 }\'\n```\n\n'
    "> a quotation, with $\\frac{a}{b}$ in it\n\nThen rest.\n\n"
)
PLAIN = {"English": ENGLISH, "Chinese": CHINESE, "code": CODE, "Markdown": MARKDOWN}

ADVERSARIAL = {
    "unclosed braces": "{",
    "unclosed objects": '{"a":',
    "torn actions": '{"action": "mem_write", "slot": "',
    "objects that break": '{"action": "mem_read", "slot": "x",} ',
    "quotes": '"',
    "objects and quotes": '{"mem_read": "',
    "quotes inside quotes": '{"action": "mem_write", "value": "a "b" ',
    "arrays": "[",
    "arrays of actions": '[{"a":"mem_read',
    "nested tags": "<tool_call><function=mem_write><parameter=a>",
    "tags that close nothing": "</tool_call></parameter></function>",
    "parameters": "<parameter=a></parameter>",
    "calls of one tag": "<tool_call>mem_write<arg_key>slot</arg_key>",
    "parameters that never close": '<invoke name="mem_write"><parameter name="value">a</parameter> ',
    "reasoning that never closes": "<think>",
    "reasoning that was never opened": "</think>",
    "names without calls": "mem_write ",
    "calls that never close": "mem_write(",
    "calls in calls": 'mem_read((slot="',
    "brackets in a call": "mem_write(slot=[[[[",
    "escapes": "\\",
    "escaped objects": '{\\"action\\": ',
    "unicode escapes": "\\u0061\\ud83d",
    "HTML-escaped objects": "{&quot;mem_read",
    "fences": "```\n",
    "fences of objects": "```json\n{",
    "fences of code": "```python\nmem_read(",
    "backticks": "`",
    "long numbers": '{"action": "mem_write", "slot": "x", "value": ' + "9" * 5_000 + "}",
    "digits": "1234567890",
    "numbers that never end": '{"mem_read": 1',
    "comments": "{a: /* mem_read",
    "ReAct": "Action: mem_read\nAction Input: {",
    "Gemma": '<|tool_call>call:mem_write{slot:<|"|>',
    "harmony": "<|start|>assistant to=functions.mem_read<|message|>",
    "harmony's analysis": "<|channel|>analysis<|message|>",
    "Kimi": "<|tool_call_begin|>functions.mem_read:0<|tool_call_argument_begin|>{",
    "Mistral": '[TOOL_CALLS]mem_read[ARGS]{"a":',
    "messages": '{"tool_calls": [',
    "duplicate keys": '{"mem_read": 1, "a": 1, "a": 1, "a": ',
    "named and unreadable": '"action": "mem_read"\n',
    "combining marks": '{"action": "mem_read", "slot": "' + "a\u0301\u0323" * 500 + '"}\n',
    "blank lines": "\n \t",
    "reads that are right": '{"action": "mem_read", "slot": "x"}\n',
    "mixed": '{"a":[<think>```json\n{\'mem_read\'\\"mem_write(<tool_call>"x": "y" "Action: mem_read\nAction Input: [{<|message|>`{{',
}


def repeated(unit: str, length: int) -> str:
    """The unit again and again, to about so many characters."""
    return unit * max(1, length // len(unit))
