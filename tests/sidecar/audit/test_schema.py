"""The schema of an audit event describes what is told, and no more."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from tests.sidecar.audit.harness import VALIDATOR, call

from memslot_sidecar.audit.event import Answered, Recorded
from memslot_sidecar.audit.lines import Lines
from memslot_sidecar.call import Call
from memslot_sidecar.commands.audit import schema_text
from memslot_sidecar.errors import CODES
from memslot_sidecar.model import Change

SCHEMA = json.loads(schema_text())


def test_the_schema_is_a_schema() -> None:
    """It is valid JSON Schema 2020-12, and each property is described."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    undescribed = [name for name, about in SCHEMA["properties"].items() if "description" not in about]
    assert undescribed == ["event"]


def test_the_schema_knows_all_words() -> None:
    """All gRPC codes and all kinds of change may occur."""
    assert set(CODES.values()) <= set(SCHEMA["properties"]["code"]["enum"])
    changes = SCHEMA["properties"]["changes"]["items"]["properties"]["change"]["enum"]
    assert set(changes) == {change.value for change in Change}


def event(**changed: Any) -> dict[str, Any]:
    """An event of a read, with some fields set, or removed by None."""
    made: dict[str, Any] = json.loads(Lines("a" * 32, "b" * 32).render(Answered(call("Read", "plan"), "OK", 3)))
    made |= changed
    return {key: value for key, value in made.items() if key not in changed or value is not None}


@pytest.mark.parametrize(
    "changed",
    [
        {"body": "secret"},
        {"message": "no slot"},
        {"schema_version": 2},
        {"sequence": 0},
        {"time": "2026-11-30T06:46:10Z"},
        {"code": "WRONG"},
        {"caller": {"id": "a"}},
        {"part": 1},
        {"part": 1, "last_part": False},
        {"recovered": True},
        {"mutation": True},
        {"names": None},
        {"agent": "a" * 257},
    ],
    ids=repr,
)
def test_the_schema_refuses_what_is_not_told(changed: dict[str, Any]) -> None:
    """A body, an error's text, a missing or a wrong field is no audit event."""
    assert VALIDATOR.is_valid(event())
    assert not VALIDATOR.is_valid(event(**changed))


def test_a_call_has_no_field_for_a_body() -> None:
    """What an event is made of has no place where a body could be."""
    parts = set(Call.__slots__) | set(Answered.__slots__) | set(Recorded.__slots__)
    assert not parts & {"body", "value", "content", "message", "error", "request", "reply"}
