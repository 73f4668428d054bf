"""ReAct: `Action:` names the tool, `Action Input:` gives its arguments, and the turn ends there.

One action a turn is this format's own contract: what follows an `Observation:` that the model wrote itself rests on an invented result.
"""

from __future__ import annotations

import re

from memslot_sidecar.parsing.model import Call
from memslot_sidecar.parsing.names import ACTIONS, resolve
from memslot_sidecar.parsing.scan import Recogniser, Scan
from memslot_sidecar.parsing.shapes.headed import read_arguments

_HEAD = re.compile(
    r"(?P<word>[Aa]ction|ACTION)(?P<mark>[*_]*[ \t]*[:：][*_]*)[ \t]*(?P<tick>[`*]*)(?P<name>[^\W\d][\w.]{0,100})[`*]*[ \t]*\r?\n"
    r"(?P<bold>[\s*_]*)(?P<input>[Aa]ction[ _][Ii]nput|ACTION INPUT)(?P<mark2>[*_]*[ \t]*[:：][*_]*)[ \t]*"
)
_TORN = re.compile(
    r"[Aa]ction[*_]*[ \t]*[:：][*_ \t]*(?P<name>[^\W\d][\w.]{0,100})\s*(?:[Aa][ction]{0,5}(?:[ _][Ii]?[nput]{0,4})?)?[:：]?\s*\Z"
)
_BARE = re.compile(
    r"(?P<quote>[\"'`]?)(?P<text>[^\s\"'`{}\[\](),:=<>][^\"'`{}\[\]<>\n]{0,1000}?)(?P=quote)[ \t]*(?=\r?\n|<[|/]|\Z)"
)
_FENCED = re.compile(r"\s*```(?:json|JSON)?[ \t]*\r?\n?\s*(?=[{\[])")
_JSON = re.compile(r"\s*(?=[{\[])")
_END = re.compile(r"[ \t]*(?:\r?\n|\Z)|[ \t]*(?=<[|｜/])")
_FENCED_END = re.compile(r"\s*```")
_EMPTY = re.compile(r"(?:None|null|N/A|\(\))?[ \t]*(?:\r?\n|\Z)")


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    start = trigger.start()
    line = scan.text[scan.line_start(start) : start]
    if line.strip(" \t*_>#-"):
        return trigger.end()
    head = _HEAD.match(scan.text, start, scan.stop)
    if head is None:
        torn = _TORN.match(scan.text, start, scan.stop) if len(scan.text) - start < 300 else None
        if torn and not resolve(torn["name"], scan.own_prefixes).foreign:
            return scan.reject("TRUNCATED", start, scan.stop)
        return trigger.end()
    call = Call(head["name"], None, start - (len(line) - len(line.rstrip("*_"))), head.end(), "react")
    marks = (head["mark"] + head["mark2"]).replace(" ", "").replace("\t", "")
    if (
        marks != "::"
        or head["tick"]
        or head["bold"].strip()
        or (head["word"], head["input"]) != ("Action", "Action Input")
    ):
        call.repaired.append("keyword_markup")
    scan.one_action_a_turn = True
    return _arguments(scan, call, head.end())


def _arguments(scan: Scan, call: Call, start: int) -> int:
    if fenced := _FENCED.match(scan.text, start, scan.stop):
        call.repaired.append("fence_around_arguments")
        return read_arguments(scan, call, fenced.end(), _FENCED_END)
    if found := _JSON.match(scan.text, start, scan.stop):
        return read_arguments(scan, call, found.end(), _END)
    if empty := _EMPTY.match(scan.text, start, scan.stop):
        call.end = empty.end()
        call.repaired.append("no_arguments")
        scan.add(call)
        return call.end
    name = resolve(call.name, scan.own_prefixes).name
    bare = _BARE.match(scan.text, start, scan.stop)
    if bare and name and len(ACTIONS[name].required) == 1:
        call.arguments = {ACTIONS[name].required[0]: bare["text"].strip()}
        call.repaired.append("bare_argument")
        call.end = bare.end()
        scan.add(call)
        return call.end
    line_end = scan.text.find("\n", start, scan.stop)
    end = scan.stop if line_end < 0 else line_end
    return scan.reject("ARGUMENTS_NOT_AN_OBJECT", call.start, end) if name else scan.foreign(end)


RECOGNISERS = (Recogniser("react", r"(?:[Aa]ction|ACTION)[*_]{0,3}[ \t]?[:：]", _read, ("Action", "action", "ACTION")),)
