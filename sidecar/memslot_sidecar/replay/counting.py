"""Counting the characters that the prompts of a run hold, with all tool results in them and with results kept outside.

Each assistant message is one model call, whose prompt is all messages before it. Nothing else is counted: no tool schemas, no
instructions about memory, no tokens.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from memslot_sidecar.replay.plan import Plan


@dataclass(frozen=True, slots=True)
class Characters:
    """Characters sent in prompts: ``cached`` are those of messages that began the run's previous prompt just so, ``fresh`` all others."""

    fresh: int = 0
    cached: int = 0

    def weighed(self, cached_price: float) -> float:
        """Their sum, each cached one counted as ``cached_price``."""
        return self.fresh + (self.cached if cached_price == 1 else cached_price * self.cached)

    def __add__(self, other: Characters) -> Characters:
        return Characters(self.fresh + other.fresh, self.cached + other.cached)


@dataclass(frozen=True, slots=True)
class Count:
    """What one run (or several) came to. ``output_characters`` were written by the model, ``outside_bytes`` are bodies of slots."""

    model_calls: int = 0
    tool_results: int = 0
    traditional: Characters = Characters()
    memslot: Characters = Characters()
    output_characters: int = 0
    outside_bytes: int = 0

    def ratio(self, cached_price: float) -> float | None:
        """How many times as much the traditional way sends; None when nothing was sent."""
        memslot = self.memslot.weighed(cached_price)
        return self.traditional.weighed(cached_price) / memslot if memslot else None

    def __add__(self, other: Count) -> Count:
        return Count(
            self.model_calls + other.model_calls,
            self.tool_results + other.tool_results,
            self.traditional + other.traditional,
            self.memslot + other.memslot,
            self.output_characters + other.output_characters,
            self.outside_bytes + other.outside_bytes,
        )


class _Prompt:
    """A history that grows, changes, and is sent from time to time."""

    def __init__(self) -> None:
        self.sent = Characters()
        self._sizes: list[int] = []
        self._size = 0
        self._unchanged = 0

    def append(self, size: int) -> None:
        """Adds a message at the end."""
        self._sizes.append(size)
        self._size += size

    def replace(self, position: int, size: int) -> None:
        """Gives another text to a message."""
        self._size += size - self._sizes[position]
        self._sizes[position] = size
        self._unchanged = min(self._unchanged, position)

    def send(self) -> None:
        """Counts the history as a prompt."""
        fresh = sum(self._sizes[self._unchanged :])
        self.sent += Characters(fresh, self._size - fresh)
        self._unchanged = len(self._sizes)


def count_run(plan: Plan, visible_calls: int = 0) -> Count:
    """What a run came to when each tool result stays in the prompt for ``visible_calls`` model calls and is then a receipt."""
    traditional, memslot = _Prompt(), _Prompt()
    results = {result.position: result for result in plan.results}
    visible: deque[tuple[int, int, int]] = deque()
    model_calls = output = 0
    for position, message in enumerate(plan.run.messages):
        if message.is_model_call:
            while visible and visible[0][0] <= model_calls:
                memslot.replace(*visible.popleft()[1:])
            traditional.send()
            memslot.send()
            model_calls += 1
            output += message.size
        traditional.append(message.size)
        memslot.append(message.size)
        if position in results:
            visible.append((model_calls + visible_calls, position, len(results[position].receipt)))
    outside = sum(len(result.body) for result in plan.results)
    return Count(model_calls, len(plan.results), traditional.sent, memslot.sent, output, outside)
