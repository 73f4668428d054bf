"""Shapes that put each argument between tags of its own, as plain text. A new one is a row of ``ROWS``.

Tagged values carry no types: they are texts, character by character, unless the format itself says otherwise. A value that holds
tags of the call itself has no certain end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from memslot_sidecar.parsing.json_strict import TRUNCATED, Decoder
from memslot_sidecar.parsing.model import Broken, Call
from memslot_sidecar.parsing.names import ACTIONS, resolve
from memslot_sidecar.parsing.scan import Recogniser, Scan
from memslot_sidecar.parsing.shapes.headed import read_arguments

_NAME = r"(?P<name>[^<>\"'\n]{1,120}?)"
_KEY = r"(?P<key>[^<>\"'\n]{1,120}?)"
_NS = r"(?:[\w.-]{1,20}:|[|｜]DSML[|｜])?"
_M3 = r"\]<\]minimax\[>\["
_OUTER_END = re.compile(
    r"</?" + _NS + r"(?:tool_calls?|toolcall|function_calls?|longcat_tool_call)>|" + _M3 + r"</?tool_call>"
)


@dataclass(frozen=True)
class Tagged:
    """``open`` has the group ``name``, ``parameter`` the group ``key`` and perhaps ``string`` (``false``: a JSON value)."""

    shape: str
    trigger: str
    open: str
    parameter: str
    value_end: str
    close: str
    drift: str = ""
    """A misspelt ``parameter`` with one reading."""
    trims_line_feed: bool = False
    """One line feed behind the opening tag and one before the closing tag belong to the format."""


def _glm(prefix: str, shape: str) -> Tagged:
    key = rf"(?:\s*</{prefix}arg_key>)"
    return Tagged(
        shape,
        rf"<{prefix}tool_call>(?=\s*[A-Za-z])",
        rf"<{prefix}tool_call>\s*(?P<name>[\w.:-]{{1,120}})\s*(?=<)(?:<tool_sep>)?",
        rf"<{prefix}arg_key>\s*{_KEY}\s*</{prefix}arg_key>\s*<{prefix}arg_value>",
        rf"</{prefix}arg_value>",
        rf"</{prefix}tool_call>",
        drift=rf"<{prefix}(?:arg_key|tool_call)>\s*{_KEY}{key}{{1,3}}\s*(?:<{prefix}arg_value>)?",
    )


ROWS = (
    Tagged(
        "qwen-xml",
        r"<function\s*=",
        r"<function\s*=\s*[\"']?" + _NAME + r"[\"']?\s*>",
        r"<parameter\s*=\s*[\"']?" + _KEY + r"[\"']?\s*>",
        r"</parameter>",
        r"</function>",
        trims_line_feed=True,
    ),
    Tagged(
        "invoke",
        r"<" + _NS + r"invoke\s",
        r"<" + _NS + r"invoke\s+name\s*=\s*[\"']" + _NAME + r"[\"']\s*>",
        r"<" + _NS + r"parameter\s+name\s*=\s*[\"']" + _KEY + r"[\"'](?:\s+string=\"(?P<string>true|false)\")?\s*>",
        r"</" + _NS + r"parameter>",
        r"</" + _NS + r"invoke>",
    ),
    Tagged(
        "function-param",
        r"<function\s+name",
        r"<function\s+name\s*=\s*[\"']" + _NAME + r"[\"']\s*>",
        r"<param(?:eter)?\s+name\s*=\s*[\"']" + _KEY + r"[\"']\s*>",
        r"</param(?:eter)?>",
        r"</function>",
    ),
    Tagged(
        "minimax-m3",
        _M3 + r"<invoke",
        _M3 + r"<invoke\s+name\s*=\s*[\"']" + _NAME + r"[\"']\s*>",
        _M3 + r"<(?P<key>\w{1,100})>",
        _M3 + r"</\w{1,100}>",
        _M3 + r"</invoke>",
    ),
    _glm("", "glm"),
    _glm("longcat_", "longcat"),
    Tagged(
        "tag-per-tool",
        r"<mem_[a-z]{4,6}>",
        r"<(?P<name>mem_[a-z]{4,6})>",
        r"<(?P<key>slot|value|query|name_prefix|limit)>",
        r"</(?:slot|value|query|name_prefix|limit)>",
        r"</mem_[a-z]{4,6}>",
    ),
)


@dataclass(frozen=True)
class _Patterns:
    row: Tagged
    open: re.Pattern[str]
    parameter: re.Pattern[str]
    value_end: re.Pattern[str]
    close: re.Pattern[str]
    drift: re.Pattern[str] | None


class _Torn(Exception):
    """The call cannot be read; ``end`` is how far it reaches."""

    def __init__(self, reason: str, end: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.end = end


def _read(tags: _Patterns, scan: Scan, trigger: re.Match[str]) -> int:
    opened = tags.open.match(scan.text, trigger.start(), scan.stop)
    if opened is None:
        return scan.open_container(tags.row.shape, trigger.start(), trigger.end())
    call = Call(opened["name"].strip(), None, trigger.start(), opened.end(), tags.row.shape)
    return _TaggedCall(tags, scan, call, opened.end()).read()


class _TaggedCall:
    def __init__(self, tags: _Patterns, scan: Scan, call: Call, start: int) -> None:
        self.tags = tags
        self.scan = scan
        self.call = call
        self.start = start
        self.arguments: dict[str, Any] = {}

    def read(self) -> int:
        scan, call = self.scan, self.call
        if resolve(call.name, scan.own_prefixes).foreign:
            closed = self.tags.close.match(scan.text, scan.next(self.tags.close, self.start), scan.stop)
            return scan.foreign(closed.end() if closed else self.start)
        at = self._space(self.start)
        if scan.text[at : at + 1] == "{":
            return read_arguments(scan, call, at, re.compile(r"\s*(?:" + self.tags.row.close + r")"))
        scan.container = None
        try:
            call.end = self._members(at)
        except _Torn as torn:
            return scan.reject(torn.reason, call.start, max(torn.end, self.start))
        call.arguments = self.arguments
        scan.add(call)
        return call.end

    def _space(self, at: int) -> int:
        while at < self.scan.stop and self.scan.text[at].isspace():
            at += 1
        return at

    def _members(self, at: int) -> int:
        scan, tags = self.scan, self.tags
        while True:
            at = self._space(at)
            if closed := tags.close.match(scan.text, at, scan.stop):
                self._no_orphan(closed.end())
                return closed.end()
            opened = tags.parameter.match(scan.text, at, scan.stop)
            if opened is None and tags.drift and (opened := tags.drift.match(scan.text, at, scan.stop)):
                self.call.repaired.append("malformed_markup")
            if opened is None:
                return self._unclosed(at)
            at = self._value(opened)

    def _unclosed(self, at: int) -> int:
        """No argument and no end of the call: an end tag around it says that it was not cut off."""
        if self.arguments and _OUTER_END.match(self.scan.text, at, self.scan.stop):
            self.call.repaired.append("missing_end_tag")
            return at
        end = self.scan.limit(at)
        raise _Torn(TRUNCATED if end >= len(self.scan.text) else "MALFORMED_MARKUP", end)

    def _value(self, opened: re.Match[str]) -> int:
        start, key = opened.end(), opened["key"].strip()
        end, after = self._end(start)
        if key in self.arguments:
            self.call.flaws.append("DUPLICATE_KEY")
        self.arguments[key] = self._meaning(start, end, opened)
        return after

    def _end(self, start: int) -> tuple[int, int]:
        """Where the value ends, and where its closing tag does."""
        scan, tags = self.scan, self.tags
        first = scan.next(tags.value_end, start)
        inner = min(scan.next(tags.parameter, start), scan.next(tags.open, start))
        closed = scan.next(tags.close, start)
        if closed < inner < first:
            return self._by_close(start, closed)
        if inner < first:
            return self._split(inner)
        if first >= scan.stop or (closed < first and not self._structural(self._after(first))):
            return self._by_close(start, closed)
        if closed < first and scan.next(tags.open, closed) < first:
            return self._by_close(start, closed)
        if self._structural(self._after(first)):
            return first, self._after(first)
        return self._later(start, first)

    def _after(self, at: int) -> int:
        ended = self.tags.value_end.match(self.scan.text, at)
        return ended.end() if ended else at

    def _structural(self, at: int) -> bool:
        at = self._space(at)
        text, stop = self.scan.text, self.scan.stop
        patterns = (self.tags.parameter, self.tags.close, _OUTER_END, *([self.tags.drift] if self.tags.drift else []))
        return at >= stop or any(pattern.match(text, at, stop) for pattern in patterns)

    def _by_close(self, start: int, closed: int) -> tuple[int, int]:
        """The value's own end is missing and the end of the call stands for it."""
        if closed >= self.scan.stop:
            raise _Torn(TRUNCATED, self.scan.limit(start))
        self.call.repaired.append("missing_value_end")
        return closed, closed

    def _split(self, inner: int) -> tuple[int, int]:
        """Another argument starts before this one ends: the end is missing, unless the value itself holds tags."""
        opened = self.tags.parameter.match(self.scan.text, inner, self.scan.stop)
        required = ACTIONS[resolve(self.call.name, self.scan.own_prefixes).name].required if not self._unknown() else ()
        if opened and opened["key"].strip() in required and opened["key"].strip() not in self.arguments:
            self.call.repaired.append("missing_value_end")
            return inner, inner
        if scan_end := self._closing():
            raise _Torn("AMBIGUOUS_MARKUP", scan_end)
        raise _Torn(TRUNCATED, self.scan.stop)

    def _unknown(self) -> bool:
        return not resolve(self.call.name, self.scan.own_prefixes).name

    def _closing(self) -> int:
        """How far a call with tags inside its value reaches: behind as many ends as there are starts."""
        scan, tags = self.scan, self.tags
        depth, at = 1, self.start
        while depth:
            closed, opened = scan.next(tags.close, at), scan.next(tags.open, at)
            if closed >= scan.stop:
                return scan.limit(at) if at > self.start else 0
            depth += 1 if opened < closed else -1
            at = min(opened, closed) + 1
        ended = tags.close.match(scan.text, at - 1)
        return ended.end() if ended else at

    def _later(self, start: int, first: int) -> tuple[int, int]:
        """The first closing tag is followed by more text: the value ends at the one that is not."""
        scan, tags = self.scan, self.tags
        at = first
        while at < scan.stop:
            at = scan.next(tags.value_end, at + 1)
            if at < scan.stop and self._structural(self._after(at)):
                if min(scan.next(tags.open, start), scan.next(tags.close, start)) < at:
                    break
                self.call.repaired.append("close_tag_in_value")
                return at, self._after(at)
        raise _Torn("AMBIGUOUS_MARKUP" if self._closing() else TRUNCATED, self._closing() or scan.limit(start))

    def _no_orphan(self, end: int) -> None:
        """A value's end that no value begins: the call's end was part of a value."""
        scan, tags = self.scan, self.tags
        orphan = scan.next(tags.value_end, end)
        if orphan < min(scan.next(tags.parameter, end), scan.next(tags.open, end), scan.stop) and tags.close.match(
            scan.text, self._space(self._after(orphan)), scan.stop
        ):
            self.call.flaws.append("AMBIGUOUS_MARKUP")

    def _meaning(self, start: int, end: int, opened: re.Match[str]) -> Any:
        text = self.scan.text[start:end]
        if self.tags.row.trims_line_feed:
            text = re.sub(r"\A\r?\n", "", text)
            text = text[:-1].removesuffix("\r") if text.endswith("\n") else text
        if opened.re.groupindex.get("string") and opened["string"] == "false":
            return self._typed(text)
        return text

    def _typed(self, text: str) -> Any:
        decoder = Decoder(text)
        try:
            value, end = decoder.read(decoder.space(0))
        except Broken:
            self.call.flaws.append("MALFORMED_JSON")
            return None
        self.call.flaws += [flaw for flaw, _ in decoder.flaws]
        if decoder.space(end) < len(text):
            self.call.flaws.append("MALFORMED_JSON")
        return value


def _recognisers() -> tuple[Recogniser, ...]:
    made = []
    for number, row in enumerate(ROWS):
        drift = re.compile(row.drift) if row.drift else None
        opener, parameter, value_end, close = map(re.compile, (row.open, row.parameter, row.value_end, row.close))
        tags = _Patterns(row, opener, parameter, value_end, close, drift)
        made.append(Recogniser(f"tagged_{number}", row.trigger, partial(_read, tags), ("<", "]<]minimax[>[")))
    return tuple(made)


RECOGNISERS = _recognisers()
