"""Any text may come out of a model."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.operations.acts import NAMESPACE, written
from tests.sidecar.services.served import Served, served

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.acting.nearest import nearest

NAMES = ("mem_write", "mem_append", "mem_patch", "mem_read", "mem_forget", "mem_lookup", "mem_search")
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
slots = st.sampled_from(["a", "b", "用户", "", " x", "a\nb"]) | st.text(max_size=20)
keys = st.sampled_from(["value", "query", "limit", "name_prefix", "description", "tags", "importance", "ttl", "x"])
actions = st.builds(
    lambda name, slot, more: written(name, **({"slot": slot} | more)),
    st.sampled_from(NAMES),
    slots,
    st.dictionaries(keys, values, max_size=3),
)
pieces = st.one_of(
    actions,
    actions,
    st.text(max_size=30),
    st.sampled_from(["```json\n", "```", "<tool_call>", "</tool_call>", '{"action":', "'"]),
)


async def _check(run: Served, output: str, *, lenient: bool, language: int) -> None:
    request = pb.ActRequest(
        namespace=NAMESPACE,
        raw_output=output.encode("utf-8", "surrogatepass"),
        mode=pb.ACT_MODE_LENIENT if lenient else pb.ACT_MODE_STRICT,
        language=pb.Language.ValueType(language),
    )
    reply = await run(request)
    told = reply.model_text.split("\n") if reply.model_text else []
    assert len(told) == len(reply.actions) + len(reply.rejects)
    assert all(one.line in told for one in reply.actions)
    for one in (*reply.actions, *reply.rejects):
        assert 0 <= one.span.start < one.span.end <= len(output)
    for action in reply.actions:
        json.loads(action.arguments_json)
        refused = action.outcome in (pb.ACTION_OUTCOME_REFUSED, pb.ACTION_OUTCOME_NOT_FOUND)
        assert refused == action.HasField("error")
        assert (action.WhichOneof("result") is None) == refused
        assert len(action.line) < 1_200


@given(
    outputs=st.lists(st.lists(pieces, max_size=5), max_size=3), lenient=st.booleans(), language=st.sampled_from([1, 2])
)
def test_any_output_is_answered(outputs: list[list[str]], *, lenient: bool, language: int) -> None:
    """No output raises; each action has a result or an error, a line and a span, and each reject has one."""

    async def run() -> None:
        async with served() as serving:
            for output in outputs:
                await _check(serving, "\n".join(output), lenient=lenient, language=language)

    asyncio.run(run())


@given(st.text(max_size=20), st.lists(st.text(min_size=1, max_size=20), max_size=20))
def test_the_nearest_name_is_one_of_them(name: str, names: list[Any]) -> None:
    """Or none; and a name that is there is its own nearest, but for upper and lower case."""
    found = nearest(name, names)
    assert found in ("", *names)
    if name in names and name:
        assert found.casefold() == name.casefold()
