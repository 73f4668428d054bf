"""Every output of the corpus, and of those that we added, is read as its `expect` says, in strict and in lenient mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memslot_sidecar.parsing import Parsed, parse

DATA = Path(__file__).parent / "data"
FILES = ("model_outputs.jsonl", "more_outputs.jsonl")
CASES = [json.loads(line) for name in FILES for line in (DATA / name).read_text(encoding="ascii").split("\n") if line]
by_id = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def _actions(parsed: Parsed) -> list[dict[str, Any]]:
    return [{"action": action.name, **action.arguments} for action in parsed.actions]


def _same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    # As text too: True is 1 and 1.0 is 1 to Python, but not in JSON.
    assert found == expected
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


def _texts(case: dict[str, Any], parsed: Parsed) -> None:
    assert [part for part in case["expect"]["user_text_contains"] if part not in parsed.user_text] == []
    assert [part for part in case["expect"]["user_text_excludes"] if part in parsed.user_text] == []


@by_id
def test_strict(case: dict[str, Any]) -> None:
    """Strict mode takes what is whole, and rejects what only lenient mode would take."""
    parsed = parse(case["output"])
    expect = case["expect"] if case["strict"] else case["expect"]["strict_mode"]
    _same(_actions(parsed), expect["actions"])
    assert not any(action.repaired for action in parsed.actions)
    assert expect["rejects"] <= len(parsed.rejects) <= case["expect"].get("rejects_max", 99)
    if case["strict"]:
        _texts(case, parsed)


@by_id
def test_lenient(case: dict[str, Any]) -> None:
    """Lenient mode takes the same and what has one reading, and marks that."""
    parsed = parse(case["output"], lenient=True)
    _same(_actions(parsed), case["expect"]["actions"])
    assert any(action.repaired for action in parsed.actions) == (not case["strict"])
    assert case["expect"]["rejects"] <= len(parsed.rejects) <= case["expect"].get("rejects_max", 99)
    _texts(case, parsed)


@by_id
def test_nothing_is_reported_without_cause(case: dict[str, Any]) -> None:
    """Where every action is taken, nothing is reported besides."""
    if case["expect"]["rejects"] == 0:
        assert parse(case["output"], lenient=True).rejects == ()


@by_id
def test_the_arguments_as_text_are_the_arguments(case: dict[str, Any]) -> None:
    """`arguments_json` decodes to `arguments`, and every span holds what it is said to hold."""
    for action in parse(case["output"], lenient=True).actions:
        assert json.loads(action.arguments_json) == action.arguments
        assert 0 <= action.start < action.end <= len(case["output"])
