"""Markers that announce JSON objects or Python calls. What stands behind them is read like anywhere else; a marker with an action's
name and no call behind it is reported. A new one is a row of ``ROWS``."""

from __future__ import annotations

import re
from functools import partial

from memslot_sidecar.parsing.scan import Recogniser, Scan

ROWS = (
    ("hermes", r"<tool_call>"),
    ("tool-calls", r"<(?:[\w.-]{1,20}:)?(?:tool_calls|toolcall|tool_call)>"),
    ("nemotron", r"<TOOLCALL>"),
    ("function-calls", r"<(?:[\w.-]{1,20}:|[|｜]DSML[|｜])?function_calls?>|<functioncall>"),
    ("granite", r"<\|tool_call\|>|<\|?tool_call_start\|>"),
    ("llama", r"<\|python_(?:tag|start)\|>"),
    ("mistral", r"\[TOOL_CALLS\]"),
    ("command-r", r"<\|START_ACTION\|>"),
    ("apertus", r"<\|tools_prefix\|>"),
    ("internlm", r"<\|(?:action_start|plugin)\|>"),
    ("functools", r"\bfunctools(?=\s*\[\s*\{)"),
    ("kimi", r"<\|tool_calls_section_begin\|>"),
    ("deepseek", r"<[|｜]tool[▁_ ]calls[▁_ ]begin[|｜]>"),
)
_CLOSERS = (
    r"</(?:[\w.-]{1,20}:|[|｜]DSML[|｜])?(?:tool_calls?|toolcall|TOOLCALL|function_calls?|functioncall)>"
    r"|<\|(?:END_ACTION|tools_suffix|action_end|tool_call_end|eom_id|eot_id|python_end|/tool_call|im_end)\|>"
    r"|<[|｜]tool[▁_ ]calls[▁_ ]end[|｜]>|<\|tool_calls_section_end\|>"
)


def _open(shape: str, scan: Scan, trigger: re.Match[str]) -> int:
    return scan.open_container(shape, trigger.start(), trigger.end())


def _close(scan: Scan, trigger: re.Match[str]) -> int:
    scan.close_container(trigger.start())
    scan.taken_to = trigger.end()
    return trigger.end()


def _anchors(trigger: str) -> tuple[str, ...]:
    word = re.match(r"(?:\\b|\\(?=\W))*(\W?\w+)", trigger)
    return ("<",) if trigger.startswith("<") or word is None else (word[1],)


def _recognisers() -> tuple[Recogniser, ...]:
    rows = [
        Recogniser(f"marker_{number}", trigger, partial(_open, shape), _anchors(trigger))
        for number, (shape, trigger) in enumerate(ROWS)
    ]
    return (*rows, Recogniser("marker_end", _CLOSERS, _close))


RECOGNISERS = _recognisers()
