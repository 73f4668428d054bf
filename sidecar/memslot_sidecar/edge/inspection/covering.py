"""Which parts of a text are covered by spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Cover:
    """A set of spans that neither overlap nor touch, in order."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The spans, in order."""
        return list(zip(self._starts, self._ends, strict=True))

    def add(self, start: int, end: int) -> None:
        """Covers a span too."""
        first, behind = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < behind:
            start, end = min(start, self._starts[first]), max(end, self._ends[behind - 1])
        self._starts[first:behind] = [start]
        self._ends[first:behind] = [end]

    def within(self, start: int, end: int) -> int:
        """How many characters of a span are covered."""
        first, behind = bisect_right(self._ends, start), bisect_left(self._starts, end)
        spans = zip(self._starts[first:behind], self._ends[first:behind], strict=True)
        return sum(min(end, last) - max(start, begin) for begin, last in spans)
