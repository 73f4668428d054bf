"""Which of the matches are told: each text of a prompt once, where several bodies share it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from memslot_sidecar.edge.inspection.covering import Cover
from memslot_sidecar.edge.inspection.matching import Match

OWN_LEAST = 8
"""A match is told if so many characters of it stand in no match that comes before it: fewer are alike by chance."""


def chosen(found: Iterable[Match], allowed: Callable[[Match], bool]) -> list[Match]:
    """The matches that are told, in the order of the prompt. Of what several share, an allowed one is told, or else the longest."""
    by_text: dict[int, list[Match]] = defaultdict(list)
    for match in found:
        by_text[match.text].append(match)
    told: list[Match] = []
    for _, of_text in sorted(by_text.items()):
        told += _of_text(of_text, allowed)
    return told


def leaked(told: Sequence[Match], allowed: Callable[[Match], bool]) -> int:
    """How many characters stand in matches that nothing allows, and in none that is allowed."""
    total = 0
    for _, group in groupby(told, key=lambda match: match.text):
        of_text = list(group)
        bad, good = Cover(), Cover()
        for match in of_text:
            (good if allowed(match) else bad).add(match.start, match.end)
        total += sum(end - start - good.within(start, end) for start, end in bad.spans)
    return total


def _of_text(found: Sequence[Match], allowed: Callable[[Match], bool]) -> list[Match]:
    one_each = list(_joined(found))
    one_each.sort(key=lambda match: (not allowed(match), match.start - match.end, not match.whole, match.body.name))
    covered, told = Cover(), []
    for match in one_each:
        if match.end - match.start - covered.within(match.start, match.end) >= OWN_LEAST:
            told.append(match)
            covered.add(match.start, match.end)
    return sorted(told, key=lambda match: (match.start, -match.end, match.body.name))


def _joined(found: Sequence[Match]) -> Iterator[Match]:
    """The matches of one text, those of a slot that overlap or touch made one: several readings of a text find the same."""
    last: Match | None = None
    for match in sorted(found, key=lambda match: (match.body.name, match.body.revision, match.start, match.end)):
        if last is not None and last.body == match.body and match.start <= last.end:
            last = Match(last.body, last.text, last.start, max(last.end, match.end), last.whole or match.whole)
            continue
        if last is not None:
            yield last
        last = match
    if last is not None:
        yield last
