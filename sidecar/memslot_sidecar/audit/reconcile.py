"""Comparing an audit trail with the revisions of its store.

A store numbers its revisions from 1 without gaps, and each has one event, marked ``mutation``. So the files prove by themselves that none
is missing between the first and the last revision that they tell; with the store's last revision they prove it up to there, whether or not its
change feed still holds the records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memslot_sidecar.audit.revisions import Range, RevisionSet

_EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """Which store, and its last revision."""

    store_id: str
    revision: int


@dataclass(slots=True)
class Findings:
    """What was found. Lists hold at most a hundred examples; the counts are of all.

    ``first`` and ``last`` bound what is proven. ``lost_lines`` are gaps in the numbering of a process's lines, as (instance, first, last).
    ``duplicates`` are revisions, or lines of other events by their numbers.
    """

    store_id: str
    first: int = 0
    last: int = 0
    mutations: int = 0
    other_events: int = 0
    of_other_stores: int = 0
    recovered: int = 0
    dropped: int = 0
    missing_count: int = 0
    missing: list[Range] = field(default_factory=list)
    duplicate_count: int = 0
    duplicates: list[dict[str, Any]] = field(default_factory=list)
    repeated_count: int = 0
    lost_line_count: int = 0
    lost_lines: list[tuple[str, int, int]] = field(default_factory=list)
    lost_part_count: int = 0
    lost_parts: list[tuple[str, int]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing and nothing is there twice."""
        return not (self.missing_count or self.duplicate_count or self.lost_line_count or self.lost_part_count)


class Reconciliation:
    """Takes events in the order of the trail, then compares.

    ``from_start`` asks for proof from revision 1 and the first line on; without, from the first that is there. ``at_least_once`` allows that
    an event is there again under the same event id, and lines in any order, as in what a collector kept.
    """

    def __init__(self, store: StoreFacts | None, *, from_start: bool = False, at_least_once: bool = False) -> None:
        self._store = store
        self._from_start = from_start
        self._at_least_once = at_least_once
        self._findings = Findings(store.store_id if store else "")
        self._revisions = RevisionSet()
        self._event_ids: dict[int, str] = {}
        self._parts: dict[str, set[int]] = {}
        self._parts_of_revision: dict[int, set[tuple[str, int]]] = {}
        self._numbers: dict[str, int] = {}
        self._collected: dict[str, RevisionSet] = {}

    def take(self, events: Iterable[dict[str, Any]]) -> None:
        """Notes what events tell."""
        for event in events:
            fresh = self._take_number(event["instance_id"], event["sequence"])
            if not event.get("mutation"):
                self._take_other(event, fresh=fresh)
            elif event["store_id"] == (self._findings.store_id or event["store_id"]):
                self._findings.store_id = event["store_id"]
                self._take_mutation(event)
            else:
                self._findings.of_other_stores += 1

    def findings(self) -> Findings:
        """What the events prove."""
        found, revisions = self._findings, self._revisions
        found.last = self._store.revision if self._store else revisions.last
        found.first = 1 if self._from_start or not revisions.count else revisions.first
        found.mutations = revisions.count
        for first, last in revisions.missing(found.first, found.last):
            found.missing_count += last - first + 1
            _example(found.missing, (first, last))
        for instance_id, numbers in self._collected.items():
            for first, last in numbers.missing(self._first_number(instance_id), numbers.last):
                self._lost(instance_id, first, last)
        for event_id, parts in self._parts.items():
            for part in sorted(set(range(min(parts), max(parts))) - parts):
                found.lost_part_count += 1
                _example(found.lost_parts, (event_id, part))
        return found

    def _take_other(self, event: dict[str, Any], *, fresh: bool) -> None:
        if not fresh:
            self._again(event, "instance_id", "sequence", same=True)
            return
        self._findings.other_events += event.get("last_part", True)
        if event["operation"] == "AuditOverflow":
            self._findings.dropped += event["count"]

    def _take_mutation(self, event: dict[str, Any]) -> None:
        revision, event_id, part = event["revision"], event["event_id"], event.get("part", 0)
        self._findings.recovered += bool(event.get("recovered"))
        fresh = self._revisions.add(revision)
        if part:
            self._parts.setdefault(event_id, set()).add(part)
        if part and (fresh or revision in self._parts_of_revision):
            known = self._parts_of_revision.setdefault(revision, set())
            if (event_id, part) in known or any(other != event_id for other, _ in known):
                self._again(event, "revision", "event_id", "part", same=(event_id, part) in known)
            known.add((event_id, part))
        elif not fresh:
            self._again(event, "revision", "event_id", same=self._event_ids.get(revision) == event_id)
        elif self._at_least_once:
            self._event_ids[revision] = event_id

    def _again(self, event: dict[str, Any], *told: str, same: bool) -> None:
        found = self._findings
        if self._at_least_once and same:
            found.repeated_count += 1
            return
        found.duplicate_count += 1
        _example(found.duplicates, {key: event[key] for key in told if key in event})

    def _take_number(self, instance_id: str, number: int) -> bool:
        """Follows the numbering of each process; only that of the first may begin before the files do. False when the line was there."""
        if self._at_least_once:
            return self._collected.setdefault(instance_id, RevisionSet()).add(number)
        before = self._numbers.get(instance_id)
        if before is None:
            before = 0 if self._numbers or self._from_start else number - 1
        if number > before + 1:
            self._lost(instance_id, before + 1, number - 1)
        self._numbers[instance_id] = max(number, before)
        return number > before

    def _first_number(self, instance_id: str) -> int:
        begun = self._from_start or instance_id != next(iter(self._collected))
        return 1 if begun else self._collected[instance_id].first

    def _lost(self, instance_id: str, first: int, last: int) -> None:
        self._findings.lost_line_count += last - first + 1
        _example(self._findings.lost_lines, (instance_id, first, last))


def _example(examples: list[Any], example: Any) -> None:
    if len(examples) < _EXAMPLES:
        examples.append(example)
