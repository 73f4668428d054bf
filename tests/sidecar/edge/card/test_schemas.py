"""The tools' schemas: small, valid, and what Act takes."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.services.served import served

from memslot.v1 import agent_service_pb2 as agent
from memslot_sidecar.edge.acting.arguments import ALLOWED, understood
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.schemas import ToolForm, schemas_json
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.parsing.names import ACTIONS

FORMS = [(form, language) for form in ToolForm for language in Language]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def parameters(form: ToolForm, tool: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    found: dict[str, Any] = {
        ToolForm.OPENAI: lambda: tool["function"]["parameters"],
        ToolForm.ANTHROPIC: lambda: tool["input_schema"],
        ToolForm.MCP: lambda: tool["inputSchema"],
    }[form]()
    return found


@pytest.mark.parametrize(("form", "language"), FORMS)
def test_all_schemas_together_are_small(form: ToolForm, language: Language) -> None:
    """Below 1,600 characters, also when they are written with spaces or with escapes."""
    text = schemas_json(form, language)
    assert len(text) < 1450
    assert len(json.dumps(json.loads(text))) < 1600


@pytest.mark.parametrize(("form", "language"), FORMS)
def test_each_schema_is_one_of_its_form(form: ToolForm, language: Language) -> None:
    """Every action has a tool with a description and a valid schema that requires what the action requires."""
    tools = json.loads(schemas_json(form, language))
    names = [tool["function"]["name"] if form is ToolForm.OPENAI else tool["name"] for tool in tools]
    assert names == list(ACTIONS)
    for tool, action in zip(tools, ACTIONS.values(), strict=True):
        schema = parameters(form, tool)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert schema.get("required", []) == list(action.required)
        assert (tool["function"] if form is ToolForm.OPENAI else tool)["description"]
        if form is ToolForm.OPENAI:
            assert tool["type"] == "function"


@given(st.data())
def test_what_a_schema_offers_act_takes(data: st.DataObject) -> None:
    """Any values of the offered arguments, required ones alone or all, are understood by Act, except what only words can forbid."""
    for tool in json.loads(schemas_json(ToolForm.MCP, Language.EN)):
        schema, action = tool["inputSchema"], tool["name"]
        assert set(schema["properties"]) <= set(ALLOWED[action])
        arguments = {
            name: data.draw(st.text(min_size=1).filter(str.strip) if kind else VALUES)
            for name, kind in schema["properties"].items()
            if name in schema.get("required", []) or data.draw(st.booleans())
        }
        jsonschema.validate(arguments, schema)
        if action == "mem_patch" and isinstance(arguments["value"], str):
            continue
        understood(action, arguments)


async def test_the_service_tells_the_schemas_that_are_asked_for() -> None:
    """All by default in OpenAI's form, some when they are named; an unknown action is refused."""
    async with served() as memory:
        reply = await memory(agent.GetToolSchemasRequest())
        assert reply.schemas_json == schemas_json(ToolForm.OPENAI, Language.EN)
        assert reply.characters == len(reply.schemas_json)
        some = await memory(agent.GetToolSchemasRequest(form=3, language=2, actions=["mem_search", "mem_read"]))
        assert [tool["name"] for tool in json.loads(some.schemas_json)] == ["mem_read", "mem_search"]
        assert memory.calls[-1].count == 2
        with pytest.raises(InvalidField, match="mem_write") as raised:
            await memory(agent.GetToolSchemasRequest(actions=["mem_read", "mem_delete"]))
        assert raised.value.field == "actions[1]"
        with pytest.raises(InvalidField):
            await memory(agent.GetToolSchemasRequest(form=9))
