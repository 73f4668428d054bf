"""The outputs with several defensible readings are read as data/decisions.jsonl says, and says to users."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memslot_sidecar.parsing import parse

DATA = Path(__file__).parent / "data"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").split("\n") if line]


OUTPUTS = {case["id"]: case["output"] for case in _lines("model_outputs_ambiguous.jsonl")}
DECISIONS = _lines("decisions.jsonl")


@pytest.mark.parametrize("mode", ["strict", "lenient"])
@pytest.mark.parametrize("decision", DECISIONS, ids=[decision["id"] for decision in DECISIONS])
def test_an_ambiguous_output_is_read_as_decided(decision: dict[str, Any], mode: str) -> None:
    """Actions and reasons are those of the decision."""
    parsed = parse(OUTPUTS[decision["id"]], lenient=mode == "lenient")
    assert [{"action": action.name, **action.arguments} for action in parsed.actions] == decision[mode]["actions"]
    assert [reject.reason for reject in parsed.rejects] == decision[mode]["rejects"]


def test_every_ambiguous_output_is_decided() -> None:
    """None is left open, and each decision is a sentence for users."""
    assert [decision["id"] for decision in DECISIONS] == list(OUTPUTS)
    assert all(decision["decision"].endswith(".") for decision in DECISIONS)


def test_a_prefix_counts_when_the_caller_says_that_it_is_ours() -> None:
    """The output with a host's prefix runs once the prefix is configured."""
    parsed = parse(OUTPUTS["amb-009"], own_prefixes=["mcp__notes__"])
    assert [action.name for action in parsed.actions] == ["mem_write"]
    assert parsed.actions[0].repaired == ()
