"""What names an action as a call does, and was taken by no recogniser: it is reported, for nothing is dropped silently."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.names import NAME
from memslot_sidecar.parsing.scan import Scan

_KEYS = r"(?:action|name|function|tool|tool_name)"
_NAMED = re.compile(
    rf"\b{_KEYS}\\{{0,9}}[\"']\s{{0,20}}[:=]?\s{{0,20}}\\{{0,9}}[\"'](?:functions\.)?{NAME}\\{{0,9}}[\"']"
    rf"|<(?:function|invoke|tool_call)[\s=][^<>\n]{{0,40}}{NAME}|<{NAME}(?=[\s/])"
    rf"|^[ \t]{{0,20}}{_KEYS}[ \t]{{0,20}}[:=][ \t]{{0,20}}[\"'`]?{NAME}[\"'`]?,?[ \t]{{0,20}}$",
    re.MULTILINE,
)


def report_leftovers(scan: Scan) -> None:
    """Add a reject for each call-like naming outside everything that was found or cut."""
    if "mem_" not in scan.text:
        return
    covered = sorted([(one.start, one.end) for one in scan.found] + [(cut.start, cut.end) for cut in scan.cuts])
    covered += scan.passed
    covered.sort()
    index, reach = 0, 0
    for named in _NAMED.finditer(scan.text):
        while index < len(covered) and covered[index][0] <= named.start():
            reach = max(reach, covered[index][1])
            index += 1
        following = covered[index][0] if index < len(covered) else len(scan.text)
        if named.start() >= reach and named.end() <= following:
            scan.reject("UNREADABLE_CALL", named.start(), named.end())
