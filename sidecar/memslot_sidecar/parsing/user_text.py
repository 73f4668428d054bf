"""The output without its actions: what they stood in goes with them, and so does closed reasoning."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from memslot_sidecar.parsing.model import Action
from memslot_sidecar.parsing.scan import Cut, Scan

_TAGS = r"(?:[\w.-]{1,20}:|[|｜]DSML[|｜]|longcat_)?(?:tool_calls?|toolcall|TOOLCALL|function_calls?|functioncall|tool_use|tools|answer|tool_code)"
_SPECIAL = r"<[|｜](?!/)[^<>|｜\n]{1,60}[|｜]>|<\|?tool_call\|?>|\[TOOL_CALLS\]|\]<\]minimax\[>\["
_OPENERS = re.compile(
    r"(?:<"
    + _TAGS
    + r">|"
    + _SPECIAL
    + r"|functools|`{3,}[^\n`]{0,40}\n|`{3,}\w{0,20}|`|(?:\A|(?<=\n))json(?=\s)|\bAction:|print\(|[\s,;])\Z"
)
_BEGINS = r"begin|start|prefix|tag|plugin|channel|message|constrain|recipient|content|from"
_CLOSERS = re.compile(
    r"\s*(?:</"
    + _TAGS
    + r">|<[|｜](?!(?i:[^<>|｜\n]{0,60}(?:"
    + _BEGINS
    + r")))[^<>|｜\n]{1,60}[|｜]>|<tool_call\|>|\]<\]minimax\[>\[|</s>|✿\w+✿)|[\s;,]*```(?!\w)|`"
)
_TORN_CLOSER = re.compile(r"\s*</?(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:ls?)?)?)?)?)?)?)?)?)?\Z")
_STRAY = re.compile(r"\s*[}\])]+(?=\s*(?:</|<\||\Z|\n))")
_FENCE = re.compile(r"```+")
_SEPARATED = re.compile(r"[\s,;]*")
_SIBLING = re.compile(r"[}\])][ \t]*,\s*\Z")
"""What stands before an element of a list whose element before it stays."""
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*\Z")
_WINDOW = 120


def user_text(scan: Scan) -> str:
    """What remains for the user."""
    taken = [Cut(one.start, one.end) for one in scan.found if isinstance(one, Action) and _taken(scan, one)]
    cuts = _merged(scan.text, [*scan.cuts, *taken])
    if not cuts:
        return scan.text
    kept = _Kept({end for _, end in scan.passed}, {})
    for one, end in scan.passed:
        kept.starts[one] = max(end, kept.starts.get(one, 0))
    parts: list[str] = []
    at = 0
    for index, cut in enumerate(cuts):
        following = cuts[index + 1].start if index + 1 < len(cuts) else len(scan.text)
        start, end = _beside_kept(scan.text, kept, cut, at, following) or _widened(scan, cut, at, following)
        parts += (scan.text[at:start], cut.instead)
        at = max(end, at)
    parts.append(scan.text[at:])
    return _joined(parts)


def _taken(scan: Scan, action: Action) -> bool:
    return scan.lenient or not action.repaired


def _merged(text: str, cuts: list[Cut]) -> list[Cut]:
    """Cuts that overlap, or between which nothing stands but what separates them, as one."""
    merged: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start, -cut.end)):
        last = merged[-1] if merged else None
        if last and (cut.start < last.end or _separated(text, last, cut)):
            last.end = max(last.end, cut.end)
        else:
            merged.append(Cut(cut.start, cut.end, cut.instead))
    return merged


def _separated(text: str, last: Cut, cut: Cut) -> bool:
    return not (last.instead or cut.instead) and bool(_SEPARATED.fullmatch(text, last.end, cut.start))


@dataclass
class _Kept:
    """Where other tools' calls end, and where they start with their ends."""

    ends: set[int]
    starts: dict[int, int]


def _beside_kept(text: str, kept: _Kept, cut: Cut, floor: int, ceiling: int) -> tuple[int, int] | None:
    """The cut without what wraps it, when another tool's call shares the wrapper: then the wrapper stays, and one separator goes."""
    before = text[max(floor, cut.start - _WINDOW) : cut.start]
    bare = cut.start - len(before) + len(before.rstrip(" \t\r\n,;"))
    if _SIBLING.search(before) or (bare > floor and bare in kept.ends):
        return bare, cut.end
    gap = _SEPARATED.match(text, cut.end, ceiling)
    behind = gap.end() if gap else cut.end
    comma = "," in text[cut.end : behind] and before.rstrip().endswith(("[", "("))
    if comma or any(kept.starts.get(place, 0) > behind for place in (cut.end, behind)):
        return cut.start, behind
    return None


def _widened(scan: Scan, cut: Cut, floor: int, ceiling: int) -> tuple[int, int]:
    """The cut with the markers and brackets around it."""
    text, start, end = scan.text, cut.start, cut.end
    if stray := _STRAY.match(text, end, min(ceiling, end + _WINDOW)):
        end = end if text[max(floor, start - _WINDOW) : start].rstrip().endswith("[") else stray.end()
    moved = True
    while moved:
        before = (start, end)
        start = _back(scan, start, floor)
        end = _forth(text, end, ceiling)
        bracket = text[end:ceiling].lstrip()[:1] if end < ceiling and text[end] in " \n\t])" else ""
        bare = _bare(text, start, floor)
        if bare > floor and text[bare - 1] in "[(" and bracket in {"]", ")"}:
            start, end = bare - 1, text.index(bracket, end) + 1
        moved = before != (start, end)
    return start, end


def _bare(text: str, start: int, floor: int) -> int:
    """Where the white space before a place begins."""
    before = text[max(floor, start - _WINDOW) : start]
    return start - len(before) + len(before.rstrip())


def _back(scan: Scan, start: int, floor: int) -> int:
    while opener := _opener(scan, start, floor):
        if not opener.isspace():
            start -= len(opener)
            continue
        bare = _bare(scan.text, start, floor)
        if bare <= floor or not _opener(scan, bare, floor):
            return start
        start = bare
    return start


def _opener(scan: Scan, start: int, floor: int) -> str:
    """What opens or separates and stands right before a place; not the end of a fence, which opens nothing."""
    found = _OPENERS.search(scan.text[max(floor, start - _WINDOW) : start])
    if found is None:
        return ""
    fence = found[0].startswith("```") and bisect_left(scan.places(_FENCE), start - len(found[0])) % 2
    return "" if fence else found[0]


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
