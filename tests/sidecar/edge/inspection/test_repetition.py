"""Texts that repeat themselves cost no more than others."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from memslot_sidecar.edge.inspection.bodies import Portion
from memslot_sidecar.edge.inspection.matching import matches
from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.prompts import Prompt

KINDS: dict[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "two letters": lambda size: "ab" * (size // 2),
    "a line": lambda size: ("x" * 40 + "\n-- ") * (size // 44),
    "backslashes": lambda size: "\\" * size,
    "escapes": lambda size: "\\u0061" * (size // 6),
    "quotes": lambda size: ">\n> " * (size // 4),
}


def took(text: str, bodies: list[Body]) -> tuple[float, int]:
    """Seconds for an inspection, and how many matches it has."""
    begin = time.perf_counter()
    found = list(matches(Prompt([text]), Portion(bodies), lambda body: (False, 0, body.name)))
    return time.perf_counter() - begin, len(found)


@pytest.mark.parametrize("kind", KINDS)
def test_time_grows_with_the_prompt_and_not_faster(kind: str) -> None:
    """Ten times the prompt takes at most twenty times the time (a square would be a hundred), and slots that share all are one match."""
    bodies = [Body(f"n{number}", 1, KINDS[kind](4_000)) for number in range(50)]
    took(KINDS[kind](10_000), bodies)
    short = min(took(KINDS[kind](40_000), bodies)[0] for _ in range(3))
    long, count = took(KINDS[kind](400_000), bodies)
    assert long < 20 * short
    assert count <= 400_000 / 40


def test_short_bodies_that_repeat_themselves() -> None:
    """Bodies of every length out of one letter, in a prompt of that letter, are each one match."""
    bodies = [Body(f"n{length}", 1, "a" * length) for length in range(12, 40)]
    _, count = took("a" * 50_000, bodies)
    assert count == len(bodies)
