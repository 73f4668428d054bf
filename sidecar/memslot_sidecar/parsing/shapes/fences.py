"""Markdown fences. Most are noise around an action; one labelled as an example, or full of other code, is text for the user."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.model import Action
from memslot_sidecar.parsing.scan import Recogniser, Scan

_INFO = re.compile(r"`{3,}[ \t]*([^\n`{]{0,120})(?=\n|\Z|\{)")
_CLOSE = re.compile(r"\n[ \t]*```(?=[ \t]*(?:\n|\Z|<))")
_EXAMPLE = re.compile(
    r"\b(?:example|sample|demo|template|beispiel|ejemplo|exemple|esempio)\b|示例|例如|范例|例", re.IGNORECASE
)
_CODE = frozenset(
    [
        "python",
        "py",
        "python3",
        "javascript",
        "js",
        "typescript",
        "ts",
        "bash",
        "sh",
        "shell",
        "zsh",
        "go",
        "rust",
        "java",
        "c",
        "cpp",
        "csharp",
        "ruby",
        "php",
        "sql",
        "r",
        "kotlin",
        "swift",
    ]
)
_NO_STATEMENT = re.compile(r"\#[^\n]*|[\s\[\](),;]+|print(?=\()")


def _read(scan: Scan, trigger: re.Match[str]) -> int:
    start = trigger.start()
    if scan.inside_code:
        return trigger.end()
    info = _INFO.match(scan.text, start, scan.stop)
    if scan.fence_start >= 0 or info is None:
        scan.fence_start = -1
        return trigger.end()
    words = info[1].split()
    end = scan.next(_CLOSE, info.end() - 1 if info.end() > trigger.end() else info.end())
    if len(words) > 1 and _EXAMPLE.search(" ".join(words[1:])):
        return _inside(scan, info.end(), end, "EXAMPLE")
    if words and words[0].lower() in _CODE:
        return _inside(scan, info.end(), end, "SAMPLE_CODE")
    scan.fence_start = start
    scan.taken_to = info.end()
    return info.end()


def _inside(scan: Scan, start: int, end: int, reason: str) -> int:
    """Read a fence whose actions may be text for the user; returns its end."""
    known = len(scan.found)
    scan.fence_start, scan.taken_to, scan.inside_code = start, start, True
    scan.run(start, end)
    scan.fence_start, scan.inside_code = -1, False
    if reason == "EXAMPLE" or not _nothing_else(scan, known, start, end):
        scan.refuse_from(known, reason)
    return min(end + 4, scan.stop) if end < scan.stop else end


def _nothing_else(scan: Scan, known: int, start: int, end: int) -> bool:
    """Whether the fence holds calls and nothing but calls."""
    at = start
    for found in sorted(scan.found[known:], key=lambda found: found.start):
        if not isinstance(found, Action) or _NO_STATEMENT.sub("", scan.text[at : found.start]):
            return False
        at = found.end
    return not _NO_STATEMENT.sub("", scan.text[at:end])


RECOGNISERS = (Recogniser("fence", r"```", _read, ("```",)),)
