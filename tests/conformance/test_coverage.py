"""The scenarios cover the contract."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.faces import FACES
from tests.conformance.python_verbs import VERBS
from tests.conformance.reasons import NOT_BY_A_CALLER
from tests.conformance.scenarios import SCHEMA, scenarios, walk

from memslot._core.raw import unary_methods
from memslot_sidecar.errors import MemslotError

README = Path(__file__).parents[2] / "README.md"
ALL = scenarios()
STEPS = [step for scenario in ALL for step in walk(scenario.steps)]


def _reasons(value: Any) -> Iterator[str]:
    """Every reason that is expected anywhere: of an error, or of a status within a reply."""
    if isinstance(value, dict):
        if isinstance(value.get("reason"), str):
            yield value["reason"]
        for item in value.values():
            yield from _reasons(item)
    elif isinstance(value, list):
        for item in value:
            yield from _reasons(item)


def _of_the_server(cls: type[MemslotError] = MemslotError) -> set[str]:
    return {cls.reason}.union(*map(_of_the_server, cls.__subclasses__()))


def test_there_are_enough_scenarios() -> None:
    """At least eighty, each with a name of its own; README.md tells how many."""
    assert len(ALL) >= 80
    assert len({scenario.name for scenario in ALL}) == len(ALL)
    assert f"One set of {len(ALL)} scenarios" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("method", sorted(unary_methods()))
def test_every_unary_method_has_a_scenario(method: str) -> None:
    """Each unary RPC of the four services is answered in some scenario."""
    assert any(step.get("call") == method and "error" not in step for step in STEPS)


def test_every_reason_that_a_caller_can_cause_has_a_scenario() -> None:
    """Each reason of the server is expected somewhere, or it is said why no caller can cause it."""
    expected = set(_reasons(STEPS))
    assert _of_the_server() - expected == set(NOT_BY_A_CALLER)


def test_every_verb_has_a_scenario() -> None:
    """Each verb of the idiomatic layer is used, and the schema knows exactly these."""
    known = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["do"]["properties"]["do"]["enum"]
    assert {step["do"] for step in STEPS if "do" in step} == set(known) == set(VERBS)


def test_the_five_faces_are_there() -> None:
    """Four clients and plain HTTP."""
    assert [face.name for face in FACES] == ["python", "http", "go", "typescript", "java"]
