"""The scenario files are what README.md says, and what every language's codec can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from google.protobuf import json_format
from tests.conformance.contract import method_named
from tests.conformance.matching import MATCHERS
from tests.conformance.scenarios import FOLDER, SCHEMA, files, scenarios, walk
from tests.conformance.templates import Values


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_each_file_is_of_the_schema(file: Path) -> None:
    """A key that is spelled wrong is found before anything runs."""
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(
        json.loads(file.read_text(encoding="utf-8"))
    )


def test_the_schema_is_one() -> None:
    """The schema itself is valid."""
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))


class _Anything(dict[str, Any]):
    """Every variable has a value that fits wherever a scenario uses one."""

    def __missing__(self, key: str) -> str:
        return "7"


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
def test_each_request_is_a_message(scenario: Any) -> None:
    """Each request is protobuf JSON of its method's message, in the lowerCamelCase that every codec reads."""
    values = Values(_Anything())
    values._known = _Anything()
    for step in walk(scenario.steps):
        if "call" in step:
            method = method_named(step["call"])
            request = values.fill(step.get("request", {}))
            json_format.ParseDict(request, method.request())
            known = {field.json_name for field in method.request.DESCRIPTOR.fields}
            assert set(request) <= known


def _matchers(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (key for key in value if key.startswith("$"))
        for item in value.values():
            yield from _matchers(item)
    elif isinstance(value, list):
        for item in value:
            yield from _matchers(item)


def test_every_matcher_is_documented_and_used() -> None:
    """What stands for a value is in README.md, and there is nothing else."""
    known = {*MATCHERS, "$text", "$utf8", "$nfd"}
    used = {matcher for scenario in scenarios() for step in scenario.steps for matcher in _matchers(step)}
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert used == known
    assert [matcher for matcher in known if f'"{matcher}"' not in text] == []
