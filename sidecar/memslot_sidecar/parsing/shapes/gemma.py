"""Gemma's own call syntax: `call:name{key:value}`, where a token stands for the quotes."""

from __future__ import annotations

import re
from typing import Any

from memslot_sidecar.parsing.json_lenient import LenientDecoder
from memslot_sidecar.parsing.json_strict import TRUNCATED, Decoder
from memslot_sidecar.parsing.model import Broken, Call
from memslot_sidecar.parsing.names import resolve
from memslot_sidecar.parsing.python_literals import PythonDecoder
from memslot_sidecar.parsing.scan import Recogniser, Scan

_HEAD = re.compile(r"(?:<\|tool_call>|<start_function_call>)?\s*call:(?P<name>[^\W\d][\w.-]{0,100})\s*(?P<open>[{(])")
_CLOSE = re.compile(r"\s*(?:<tool_call\|>|<end_function_call>)")
_QUOTES = ('<|"|>', "<escape>")
_BARE_KEY = re.compile(r"[^\W\d][\w.-]{0,100}")


class GemmaDecoder(Decoder):
    """Reads the braces of a call: keys are bare, texts stand between quote tokens and hold anything else."""

    def value(self, i: int, depth: int) -> tuple[Any, int]:
        """Any value."""
        return self._text(i) if self._quote(i) else super().value(i, depth)

    def key(self, i: int) -> tuple[str, int]:
        """A bare key, or one between quote tokens."""
        if self._quote(i):
            return self._text(i)
        bare = _BARE_KEY.match(self.text, i, self.limit)
        if bare is None:
            raise self.broken(i)
        return bare[0], bare.end()

    def string(self, i: int) -> tuple[str, int]:
        """Plain quotes are not this format's."""
        raise self.broken(i)

    def _quote(self, i: int) -> str:
        return next((quote for quote in _QUOTES if self.text.startswith(quote, i)), "")

    def _text(self, i: int) -> tuple[str, int]:
        quote = self._quote(i)
        end = self.text.find(quote, i + len(quote), self.limit)
        if end < 0:
            raise self.broken(self.limit)
        return self.text[i + len(quote) : end], end + len(quote)


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    start = trigger.start()
    head = _HEAD.match(scan.text, start, scan.stop)
    if head is None:
        return scan.open_container("gemma", start, trigger.end())
    call = Call(head["name"], None, start, head.end(), "gemma")
    scan.container = None
    decoder: Decoder = GemmaDecoder(scan.text, scan.stop)
    opened = head.end() - 1
    try:
        if head["open"] == "(":
            raise Broken(opened, "MALFORMED_CALL")
        call.arguments, end = decoder.read(opened)
    except Broken as broken:
        decoder, end = _drifted(scan, call, opened, max(broken.position, opened))
    call.flaws += [flaw for flaw, _ in decoder.flaws]
    call.repaired += [mark for mark, _ in decoder.repairs]
    ended = _CLOSE.match(scan.text, end, scan.stop)
    call.end = ended.end() if ended else end
    if resolve(call.name, scan.own_prefixes).foreign:
        return scan.foreign(call.end)
    scan.add(call)
    return call.end


def _drifted(scan: Scan, call: Call, opened: int, position: int) -> tuple[Decoder, int]:
    """The same call with another language's quotes or brackets."""
    limit = scan.limit(position)
    try:
        if scan.text[opened] == "(":
            python = PythonDecoder(scan.text, limit)
            positional, call.arguments, end = python.arguments(opened)
            call.repaired.append("parentheses_for_braces")
            call.flaws += ["MALFORMED_CALL"] if positional else []
            return python, end
        lenient = LenientDecoder(scan.text, limit)
        call.arguments, end = lenient.read(opened)
    except Broken:
        torn = min(position, limit) >= len(scan.text)
        call.flaws.append(TRUNCATED if torn else "MALFORMED_CALL")
        return Decoder(scan.text), limit
    call.repaired.append("quotes_for_tokens")
    return lenient, end


RECOGNISERS = (Recogniser("gemma", r"<\|tool_call>|<start_function_call>|\bcall:(?=mem_)", _read, ("<", "call:mem_")),)
