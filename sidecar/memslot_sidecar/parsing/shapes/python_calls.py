"""Python calls: in a list, alone on a line, between markers, in a fence. In the middle of a sentence a call is a mention."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.json_strict import TRUNCATED
from memslot_sidecar.parsing.model import Broken, Call
from memslot_sidecar.parsing.names import ACTIONS, resolve
from memslot_sidecar.parsing.python_literals import PythonDecoder
from memslot_sidecar.parsing.scan import Recogniser, Scan
from memslot_sidecar.parsing.shapes.headed import read_arguments

_HEAD = re.compile(
    r"(?P<name>mem_\w+|[mM]em[A-Z]\w+)(?:\.call)?[ \t]*(?P<what>\(|\[ARGS\]\s*(?=\{)|[:：]?[ \t]*(?=\{))"
)
_PREFIX = re.compile(r"(?:(?:functions|default_api|tools|tool|memory|api)\.|mcp__\w{1,60}__)\Z")
_ALONE = re.compile(r"[\s,;>\[\]*-]*(?:\d+\.\s+)?\Z")
_PRINT = re.compile(r"[\s,;\[]*print\(\s*\Z")
_LABEL = re.compile(r"[\s\[*_]*[A-Za-z][A-Za-z ]{1,30}[*_]*[:：][*_]*\s*\Z")
_REST = re.compile(r"\)?[ \t]*(?:[\]),;<\[]|`|\r?\n|\Z|\#)")
_LITERAL_AHEAD = re.compile(r"\s*(?:[\w]+\s*=\s*)?[\"'{\[\d-]")
_NAME_TORN = re.compile(r"\s*\w{0,100}\s*=?\s*\Z")
_LIST = re.compile(r"\[(?=\s*[A-Za-z_][\w.]{0,100}\()")
_CALLED = re.compile(r"\s*[A-Za-z_][\w.]{0,100}\(")
_COMMA = re.compile(r"\s*,\s*")
_NOTHING = re.compile(r"(?=)")


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    text, start = scan.text, trigger.start()
    before = text[start - 1 : start]
    head = _HEAD.match(text, start, scan.stop)
    if head is None or (before and (before.isalnum() or before in "\"'_/-<=")):
        return trigger.end()
    prefix = _PREFIX.search(text, max(0, start - 80), start)
    begin = prefix.start() if prefix else start
    name = text[begin:start] + head["name"]
    if head["what"] == "(":
        return _call(scan, name, begin, head.end())
    between = text[max(scan.line_start(begin), scan.taken_to) : begin]
    if not _ALONE.match(between):
        return trigger.end()
    call = Call(name, None, begin, head.end(), "name-and-object")
    call.repaired += [] if head["what"].startswith("[") else ["name_before_object"]
    return read_arguments(scan, call, head.end(), _NOTHING)


def _call(scan: Scan, name: str, start: int, opened: int) -> int:
    decoder = PythonDecoder(scan.text, scan.stop)
    try:
        positional, named, end = decoder.arguments(opened - 1)
    except Broken as broken:
        return _broken(scan, start, opened, broken)
    call = Call(name, named, start, end, "python")
    call.repaired += [mark for mark, _ in decoder.repairs]
    call.flaws += [flaw for flaw, _ in decoder.flaws]
    place = _place(scan, start, end)
    if place == "MID_SENTENCE":
        given = positional or named or _place(scan, start, -1) != place
        return scan.reject(place, start, end) if given else end
    call.repaired += [place] if place else []
    _name_positional(call, positional, scan.own_prefixes)
    scan.add(call)
    return end


def _place(scan: Scan, start: int, end: int) -> str:
    """A repair, MID_SENTENCE, or nothing when the call stands on its own."""
    between = scan.text[max(scan.line_start(start), scan.taken_to) : start]
    alone = end < 0 or _REST.match(scan.text, end)
    if between.endswith("`") and scan.text[max(0, end) : max(0, end) + 1] == "`":
        return "" if end >= 0 else "MID_SENTENCE"
    if _ALONE.match(between) and alone:
        return ""
    if _PRINT.match(between) and alone:
        return "" if scan.fence_start >= 0 else "print_around_call"
    if alone and _in_list(scan, start):
        return ""
    return "label_before_call" if _LABEL.match(between) and alone else "MID_SENTENCE"


def _in_list(scan: Scan, start: int) -> bool:
    """Whether the call is an element of a list in which nothing but other tools' calls stands before it."""
    opened = _LIST.search(scan.text, max(scan.taken_to, start - 4_000), start)
    if opened is None or not scan.spend(start - opened.start()):
        return False
    decoder, at = PythonDecoder(scan.text, start), opened.start() + 1
    while called := _CALLED.match(scan.text, at, start):
        try:
            _, _, at = decoder.arguments(called.end() - 1)
        except Broken:
            return False
        comma = _COMMA.match(scan.text, at, start)
        at = comma.end() if comma else at
    return at == start


def _name_positional(call: Call, positional: list[object], own_prefixes: tuple[str, ...]) -> None:
    """Give values without a name the documented one."""
    if not positional:
        return
    if len(positional) == 1 and isinstance(positional[0], dict) and not call.arguments:
        call.arguments = positional[0]
        call.repaired.append("object_as_argument")
        return
    name = resolve(call.name, own_prefixes).name
    order = ACTIONS[name].order if name else ()
    given = dict(zip(order, positional, strict=False))
    if len(positional) > len(order) or not given.keys().isdisjoint(call.arguments):
        call.flaws.append("AMBIGUOUS_ARGUMENTS")
    call.arguments = {**given, **call.arguments}
    call.repaired.append("positional_arguments")


def _broken(scan: Scan, start: int, opened: int, broken: Broken) -> int:
    """Torn, or no literals: a mention in prose, a reject where a call belongs."""
    expected = _place(scan, start, -1) != "MID_SENTENCE"
    ahead = _LITERAL_AHEAD.match(scan.text, opened, scan.stop) or (expected and _NAME_TORN.match(scan.text, opened))
    if broken.position >= scan.stop and ahead:
        end = max(scan.limit(opened), opened)
        return scan.reject(TRUNCATED, start, end)
    if not expected or not _LITERAL_AHEAD.match(scan.text, opened, scan.stop):
        return max(broken.position, opened)
    return scan.reject(broken.reason, start, _closed(scan, opened, broken.position))


def _closed(scan: Scan, opened: int, position: int) -> int:
    depth = 1
    limit = scan.limit(position)
    for bracket in re.finditer(r"[()]", scan.text[opened:limit]):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return max(opened + bracket.end(), position)
    return limit


RECOGNISERS = (Recogniser("python_call", r"mem_(?=[a-z])|\b[mM]em(?=[A-Z])", _read, ("mem", "Mem")),)
