"""What holds for every text, as one function: hypothesis, the fuzzer and the saved corpus of the fuzzer all check it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from memslot_sidecar.parsing import Parsed, Reject, parse
from memslot_sidecar.parsing.hints import strict_hint
from memslot_sidecar.parsing.shapes.reasoning import RECOGNISERS

KNOWN = '{"action": "mem_read", "slot": "known"}'
_REASONING_END = re.compile(RECOGNISERS[1].trigger)


def check(text: str) -> None:
    """Raise AssertionError when something does not hold for this text, or whatever the parser raises."""
    strict, lenient = parse(text), parse(text, lenient=True)
    for parsed in (strict, lenient):
        check_spans(text, parsed)
        check_arguments(parsed)
    check_modes(strict, lenient)
    check_once(text)
    check_torn(text)


def check_spans(text: str, parsed: Parsed) -> None:
    """Spans lie in the text, actions in its order; two do not overlap, unless one call was several: then the span is the same."""
    for found in (*parsed.actions, *parsed.rejects):
        assert 0 <= found.start <= found.end <= len(text)
        assert found.start < len(text)
    spans = [(action.start, action.end) for action in parsed.actions]
    assert spans == sorted(spans)
    for before, after in pairwise(spans):
        assert before == after or before[1] <= after[0]
    for reject in parsed.rejects:
        for start, end in spans:
            assert (start, end) == (reject.start, reject.end) or end <= reject.start or reject.end <= start


def check_arguments(parsed: Parsed) -> None:
    """The arguments as text are UTF-8 and are the arguments."""
    for action in parsed.actions:
        action.arguments_json.encode()
        assert json.loads(action.arguments_json) == action.arguments


def check_modes(strict: Parsed, lenient: Parsed) -> None:
    """Both modes find the same; what lenient mode mended is a reject in strict mode, with the repair as its reason."""
    assert strict.actions == tuple(action for action in lenient.actions if not action.repaired)
    mended = {
        Reject(one.repaired[0].upper(), one.start, one.end, strict_hint(one.repaired[0]), one.call_id)
        for one in lenient.actions
        if one.repaired
    }
    assert set(strict.rejects) == set(lenient.rejects) | mended


def check_once(text: str) -> None:
    """A complete action at the start runs, once, whatever follows on the next line, unless the end of a reasoning says it was a draft."""
    if not _REASONING_END.search(text):
        at_start = [action for action in parse(f"{KNOWN}\n{text}").actions if action.start < len(KNOWN)]
        assert [(action.name, action.arguments, action.end) for action in at_start] == [
            ("mem_read", {"slot": "known"}, len(KNOWN))
        ]


def check_torn(text: str) -> None:
    """An action that never closes is none in any mode, whatever it is followed by."""
    if "}" not in text and "｝" not in text:
        torn = parse(KNOWN[:-1] + text, lenient=True)
        assert not any(action.start == 0 for action in torn.actions)
