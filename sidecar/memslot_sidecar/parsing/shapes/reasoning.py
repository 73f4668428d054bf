"""Reasoning holds drafts: closed reasoning is passed over, and what stands in reasoning that never closes is reported, not run."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.scan import Recogniser, Scan

_TAG_NAMES = r"(?i:(?:[\w.-]{1,20}:|longcat_)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|inner_monologue))"
_PAIRS = (
    (r"<" + _TAG_NAMES + r">", r"</" + _TAG_NAMES + r">"),
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    (r"<\|(?:thought_start|think_start|begin_of_thought)\|>", r"<\|(?:thought_end|think_end|end_of_thought)\|>"),
    (r"<\|channel>thought", r"<channel\|>"),
    (r"\[THINK\]", r"\[/THINK\]"),
    (r"◁think▷", r"◁/think▷"),
    (r"Here is my thought process:", r"Here is my response:"),
)
_OPEN = re.compile("|".join(f"({opener})" for opener, _ in _PAIRS))
_CLOSE = [re.compile(closer) for _, closer in _PAIRS]
_ANY_OPEN = "|".join(opener for opener, _ in _PAIRS)
_ANY_CLOSE = "|".join(closer for _, closer in _PAIRS[:-1])


def _open(scan: Scan, trigger: re.Match[str]) -> int:
    start, end = trigger.span()
    if scan.text[start - 1 : start] == "`" and scan.text[end : end + 1] == "`":
        return end
    opened = _OPEN.match(scan.text, start)
    closer = _CLOSE[(opened.lastindex or 1) - 1] if opened else _CLOSE[0]
    closed = scan.next(closer, end)
    scan.close_container(start)
    if closed < scan.stop and (ended := closer.match(scan.text, closed)):
        scan.reasoned_to = scan.taken_to = ended.end()
        return scan.cut(start, ended.end())
    scan.draft_from = start if scan.draft_from < 0 else scan.draft_from
    return end


def _close(scan: Scan, trigger: re.Match[str]) -> int:
    """An end without a start: the prompt held the start, and all before it was reasoning."""
    start, end = trigger.span()
    if scan.text[start - 1 : start] == "`" and scan.text[end : end + 1] == "`":
        return end
    scan.container = None
    if scan.reasoned_to:
        known = len(scan.found)
        while known and scan.found[known - 1].start >= scan.reasoned_to:
            known -= 1
        scan.refuse_from(known, "REASONING_UNCLEAR")
    else:
        scan.found.clear()
        scan.replies.clear()
        scan.cuts.clear()
        scan.cut(0, end)
    scan.reasoned_to = scan.taken_to = end
    scan.draft_from = -1
    return end


RECOGNISERS = (
    Recogniser("reasoning", _ANY_OPEN, _open, ("<", "[THINK]", "◁think▷", "Here is my thought process:")),
    Recogniser("reasoning_end", _ANY_CLOSE, _close, ("<", "[/THINK]", "◁/think▷")),
)
