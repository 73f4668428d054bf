"""A result that the model wrote itself. What it does after that rests on something that never happened, so it is reported, not run."""

from __future__ import annotations

import re

from memslot_sidecar.parsing.scan import Recogniser, Scan

_BLOCK = re.compile(r"<(tool_response|function_results?|tool_results?|tool_outputs?)>")
_OBSERVATION = re.compile(r"[ \t>*_#]*\Z")


def _block(scan: Scan, trigger: re.Match[str]) -> int:
    opened = _BLOCK.match(scan.text, trigger.start())
    scan.invented_from = trigger.start()
    scan.close_container(trigger.start())
    end = scan.next(re.compile(f"</{opened[1]}>"), trigger.end()) if opened else trigger.end()
    return end if end < scan.stop else trigger.end()


def _token(scan: Scan, trigger: re.Match[str]) -> int:
    scan.invented_from = trigger.start()
    return trigger.end()


def _observation(scan: Scan, trigger: re.Match[str]) -> int:
    line = scan.text[scan.line_start(trigger.start()) : trigger.start()]
    if scan.one_action_a_turn and _OBSERVATION.match(line):
        scan.invented_from = trigger.start()
    return trigger.end()


RECOGNISERS = (
    Recogniser("result_block", r"<(?:tool_response|function_results?|tool_results?|tool_outputs?)>", _block),
    Recogniser(
        "result_token",
        r"<[|｜]tool[▁_ ]outputs?[▁_ ]begin[|｜]>|\[TOOL_RESULTS\]|FUNCTION RETURN",
        _token,
        ("<", "[TOOL_RESULTS]", "FUNCTION RETURN"),
    ),
    Recogniser("observation", r"Observation[*_]{0,3}:", _observation, ("Observation",)),
)
