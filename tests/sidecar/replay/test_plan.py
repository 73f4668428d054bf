"""Each tool result has a slot of its own, with a name and a line that tell what it is."""

from __future__ import annotations

import pytest

import memslot
from memslot_sidecar import names
from memslot_sidecar.operations.metadata import description
from memslot_sidecar.replay.messages import Message, Run, ToolCall
from memslot_sidecar.replay.plan import plan_run
from memslot_sidecar.replay.traces import TraceError


def _asking(*calls: ToolCall) -> Message:
    return Message("assistant", "", calls)


def _result(text: str = "x", call_id: str = "", name: str = "") -> Message:
    return Message("tool", text, name=name, tool_call_id=call_id)


def test_a_slot_is_named_by_function_and_number() -> None:
    """The function that was called, found by the call's id or the message's name, and the result's number make the name."""
    messages = [
        Message("system", "s"),
        _asking(ToolCall("1", "find", "{}"), ToolCall("2", "find", '{"q":1}')),
        _result(call_id="2"),
        _result(call_id="1"),
        _asking(ToolCall("1", "book", "")),
        _result("用户", call_id="1"),
        _result(name="weather"),
        _result(),
    ]
    plan = plan_run(Run("a", messages), "demo")
    assert [(result.position, result.model_call, result.slot) for result in plan.results] == [
        (2, 1, "find-1"),
        (3, 1, "find-2"),
        (5, 2, "book-3"),
        (6, 2, "weather-4"),
        (7, 2, "result-5"),
    ]
    assert plan.results[0].description == 'result of find {"q":1}'
    assert plan.results[2].receipt == "stored book-3 (6 bytes)"
    assert plan.largest_body_bytes == 6


@pytest.mark.parametrize("function", ["a\nb", " x", "x" * 127, "\u202e", "\ud800", ""])
def test_a_function_that_cannot_name_a_slot(function: str) -> None:
    """Whatever a function is called, its result has a valid slot name and a valid one-line description."""
    arguments = "line one\n\tline two " + "长" * 300
    plan = plan_run(Run("a", [_asking(ToolCall("1", function, arguments)), _result(call_id="1")]), "demo")
    (result,) = plan.results
    assert names.slot_name(result.slot) == result.slot
    assert result.slot.endswith("-1")
    assert description(result.description).endswith("…")


def test_names_do_not_meet() -> None:
    """No two results of a run have the same slot, whatever the functions are called."""
    functions = ["a", "a-1", "a-2", "result", "\n", "\t", "e\u0301", "é"]
    plan = plan_run(Run("a", [_result(name=function) for function in functions]), "demo")
    assert len({result.slot for result in plan.results}) == len(functions)


def test_half_a_surrogate_pair_is_kept() -> None:
    """A result that JSON could carry and UTF-8 cannot is kept as bytes, and comes back as it was."""
    plan = plan_run(Run("a", [_result("a\ud83d")]), "demo")
    (result,) = plan.results
    assert result.content_type == "application/octet-stream"
    assert result.body.decode("utf-8", "surrogatepass") == "a\ud83d"


@pytest.mark.parametrize("trace_id", ["a/b", "50%", "..", " x ", "a@b.com", "用户-7"])
def test_a_run_has_a_namespace_of_its_own(trace_id: str) -> None:
    """Any trace_id is one segment below the given namespace, and can be told from it again."""
    plan = plan_run(Run(trace_id, []), "acme/replay")
    assert names.namespace_path(plan.namespace) == plan.namespace
    assert memslot.split_namespace(plan.namespace) == ("acme", "replay", trace_id)


def test_a_trace_id_that_is_too_long() -> None:
    """A trace_id that does not fit into a segment is refused with its line."""
    with pytest.raises(TraceError, match=r"line 3: trace_id .* 129 bytes"):
        plan_run(Run("x" * 129, [], "line 3"), "demo")
