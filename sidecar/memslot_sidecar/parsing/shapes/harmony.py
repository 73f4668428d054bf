"""gpt-oss harmony: messages with a role, a channel and perhaps a recipient; a message to a function is a call on any channel."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.model import Call
from memslot_sidecar.parsing.names import MENTION
from memslot_sidecar.parsing.scan import Recogniser, Scan
from memslot_sidecar.parsing.shapes.headed import read_arguments

_HEADER = re.compile(
    r"(?:<\|start\|>(?P<role>[^<|\n]{0,160}))?(?:<\|channel\|>(?P<channel>[^<|\n]{0,160}))?"
    r"(?:<\|constrain\|>[^<|\n]{0,40})?<\|message\|>"
)
_RECIPIENT = re.compile(r"\bto=(?P<name>[\w.:-]{1,120})")
_END = re.compile(r"<\|(?:call|end|return|start)\|>")
_CALL_END = re.compile(r"\s*<\|(?:call|end|return)\|>|\s*(?=<\|start\|>)")
_TOKEN = re.compile(r"<\|(?:call|end|return)\|>")


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    start = trigger.start()
    header = _HEADER.match(scan.text, start, scan.stop)
    if header is None:
        return scan.open_container("harmony", start, trigger.end())
    role, channel = header["role"] or "", header["channel"] or ""
    recipient = _RECIPIENT.search(role) or _RECIPIENT.search(channel)
    if role.strip() and not role.strip().startswith("assistant"):
        return _result(scan, header)
    if recipient and recipient["name"] not in {"assistant", "user", "all"}:
        call = Call(recipient["name"], None, start, header.end(), "harmony")
        return read_arguments(scan, call, header.end(), _CALL_END)
    scan.close_container(start)
    if channel.strip().startswith("analysis"):
        return _analysis(scan, header)
    end = scan.next(_END, header.end())
    if ended := _TOKEN.match(scan.text, end, scan.stop):
        scan.cut(end, ended.end())
    scan.taken_to = header.end()
    return scan.cut(start, header.end())


def _analysis(scan: Scan, header: re.Match[str]) -> int:
    end = scan.next(_END, header.end())
    if end < scan.stop or not scan.mentioned(header.end(), end):
        ended = _TOKEN.match(scan.text, end, scan.stop)
        scan.reasoned_to = end
        return scan.cut(header.start(), ended.end() if ended else end)
    scan.draft_from = header.start() if scan.draft_from < 0 else scan.draft_from
    return header.end()


def _result(scan: Scan, header: re.Match[str]) -> int:
    """A tool's or user's message in the model's own output: what follows rests on it."""
    if MENTION.search(header["role"] or "") or scan.found:
        scan.invented_from = header.start()
    return scan.next(_END, header.end())


RECOGNISERS = (Recogniser("harmony", r"<\|(?:start|channel)\|>", _read),)
