"""Shapes that put the name in a header and the arguments, as one JSON object, behind it. A new one is a row of ``ROWS``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from memslot_sidecar.parsing.json_lenient import LenientDecoder
from memslot_sidecar.parsing.json_strict import MALFORMED, TRUNCATED, Decoder
from memslot_sidecar.parsing.model import Broken, Call
from memslot_sidecar.parsing.names import resolve
from memslot_sidecar.parsing.scan import Recogniser, Scan
from memslot_sidecar.parsing.values import to_json

_WRITTEN_NAME = r"(?P<name>[^\W\d][\w.-]{0,100})"
_SEPARATOR = r"<[|｜]tool[▁_ ]sep[|｜]>"
_SPACE = re.compile(r"\s*")
_STRAY = re.compile(r"[\s\]})]*")
_HARD = re.compile(r"<[|｜/]|\[TOOL_CALLS\]|>>>|```")


@dataclass(frozen=True)
class Headed:
    """``anchor`` is the text that ``trigger`` starts with; ``head`` ends where the arguments begin and has groups ``name`` and perhaps ``id``; ``close`` ends them."""

    shape: str
    anchor: str
    trigger: str
    head: str
    close: str
    repair: str = ""
    """Set when the shape itself is only taken leniently."""
    delimited: bool = True
    """The format says where the arguments end, so nothing else may stand there."""


ROWS = (
    Headed(
        "kimi",
        "<",
        r"<\|tool_call_begin\|>",
        r"<\|tool_call_begin\|>\s*(?P<id>" + _WRITTEN_NAME + r"(?::\d+)?)\s*<\|tool_call_argument_begin\|>\s*",
        r"\s*<\|tool_call_end\|>",
    ),
    Headed(
        "deepseek",
        "<",
        r"<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>",
        r"<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>\s*(?:function\s*"
        + _SEPARATOR
        + r")?\s*"
        + _WRITTEN_NAME
        + r"\s*(?:"
        + _SEPARATOR
        + r")?\s*(?:```(?:json)?\s*)?",
        r"\s*(?:```\s*)?<[|｜]tool[▁_ ]call[▁_ ]end[|｜]>|\s*```",
    ),
    Headed(
        "mistral",
        "[TOOL_CALLS]",
        r"\[TOOL_CALLS\](?=\s*[a-zA-Z])",
        r"\[TOOL_CALLS\]\s*" + _WRITTEN_NAME + r"\s*(?:\[CALL_ID\]\s*(?P<id>\w+)\s*)?(?:\[ARGS\]\s*)?(?=\{|\Z)",
        r"\s*</s>",
        delimited=False,
    ),
    Headed(
        "functionary",
        ">>>",
        r">>>(?=[^\W\d])",
        r">>>" + _WRITTEN_NAME + r"[ \t]*\r?\n\s*(?=\{)",
        r"\s*(?=>>>)|\s*<\|\w+\|>",
    ),
    Headed(
        "functionary",
        "<",
        r"<\|recipient\|>(?!\s*all\b)",
        r"<\|recipient\|>\s*" + _WRITTEN_NAME + r"\s*<\|content\|>\s*",
        r"\s*<\|(?:stop|from|eot_id)\|>",
    ),
    Headed(
        "qwen-agent",
        "✿FUNCTION✿",
        r"✿FUNCTION✿",
        r"✿FUNCTION✿\s*[:：]\s*" + _WRITTEN_NAME + r"\s*✿ARGS✿\s*[:：]\s*",
        r"\s*✿(?:RESULT|RETURN)✿[:：]?|\s*(?=✿)",
    ),
    Headed(
        "tool-call-start",
        "[TOOL_CALL_START]",
        r"\[TOOL_CALL_START\]",
        r"\[TOOL_CALL_START\]\s*" + _WRITTEN_NAME + r"\s*(?=\{)",
        r"\s*\[TOOL_CALL_END\]|\s*(?=\[TOOL_CALL_START\])",
    ),
    Headed(
        "harmony-bare",
        "to=functions.",
        r"\bto=functions\.",
        r"to=functions\." + _WRITTEN_NAME + r"[ \t]*(?:commentary|code|json|<\|\w+\|>|[ \t]){0,6}\s*(?=\{)",
        r"\s*<\|\w+\|>|\s*\Z|\s*(?=\n|assistant)",
        repair="missing_tokens",
        delimited=False,
    ),
)


def _read(row: Headed, head: re.Pattern[str], close: re.Pattern[str], scan: Scan, trigger: re.Match[str]) -> int:
    found = head.match(scan.text, trigger.start(), scan.stop)
    if found is None:
        return scan.open_container(row.shape, trigger.start(), trigger.end())
    call = Call(found["name"], None, trigger.start(), found.end(), row.shape)
    call.call_id = found.groupdict().get("id") or ""
    call.repaired += [row.repair] if row.repair else []
    if not row.delimited:
        close = re.compile(close.pattern + r"|(?=)")
    return read_arguments(scan, call, found.end(), close)


def read_arguments(scan: Scan, call: Call, start: int, close: re.Pattern[str]) -> int:
    """Complete a call by the object that starts there and that ``close`` ends; returns where scanning goes on."""
    scan.container = None
    foreign = resolve(call.name, scan.own_prefixes).foreign
    decoder = Decoder(scan.text, scan.stop)
    try:
        value, end = decoder.read(start)
    except Broken as broken:
        if foreign:
            return scan.foreign(max(broken.position, start))
        return _lenient(scan, call, start, broken.position, close)
    if foreign:
        ended = close.match(scan.text, end, scan.stop)
        return scan.foreign(ended.end() if ended else end)
    return _complete(scan, call, value, decoder, end, close)


def _lenient(scan: Scan, call: Call, start: int, position: int, close: re.Pattern[str]) -> int:
    ended = close.match(scan.text, start, scan.stop)
    if ended and position == start:
        call.end = ended.end()
        scan.add(call)
        return ended.end()
    limit = scan.limit(position)
    if limit == scan.stop and scan.text[start : start + 1] not in {"{", "["}:
        limit = min(limit, scan.text.find("\n", start) if "\n" in scan.text[start:limit] else limit)
    decoder = LenientDecoder(scan.text, limit)
    try:
        if not scan.spend(limit - start):
            raise Broken(start, "TOO_TANGLED")
        value, end = decoder.read(start)
    except Broken as broken:
        torn = limit >= len(scan.text) and broken.reason in {TRUNCATED, MALFORMED}
        reason = TRUNCATED if torn and (broken.position >= limit or start >= limit) else broken.reason
        end = max(scan.torn_end(start, limit, broken.reason), start)
        return scan.reject(reason, call.start, end, call_id=call.call_id)
    return _complete(scan, call, value, decoder, end, close)


def _complete(scan: Scan, call: Call, value: Any, decoder: Decoder, end: int, close: re.Pattern[str]) -> int:
    call.arguments = value
    call.repaired += [mark for mark, _ in decoder.repairs]
    call.flaws += [flaw for flaw, _ in decoder.flaws]
    call.end, more = _tail(scan, call, end, close)
    if more:
        call.arguments, call.flaws = _merged(value, more, call.flaws)
    if not isinstance(value, (dict, list)) and not call.flaws:
        call.flaws.append("ARGUMENTS_NOT_AN_OBJECT")
    scan.add(call)
    return call.end


def _tail(scan: Scan, call: Call, end: int, close: re.Pattern[str]) -> tuple[int, list[str]]:
    """Where the call ends, and further objects that stood before its end."""
    if ended := close.match(scan.text, end, scan.stop):
        return ended.end(), []
    space = _SPACE.match(scan.text, end, scan.stop)
    after = space.end() if space else end
    if after >= scan.stop or _HARD.match(scan.text, after, scan.stop):
        return end, []
    if scan.text[after] == "{":
        return _further(scan, after, close)
    stray = _STRAY.match(scan.text, end, scan.stop)
    stray_end = stray.end() if stray else end
    if stray_end > after and (
        close.match(scan.text, stray_end, scan.stop)
        or stray_end >= scan.stop
        or _HARD.match(scan.text, stray_end, scan.stop)
        or scan.text[stray_end - 1] == "\n"
    ):
        call.repaired.append("stray_brackets")
        ended = close.match(scan.text, stray_end, scan.stop)
        return (ended.end() if ended else stray_end), []
    call.flaws.append("TEXT_AFTER_ARGUMENTS")
    return scan.limit(end), []


def _further(scan: Scan, start: int, close: re.Pattern[str]) -> tuple[int, list[str]]:
    more: list[str] = []
    at = start
    while scan.text[at : at + 1] == "{":
        decoder = Decoder(scan.text, scan.stop)
        try:
            _, end = decoder.read(at)
        except Broken as broken:
            more.append("")
            return scan.limit(broken.position), more
        more.append(scan.text[at:end])
        at = decoder.space(end)
    ended = close.match(scan.text, at, scan.stop)
    return (ended.end() if ended else at), more


def _merged(value: Any, more: list[str], flaws: list[str]) -> tuple[str, list[str]]:
    return to_json(value) + "".join(more), flaws if all(more) else [*flaws, MALFORMED]


def _recognisers() -> tuple[Recogniser, ...]:
    made = []
    for number, row in enumerate(ROWS):
        read = partial(_read, row, re.compile(row.head), re.compile(row.close))
        made.append(Recogniser(f"headed_{number}", row.trigger, read, (row.anchor,)))
    return tuple(made)


RECOGNISERS = _recognisers()
