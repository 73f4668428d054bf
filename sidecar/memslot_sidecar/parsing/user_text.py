"""The output without its actions: what they stood in goes with them, and so does closed reasoning."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.model import Action
from memslot_sidecar.parsing.scan import Cut, Scan

_TAGS = r"(?:[\w.-]{1,20}:|[|｜]DSML[|｜]|longcat_)?(?:tool_calls?|toolcall|TOOLCALL|function_calls?|functioncall|tool_use|tools|answer|tool_code)"
_SPECIAL = r"<[|｜](?!/)[^<>|｜\n]{1,60}[|｜]>|<\|?tool_call\|?>|\[TOOL_CALLS\]|\]<\]minimax\[>\["
_OPENERS = re.compile(
    r"(?:<"
    + _TAGS
    + r">|"
    + _SPECIAL
    + r"|functools|```[^\n`]{0,40}\n|`|(?:\A|(?<=\n))json(?=\s)|\bAction:|print\(|[\s,;])\Z"
)
_CLOSERS = re.compile(
    r"\s*(?:</"
    + _TAGS
    + r">|<[|｜][^<>|｜\n]{1,60}[|｜]>|<tool_call\|>|\]<\]minimax\[>\[|</s>|✿\w+✿)|[\s;,]*```(?!\w)|`"
)
_TORN_CLOSER = re.compile(r"\s*</?(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:ls?)?)?)?)?)?)?)?)?)?\Z")
_STRAY = re.compile(r"\s*[}\])]+(?=\s*(?:</|<\||\Z|\n))")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*\Z")
_WINDOW = 120


def user_text(scan: Scan) -> str:
    """What remains for the user."""
    cuts = _merged(
        [*scan.cuts, *(Cut(a.start, a.end) for a in scan.found if isinstance(a, Action) and _taken(scan, a))]
    )
    if not cuts:
        return scan.text
    parts: list[str] = []
    at = 0
    for index, cut in enumerate(cuts):
        following = cuts[index + 1].start if index + 1 < len(cuts) else len(scan.text)
        start, end = _widened(scan.text, cut, at, following)
        parts += (scan.text[at:start], cut.instead)
        at = max(end, at)
    parts.append(scan.text[at:])
    return _joined(parts)


def _taken(scan: Scan, action: Action) -> bool:
    return scan.lenient or not action.repaired


def _merged(cuts: list[Cut]) -> list[Cut]:
    merged: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start, -cut.end)):
        if merged and cut.start < merged[-1].end:
            merged[-1].end = max(merged[-1].end, cut.end)
        else:
            merged.append(Cut(cut.start, cut.end, cut.instead))
    return merged


def _widened(text: str, cut: Cut, floor: int, ceiling: int) -> tuple[int, int]:
    """The cut with the markers and brackets around it."""
    start, end = cut.start, cut.end
    if stray := _STRAY.match(text, end, min(ceiling, end + _WINDOW)):
        end = stray.end() if "[" not in text[max(floor, start - 3) : start] else end
    moved = True
    while moved:
        before = (start, end)
        start = _back(text, start, floor)
        end = _forth(text, end, ceiling)
        bracket = text[end:ceiling].lstrip()[:1] if end < ceiling and text[end] in " \n\t])" else ""
        if start > floor and text[start - 1] in "[(" and bracket in {"]", ")"}:
            start, end = start - 1, text.index(bracket, end) + 1
        moved = before != (start, end)
    return start, end


def _back(text: str, start: int, floor: int) -> int:
    while opener := _OPENERS.search(text[max(floor, start - _WINDOW) : start]):
        if not opener[0].isspace():
            start -= len(opener[0])
            continue
        bare = max(floor, start - _WINDOW) + len(text[max(floor, start - _WINDOW) : start].rstrip())
        further = _OPENERS.search(text[max(floor, bare - _WINDOW) : bare])
        if further is None or bare <= floor:
            return start
        start = bare
    return start


def _forth(text: str, end: int, ceiling: int) -> int:
    while closer := _CLOSERS.match(text, end, ceiling):
        end = closer.end()
    torn = _TORN_CLOSER.match(text, end, ceiling) if ceiling == len(text) else None
    return torn.end() if torn else end


def _joined(parts: list[str]) -> str:
    made: list[str] = []
    for part in parts:
        if made and part.startswith("\n"):
            made[-1] = made[-1][:-_WINDOW] + _BLANK_LINES.sub("\n", made[-1][-_WINDOW:])
        made.append(part)
    return "".join(made).strip()
