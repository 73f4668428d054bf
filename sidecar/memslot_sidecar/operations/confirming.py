"""What the index holds possible, confirmed against the store: slot, revision, expiry and filter, until the limit is filled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from memslot_index.candidates import Candidate, Candidates, Wanted
from memslot_index.evaluate import matches
from memslot_sidecar import names
from memslot_sidecar.errors import InvalidName
from memslot_sidecar.finding.finder import Finder
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.search_plan import Mode, SearchPlan
from memslot_sidecar.stores.base import Order, Query

Confirmed = tuple[Candidate, SlotRecord]

_ONE, _BOTH, _LENDING = 50, 100, 200
"""How deep a search looks at first: by words or vectors alone, by both, and where neighbours lend."""
_DEEPER = (1_000, 6_400, 1_000_000)
_FEW = 5_000
"""So many slots that a filter lets through are looked up as soon as the first candidates do not suffice; more, only before all
candidates would have to be confirmed one by one."""
_BLOCK, _SPARE = 32, 8
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Found:
    """Confirmed candidates, best first; whether there are ``more``, and up to which revision what was searched is complete."""

    good: Sequence[Confirmed]
    more: bool
    indexed_revision: int


@dataclass(frozen=True, slots=True)
class _Step:
    """What the index held possible, and what the store confirmed of it."""

    found: Candidates
    good: list[Confirmed]
    indexed_revision: int


async def confirmed(ctx: Context, finder: Finder, plan: SearchPlan, need: int) -> Found:
    """At least ``need`` confirmed candidates, if there are so many.

    Each step looks deeper than the one before, and adds what is new behind it: so the first of them are the same whatever ``need`` is, and
    pages do not repeat.
    """
    good: dict[str, Confirmed] = {}
    indexed_revision = 0
    names_only: list[str] | None = None
    for depth in (_first_depth(plan), *_DEEPER):
        if plan.filter is not None and depth in (_DEEPER[0], _DEEPER[-1]):
            names_only = await _prefiltered(ctx, plan, _FEW if depth == _DEEPER[0] else depth)
        step = await _step(ctx, finder, plan, depth, names_only, need)
        indexed_revision = step.indexed_revision
        new = _ranked(ctx, [pair for pair in step.good if pair[0].name not in good])
        if not good:
            new = _with_exact_name(ctx, plan, new, step.found)
        good.update((pair[0].name, pair) for pair in new)
        if len(good) > need or step.found.exhausted or names_only is not None:
            break
    return Found(list(good.values()), len(good) > need, indexed_revision)


async def _step(
    ctx: Context, finder: Finder, plan: SearchPlan, depth: int, names_only: list[str] | None, need: int
) -> _Step:
    """What the index holds possible up to a depth, as far as the store confirms it."""
    wanted = Wanted(
        plan.query,
        plan.vector,
        depth if names_only is None else _DEEPER[-1],
        plan.kind,
        plan.neighbor_weight,
        names_only,
        plan.made_here,
        plan.mentioned,
        shown=(need + _SPARE + _BLOCK) // _BLOCK * _BLOCK if _first_suffice(ctx, plan) else None,
    )
    tries = 0
    while True:
        found, indexed_revision = await finder.candidates(plan.path, wanted)
        good, late = await _confirm(ctx, plan, found, need)
        if found.cut and len(good) <= need and not late:
            wanted = replace(wanted, shown=None)
            continue
        if not late or tries == _TRIES:
            return _Step(found, good, indexed_revision)
        # A slot changed between the index's answer and the store's: both are asked again.
        tries += 1
        await finder.ready(plan.path, ctx.store.revision, 0, plan.deadline_s, vectors=False)


def _first_depth(plan: SearchPlan) -> int:
    if plan.neighbor_weight:
        return _LENDING
    return _ONE if plan.query is None or plan.vector is None else _BOTH


def _first_suffice(ctx: Context, plan: SearchPlan) -> bool:
    """Whether those that the index puts first are first after all."""
    return not ctx.rank_weight and plan.filter is None


async def _confirm(ctx: Context, plan: SearchPlan, found: Candidates, need: int) -> tuple[list[Confirmed], bool]:
    """The candidates that the store confirms, ``need`` and one more at least, and whether one of them has changed just now.

    They are taken in blocks, in each of which equal scores are told apart by rank: so the order does not depend on ``need``.
    """
    good: list[Confirmed] = []
    late = False
    for start in range(0, len(found.items), _BLOCK):
        for _, equals in groupby(found.items[start : start + _BLOCK], lambda candidate: candidate.score):
            alike, changed = _alike(ctx, plan, equals)
            good += alike
            late |= changed
            if len(good) > need and not ctx.rank_weight:
                return good, late
        await asyncio.sleep(0)
    return good, late


def _alike(ctx: Context, plan: SearchPlan, equals: Iterable[Candidate]) -> tuple[list[Confirmed], bool]:
    """Those of equal score that the store confirms, by rank; and whether one of them has changed just now."""
    good: list[Confirmed] = []
    late = False
    for candidate in equals:
        record = ctx.store.describe(plan.path, candidate.name)
        if record is not None and record.revision != candidate.revision:
            late = True
        elif record is not None and (plan.filter is None or matches(plan.filter, record)):
            good.append((candidate, record))
    return sorted(good, key=lambda pair: -pair[1].rank), late


async def _prefiltered(ctx: Context, plan: SearchPlan, most: int) -> list[str] | None:
    """The names of all slots that the filter lets through, if they are no more than ``most``."""
    page = await ctx.store.lookup(Query(plan.path, filter=plan.filter, order=Order.NAME, limit=most))
    return None if page.more else [item.name for item in page.items]


def _with_exact_name(ctx: Context, plan: SearchPlan, good: list[Confirmed], found: Candidates) -> list[Confirmed]:
    """A slot whose very name was the text comes first, whatever its name is made of, and however many of the others were looked at."""
    if plan.mode is Mode.VECTOR or plan.neighbor_weight:
        return good
    text = plan.text.strip()
    try:
        name = names.slot_name(text)
    except InvalidName:
        return good
    record = ctx.store.describe(plan.path, name)
    if record is None or not (plan.filter is None or matches(plan.filter, record)):
        return good
    best = good[0][0].score if good else 1.0
    known = (candidate for candidate in found.items if (candidate.name, candidate.revision) == (name, record.revision))
    first = next(known, Candidate(0, name, record.revision, best))
    return [(replace(first, score=best), record), *(pair for pair in good if pair[0].name != name)]


def _ranked(ctx: Context, good: list[Confirmed]) -> list[Confirmed]:
    """As they come, unless the importance rank has a share of its own in the order."""
    weight = ctx.rank_weight
    if not weight or len(good) < 2:
        return good
    ranks = [record.rank for _, record in good]
    scores = [candidate.score for candidate, _ in good]
    low, span = min(ranks), (max(ranks) - min(ranks)) or 1.0
    least, width = min(scores), (max(scores) - min(scores)) or 1.0

    def key(pair: Confirmed) -> float:
        candidate, record = pair
        return -((1 - weight) * (candidate.score - least) / width + weight * (record.rank - low) / span)

    return sorted(good, key=key)
