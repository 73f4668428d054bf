"""The count is what its definition says, and follows it for every run."""

from __future__ import annotations

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from memslot_sidecar.replay.counting import Characters, Count, count_run
from memslot_sidecar.replay.messages import Message, Run, ToolCall
from memslot_sidecar.replay.plan import Plan, plan_run

S, U, A, T = "system", "user", "assistant", "tool"


def _plan(*messages: tuple[str, int]) -> Plan:
    return plan_run(Run("a", [Message(role, "x" * size) for role, size in messages]), "demo")


# The receipt of a result of 100 characters: "stored result-1 (100 bytes)".
RECEIPT = 27
PLAN = _plan((S, 50), (U, 10), (A, 5), (T, 100), (A, 7), (U, 3), (A, 2))


def test_every_prompt_is_all_that_came_before() -> None:
    """The traditional way sends each message again with every later model call."""
    count = count_run(PLAN)
    prompts = [60, 60 + 5 + 100, 60 + 5 + 100 + 7 + 3]
    assert count.traditional == Characters(fresh=prompts[2], cached=prompts[0] + prompts[1])
    assert (count.model_calls, count.tool_results, count.output_characters, count.outside_bytes) == (3, 1, 14, 100)


def test_a_receipt_stands_for_the_result() -> None:
    """With no visible call a result is never in a prompt, and its receipt is from the first on."""
    assert count_run(PLAN).memslot == Characters(fresh=60 + 5 + RECEIPT + 10, cached=60 + 65 + RECEIPT)


def test_a_visible_result_is_seen_and_then_replaced() -> None:
    """With one visible call the next prompt holds the result; the one after it holds the receipt, and is new from there on."""
    memslot = count_run(PLAN, visible_calls=1).memslot
    assert memslot == Characters(fresh=60 + 105 + RECEIPT + 10, cached=60 + 65)
    assert count_run(PLAN, visible_calls=2).memslot == count_run(PLAN).traditional


def test_a_cached_character_costs_its_price() -> None:
    """The ratio weighs the characters of an unchanged beginning by their price, in both ways."""
    count = count_run(PLAN, visible_calls=1)
    assert count.ratio(1.0) == 400 / (202 + 125)
    assert count.ratio(0.1) == (175 + 0.1 * 225) / (202 + 0.1 * 125)


def test_a_result_after_the_last_call_is_kept() -> None:
    """A result that no model call saw is outside, and in no prompt."""
    count = count_run(_plan((U, 1), (A, 1), (T, 9)))
    assert (count.outside_bytes, count.traditional, count.memslot) == (9, Characters(1), Characters(1))


def test_nothing_sent_has_no_ratio() -> None:
    """A run without a model call, and one whose first prompt is empty, has no ratio."""
    assert Count().ratio(1.0) is None
    assert count_run(_plan((A, 5))).ratio(1.0) is None


_messages = st.builds(
    lambda role, text, calls: Message(role, text, tuple(calls)),
    st.sampled_from([S, U, A, A, T, T, "critic"]),
    st.text("ab用", max_size=60),
    st.lists(
        st.builds(ToolCall, st.just("1"), st.text("f", min_size=1, max_size=3), st.text("x", max_size=5)), max_size=2
    ),
)


def _sent(prompts: list[list[tuple[object, int]]]) -> Characters:
    fresh = cached = 0
    before: list[tuple[object, int]] = []
    for prompt in prompts:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(prompt, before, strict=False)))
        cached += sum(size for _, size in prompt[:same])
        fresh += sum(size for _, size in prompt[same:])
        before = prompt
    return Characters(fresh, cached)


@given(st.lists(_messages, max_size=14), st.integers(0, 4))
def test_the_count_is_its_definition(messages: list[Message], visible_calls: int) -> None:
    """For any run the running count equals the prompts written out one by one and compared with the one before."""
    plan = plan_run(Run("a", messages), "demo")
    receipts = {result.position: len(result.receipt) for result in plan.results}
    calls = [position for position, message in enumerate(messages) if message.role == A]
    traditional: list[list[tuple[object, int]]] = []
    memslot: list[list[tuple[object, int]]] = []
    for call in calls:
        traditional.append([((position, "text"), messages[position].size) for position in range(call)])
        prompt: list[tuple[object, int]] = []
        for position in range(call):
            seen = sum(position < earlier < call for earlier in calls)
            if position in receipts and seen >= visible_calls:
                prompt.append(((position, "receipt"), receipts[position]))
            else:
                prompt.append(((position, "text"), messages[position].size))
        memslot.append(prompt)
    count = count_run(plan, visible_calls)
    assert (count.traditional, count.memslot) == (_sent(traditional), _sent(memslot))
    assert count.output_characters == sum(messages[call].size for call in calls)
