"""The report on many turns: whether memory outside the prompt pays, and what is in the way."""

from __future__ import annotations

import pytest
from tests.sidecar.edge.accounting.agent import SYSTEM, filler, memory, writing

import memslot
from memslot import MissingSaving, Verdict, errors

CARD = "Use mem_read before answering. " + filler(900, 99)


def causes(report: memslot.TokenReport) -> set[MissingSaving]:
    """What a report says is in the way."""
    return {problem.cause for problem in report.problems}


def stored(mem: memslot.Memory, slots: int, characters: int) -> None:
    """Fills a namespace."""
    for number in range(slots):
        mem.write(f"s{number}", filler(characters, number))


def test_many_long_memories_are_cheaper_outside() -> None:
    """Where bodies are many and prompts hold none of them, the saving is the bodies less card, receipts and actions, and nothing is in the way."""
    with memory(slot_limit=100) as mem:
        stored(mem, 50, 1_000)
        for turn in range(5):
            receipt = mem.act(writing(f"s{turn}", filler(1_000, turn)), turn=str(turn)).model_text
            mem.record_turn(f"{SYSTEM}\n{CARD}\n{receipt}", turn=str(turn), card=CARD, token_counter="chars")
        report = mem.token_report()
    assert report.verdict is Verdict.MEMSLOT_CHEAPER
    assert not report.problems
    assert report.total is not None
    total = report.total
    assert report.saved.characters == total.inlined.characters - total.prompt.characters - total.actions.characters
    assert report.ratio == pytest.approx(total.inlined.characters / total.prompt.characters)
    assert report.ratio > 40
    for part in ("prompt", "output", "instruction", "actions", "receipts", "injected", "leaked", "inlined"):
        summed = sum(getattr(account, part).characters for account in report)
        assert getattr(total, part).characters == summed
    assert f"{report.saved.tokens:,} tokens saved over 5 turns" in report.verdict_text


def test_few_short_memories_are_cheaper_inlined() -> None:
    """With few short memories the verdict is that inlining is cheaper here, in both languages."""
    with memory() as mem:
        stored(mem, 3, 30)
        mem.record_turn(f"{SYSTEM}\n{CARD}", turn="1", card=CARD)
        report, chinese = mem.token_report(), mem.token_report(language="zh")
    assert report.verdict is Verdict.INLINING_CHEAPER
    assert report.saved.tokens < 0
    assert report.verdict_text.startswith("inlining is cheaper here: over 1 turn ")
    assert "too little to be worth instructions" in report.verdict_text
    assert chinese.verdict_text.startswith("这里直接内联更省")


def test_planted_results_in_the_history() -> None:
    """An agent that puts what it read back into its history is told so, with the turns and the remedy."""
    with memory(slot_limit=100) as mem:
        stored(mem, 40, 500)
        history = f"{SYSTEM}\n{CARD}"
        for turn in range(4):
            if turn >= 2:
                history += f"\nresult: {mem.read(f's{turn}').value}"
            mem.record_turn(history, turn=str(turn), card=CARD)
        report = mem.token_report()
    assert causes(report) == {MissingSaving.RESULTS_IN_HISTORY}
    assert report.problems[0].turns == ("2", "3")
    assert "put model_text into the history" in report.problems[0].text


def test_planted_instructions_that_are_too_long() -> None:
    """An agent whose card and schemas are a large part of what could be saved is told so."""
    schemas = [{"name": "mem_read", "description": filler(5_000), "input_schema": {"type": "object"}}]
    with memory(slot_limit=100) as mem:
        stored(mem, 20, 500)
        for turn in range(3):
            mem.record_turn(f"{SYSTEM}\n{CARD}", turn=str(turn), card=CARD, schemas=schemas)
        report = mem.token_report()
    assert causes(report) == {MissingSaving.INSTRUCTION_TOO_LONG}
    assert report.problems[0].turns == ("0", "1", "2")
    assert "max_chars" in report.problems[0].text
    assert report.verdict is Verdict.MEMSLOT_CHEAPER


def test_planted_full_actions() -> None:
    """An agent that writes whole long bodies again and again is told so."""
    with memory() as mem:
        for turn in range(4):
            output = writing("plan", filler(4_000, turn))
            mem.act(output, turn=str(turn))
            mem.record_turn(SYSTEM, output, turn=str(turn))
        report = mem.token_report()
    assert causes(report) == {MissingSaving.MANY_FULL_ACTIONS}
    assert len(report.problems[0].turns) == 4
    assert "mem_patch" in report.problems[0].text


def test_mixed_counters_are_flagged() -> None:
    """Tokens of different counters are not added: the sums have none, and the verdict is one of characters."""
    with memory() as mem:
        stored(mem, 5, 1_000)
        mem.record_turn(SYSTEM, turn="1", token_counter="chars")
        mem.record_turn(SYSTEM, turn="2", token_counter="estimate")
        report = mem.token_report()
    assert report.mixed_counters
    assert report.total is not None
    assert report.total.token_counter == ""
    assert report.total.prompt == memslot.Amount(2 * len(SYSTEM), 0)
    assert report.saved.tokens == 0
    assert report.verdict is Verdict.MEMSLOT_CHEAPER
    assert "characters saved" in report.verdict_text


def test_providers_figures_are_added_where_there_are_any() -> None:
    """Sums of the provider's tokens leave out the turns where it said nothing."""
    with memory() as mem:
        mem.record_turn("p", turn="1", usage=memslot.Usage(10, 4, None))
        mem.record_turn("p", turn="2")
        mem.record_turn("p", turn="3", usage=memslot.Usage(7, None, None))
        total = mem.token_report().total
    assert total is not None
    assert total.usage == memslot.Usage(17, 4, None)


def test_turns_of_a_conversation_or_of_all() -> None:
    """A client without a conversation adds up all; the latest turns are the limit's; nothing recorded is told as that."""
    with memory(conversation="") as mem:
        empty = mem.token_report()
        assert (empty.total, empty.verdict, empty.ratio) == (None, Verdict.UNSPECIFIED, 0.0)
        assert empty.verdict_text == "nothing was recorded yet"
        for turn in range(5):
            mem.record_turn("p", turn=str(turn))
        assert [account.turn for account in mem.token_report(limit=2)] == ["3", "4"]
        assert not mem.token_report(conversation="other")
        with pytest.raises(ValueError, match="limit"):
            mem.token_report(limit=0)
        with pytest.raises(errors.InvalidName):
            mem.namespace("a//b").token_report()
