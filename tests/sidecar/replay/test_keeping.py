"""The results of a run are in slots as they were recorded, whatever limits hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import memslot
from memslot_sidecar.replay.keeping import NotKept, RaisedLimit, keep_results
from memslot_sidecar.replay.messages import Message, Run
from memslot_sidecar.replay.plan import Plan, plan_run

TEXTS = ["short", "用户偏好 😀", "", "half a pair \ud83d", "{}"]


def _plan(texts: Sequence[str] = TEXTS, trace_id: str = "a/b") -> Plan:
    return plan_run(Run(trace_id, [Message("tool", text, name="find") for text in texts]), "acme/replay")


@pytest.fixture
def memory() -> Iterator[memslot.EmbeddedMemory]:
    """A store in RAM."""
    with memslot.embedded(agent="test") as opened:
        yield opened


def _settings(memory: memslot.Memory, plan: Plan) -> memslot.NamespaceSettings:
    return memory.namespaces.get(plan.namespace).settings


def test_results_are_kept_as_they_were(memory: memslot.EmbeddedMemory) -> None:
    """Each result is a slot with the recorded bytes, marked as a tool's, and no limit is touched that need not be."""
    plan = _plan()
    written: list[None] = []
    assert keep_results(memory, plan, lambda: written.append(None)) == []
    assert len(written) == len(TEXTS)
    there = memory.namespace(plan.namespace)
    slots = there.read_many(result.slot for result in plan.results)
    assert [slots[result.slot].body.decode("utf-8", "surrogatepass") for result in plan.results] == TEXTS
    assert {slot.info.origin for slot in slots.values()} == {memslot.Origin.TOOL}
    assert {slot.info.tags for slot in slots.values()} == {("tool-result",)}
    assert _settings(memory, plan) == memslot.NamespaceSettings()


def test_limits_are_raised_to_what_is_needed(memory: memslot.EmbeddedMemory) -> None:
    """A run with more and larger results than a namespace may hold raises the limits of its own namespace, and says from what to what."""
    plan = _plan(["x"] * 69 + ["x" * 5000])
    raised = keep_results(memory, plan, lambda: None)
    assert raised == [RaisedLimit("slot_limit", 64, 70), RaisedLimit("body_limit_bytes", 4096, 5000)]
    assert _settings(memory, plan) == memslot.NamespaceSettings(slot_limit=70, body_limit_bytes=5000)
    other = _plan(["x"], "other")
    assert keep_results(memory, other, lambda: None) == []
    assert _settings(memory, other) == memslot.NamespaceSettings()


def test_a_replay_may_be_repeated(memory: memslot.EmbeddedMemory) -> None:
    """The same run again finds its slots and raises nothing; slots that were there already are counted and stay."""
    plan = _plan(["x"] * 60)
    memory.namespace(plan.namespace).commit(_five_others())
    assert keep_results(memory, plan, lambda: None) == [RaisedLimit("slot_limit", 64, 65)]
    assert keep_results(memory, plan, lambda: None) == []
    assert memory.namespaces.get(plan.namespace).slot_count == 65


def _five_others() -> memslot.Batch:
    batch = memslot.Batch()
    for number in range(5):
        batch.write(f"other-{number}", "y")
    return batch


def test_a_run_without_results_leaves_nothing(memory: memslot.EmbeddedMemory) -> None:
    """A run in which no tool was called makes no namespace."""
    assert keep_results(memory, plan_run(Run("a", [Message("user", "hi")]), "acme"), lambda: None) == []
    assert list(memory.namespaces.list()) == []


def test_a_cap_is_not_passed(memory: memslot.EmbeddedMemory) -> None:
    """Where the server does not allow a limit that high, the replay ends with the server's reason."""
    with pytest.raises(memslot.InvalidRequest, match="body_limit_bytes"):
        keep_results(memory, _plan(["x" * 3_900_001]), lambda: None)


def test_what_others_change_is_noticed(memory: memslot.EmbeddedMemory) -> None:
    """A slot that is gone or holds something else when it is read back is an error that names it."""
    plan = _plan(["one", "two"])
    there = memory.namespace(plan.namespace)
    with pytest.raises(NotKept, match=r"'find-1' in 'acme/replay/a%2Fb' was written and is not there"):
        keep_results(memory, plan, lambda: there.forget("find-1"))
    with pytest.raises(NotKept, match=r"'find-1' .* does not hold what was written"):
        keep_results(memory, plan, lambda: there.append("find-1", "!"))


def test_each_write_tells_its_turn(memory: memslot.EmbeddedMemory) -> None:
    """The audit events of the writes say who wrote and which model call of the run had asked."""
    messages = [Message("assistant", "a"), Message("tool", "1"), Message("assistant", "b"), Message("tool", "2")]
    keep_results(memory, plan_run(Run("a", messages), "acme"), lambda: None)
    writes = [event for event in memory.audit_events() if event["operation"] == "Write"]
    assert [(event["agent"], event["turn"]) for event in writes] == [("test", "1"), ("test", "2")]
