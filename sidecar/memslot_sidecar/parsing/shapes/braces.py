"""JSON objects, wherever they stand: alone, in prose, in arrays, in fences, and between the markers of a dozen model families.

What stands around an object is noise. The object itself must be whole: one that never closes is torn, and nothing inside it is run.
"""

from __future__ import annotations

import re
from typing import Any

from memslot_sidecar.parsing import mapped
from memslot_sidecar.parsing.json_lenient import LenientDecoder
from memslot_sidecar.parsing.json_strict import MALFORMED, TRUNCATED, Decoder
from memslot_sidecar.parsing.model import Broken, Call, Reply
from memslot_sidecar.parsing.names import resolve
from memslot_sidecar.parsing.native import read_message
from memslot_sidecar.parsing.objects import ObjectReader
from memslot_sidecar.parsing.scan import BALANCE, Recogniser, Scan

_QUOTED = r"(?:\"(?:[^\"\\\n]|\\.){0,200}\"|'[^'\n]{0,200}'|“[^”\n]{0,200}”|‘[^’\n]{0,200}’|＂[^＂\n]{0,200}＂|`[^`\n]{0,200}`)"
_OBJECT = re.compile(
    r"[{｛][\s\u200b\ufeff]*(?:(?:" + _QUOTED + r"|[^\W\d][\w$-]{0,100})\s{0,100}(?:[:：=]|\Z)|//|/\*|\#|\"\w{0,100}\Z)"
)
_TORN_NAME = re.compile(
    r"[{｛,]\s*[\"'“＂]?(?:action[\"'”＂]?\s*(?:[:：=]\s*)?[\"'“＂]?"
    r"|(?:name|function|tool|tool_name)[\"'”＂]?\s*[:：=]\s*[\"'“＂](?=m))(?:m|me|mem)?\Z"
)
"""The output ends within the name of an action, or before it."""
_ESCAPED = re.compile(r"\{(?:\s|\\[nrt])*\\+\"")
_HTML = re.compile(r"\{\s*&(?:quot|\#34|\#39|apos|\#x22|\#x27);")
_ESCAPED_RUN = re.compile(r"[^\"\\\n]*(?:\\.[^\"\\\n]*)*")
_LINE = re.compile(r"[^\n]*")
_HEADLINE = re.compile(
    r"[\"'“＂]?\b(?:action|name|function|tool|tool_name|function_name|recipient_name)[\"'”＂]?\s{0,20}[:：=]\s{0,20}"
    r"[\"'“＂]([^\"'”＂\n]{0,120})(?=([\"'”＂])?)"
)
_GOES_ON = re.compile(r"(?![\s,;}\])`|])[^{\n]{0,400}?\"\s*[}\]]")
"""What follows when an object seems complete only because a quote inside its last text is not escaped."""
_CLOSING_TAG = re.compile(
    r"\s*(?:</(?:\w{1,20}:)?(?:tool_calls?|TOOLCALL|function_calls?|function)>|<\|/?tool_call(?:_end)?\|>)"
)


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    start = trigger.start()
    if _OBJECT.match(scan.text, start, scan.stop):
        return _object(scan, start)
    if _ESCAPED.match(scan.text, start, scan.stop):
        return _derived(scan, start, "escaped_object")
    if _HTML.match(scan.text, start, scan.stop):
        return _derived(scan, start, "html_entities")
    return start + 1


def _object(scan: Scan, start: int) -> int:
    decoder = Decoder(scan.text, scan.stop)
    try:
        value, end = decoder.read(start)
    except Broken as broken:
        return _broken(scan, start, broken.position)
    return accept(scan, value, decoder, start, end)


def accept(scan: Scan, value: Any, decoder: Decoder, start: int, end: int, repairs: tuple[str, ...] = ()) -> int:
    """Take what a complete object holds; returns its end."""
    if not scan.mentioned(start, end):
        scan.passed += [(start, end)] if scan.container else []
        return end
    reading = ObjectReader(decoder.spans, scan.shape, scan.own_prefixes).read(value)
    if reading.form and (reading.calls or reading.texts):
        return read_message(scan, reading, decoder, start, end)
    if _GOES_ON.match(scan.text, end, scan.stop) and scan.text[start - 1 : start] != '"':
        return scan.reject("AMBIGUOUS", start, end)
    taken = [_add(scan, call, decoder, repairs) for call in reading.calls]
    if reading.nested:
        return scan.reject("NESTED_ACTION", start, end)
    if any(taken) and not reading.foreign and (scan.lenient or not any(call.repaired for call in reading.calls)):
        scan.cut(start, end)
    if reading.foreign:
        return scan.foreign(end, start)
    scan.passed.append((start, end))
    return end


def _add(scan: Scan, call: Call, decoder: Decoder, repairs: tuple[str, ...]) -> bool:
    attach(call, decoder, repairs)
    scan.one_action_a_turn = scan.one_action_a_turn or call.shape == "structured-chat"
    if call.call_id:
        scan.replies.append(Reply(call.call_id, ""))
    return scan.add(call)


def attach(call: Call, decoder: Decoder, repairs: tuple[str, ...] = ()) -> None:
    """Give a call what was wrong with the text it was decoded from."""
    call.repaired += repairs
    call.repaired += [mark for mark, _ in decoder.repairs]
    call.flaws += [flaw for flaw, at in decoder.flaws if call.start <= at < call.end]


def _broken(scan: Scan, start: int, position: int) -> int:
    """An object that strict JSON does not take: read it leniently, or find how far it reaches."""
    if not scan.mentioned(start, scan.stop):
        return _torn_early(scan, start, position)
    limit = scan.limit(position)
    if not scan.mentioned(start, limit):
        return position
    if not scan.spend(limit - start if limit < scan.stop else position - start):
        return scan.reject("TOO_TANGLED", start, limit)
    decoder = LenientDecoder(scan.text, limit)
    try:
        value, end = decoder.read(start)
    except Broken as broken:
        return _hopeless(scan, start, limit, broken)
    return accept(scan, value, decoder, start, end)


def _torn_early(scan: Scan, start: int, position: int) -> int:
    """An object that names no action: reported when the output ends where the name belongs, or in the next element of a list of actions."""
    if position < len(scan.text):
        return position
    follows = scan.found and not scan.text[scan.taken_to : start].strip(" \t\r\n,")
    if follows or _TORN_NAME.search(scan.text, max(start, position - 80)):
        return scan.reject(TRUNCATED, start, position)
    return position


def _hopeless(scan: Scan, start: int, limit: int, broken: Broken) -> int:
    closed = _balanced(scan.text, start, limit)
    if closed < 0 and (end := _with_a_brace(scan, start, limit)) >= 0:
        return end
    end = closed if closed >= 0 else scan.torn_end(start, limit, broken.reason)
    if not scan.mentioned(start, end):
        return end
    names = [line[1] for line in _HEADLINE.finditer(scan.text, start, end) if line[2]]
    if names and all(resolve(name, scan.own_prefixes).foreign for name in names):
        return scan.foreign(end, start)
    reason = broken.reason if closed >= 0 or broken.reason not in {TRUNCATED, MALFORMED} else TRUNCATED
    return scan.reject(MALFORMED if closed >= 0 and reason == TRUNCATED else reason, start, end)


def _with_a_brace(scan: Scan, start: int, limit: int) -> int:
    """A call that lacks its last brace, with everything in it closed and the end tag behind it: where it ends, or -1."""
    body = scan.text[start:limit].rstrip()
    if not body.endswith("}") or not _CLOSING_TAG.match(scan.text, limit) or not scan.spend(len(body)):
        return -1
    decoder = Decoder(body + "}")
    try:
        value, _ = decoder.read(0)
    except Broken:
        return -1
    decoder.spans = {key: (a + start, min(b, len(body)) + start) for key, (a, b) in decoder.spans.items()}
    return accept(scan, value, decoder, start, start + len(body), ("missing_brace",))


def _balanced(text: str, start: int, limit: int) -> int:
    """Where the braces that open there are all closed, quoted ones aside; -1 when they are not."""
    depth = 0
    for found in BALANCE.finditer(text, start, limit):
        if found[0] == '"':
            return -1
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return -1


def _derived(scan: Scan, start: int, repair: str) -> int:
    """An object that was escaped as a whole on its way: undo that once and read it strictly."""
    if not scan.mentioned(start, scan.stop):
        return start + 1
    run = (_ESCAPED_RUN if repair == "escaped_object" else _LINE).match(scan.text, start, scan.stop)
    end = run.end() if run else start + 1
    if not scan.spend(8 * (end - start)):
        return scan.reject("TOO_TANGLED", start, end)
    if not scan.mentioned(start, end):
        return start + 1
    text = (mapped.from_json if repair == "escaped_object" else mapped.from_html)(scan.text, start, end)
    decoder = Decoder(text.text)
    try:
        value, inner_end = decoder.read(0)
    except Broken as broken:
        return scan.reject(broken.reason, start, end)
    decoder.spans = {key: text.source(*span) for key, span in decoder.spans.items()}
    decoder.places = {key: text.source(*span) for key, span in decoder.places.items()}
    return accept(scan, value, decoder, start, text.source(0, inner_end)[1], (repair,))


RECOGNISERS = (Recogniser("object", r"[{｛]", _read, ("{", "｛")),)
