"""One recogniser a shape. Where two could start at one place, the one named first is asked."""

from __future__ import annotations

from memslot_sidecar.parsing.scan import Rules
from memslot_sidecar.parsing.shapes import (
    braces,
    fences,
    gemma,
    harmony,
    headed,
    markers,
    python_calls,
    react,
    reasoning,
    results,
    tagged,
)

_MODULES = (
    braces, fences, reasoning, harmony, gemma, headed, tagged, results, markers, react, python_calls,
)  # fmt: skip
RULES = Rules(recogniser for module in _MODULES for recogniser in module.RECOGNISERS)
