"""What the index holds possible, confirmed against the store: slot, revision, expiry and filter, until the limit is filled."""

from __future__ import annotations

import asyncio

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

_DEPTH = 100
_DEEPER = 8
_DEPTH_MOST = 1_000_000
_PREFILTERED = 5000
_AT_ONCE = 50
_TRIES = 3


async def confirmed(ctx: Context, finder: Finder, plan: SearchPlan, need: int) -> tuple[list[Confirmed], bool]:
    """At least ``need`` confirmed candidates, if there are so many, best first; and whether there are more."""
    depth, names_only, tries = max(_DEPTH, 3 * need), None, 0
    while True:
        wanted = Wanted(plan.query, plan.vector, depth, plan.kind, plan.neighbor_weight, names_only)
        found = await finder.candidates(plan.path, wanted)
        good, late = await _confirm(ctx, plan, found)
        if late and tries < _TRIES:
            # A slot changed between the index's answer and the store's: both are asked again.
            tries += 1
            await finder.ready(plan.path, ctx.store.revision, 0, None, vectors=False)
            continue
        if len(good) > need or found.exhausted or depth >= _DEPTH_MOST or names_only is not None:
            break
        names_only = await _prefiltered(ctx, plan) if plan.filter is not None else None
        depth = _DEPTH_MOST if names_only is not None else depth * _DEEPER
    good = _with_exact_name(ctx, plan, good)
    return _ranked(ctx, good), len(good) > need


async def _confirm(ctx: Context, plan: SearchPlan, found: Candidates) -> tuple[list[Confirmed], bool]:
    """The candidates that the store confirms, and whether one of them has changed just now."""
    good, late = [], False
    for index, candidate in enumerate(found.items):
        if index % _AT_ONCE == _AT_ONCE - 1:
            await asyncio.sleep(0)
        record = ctx.store.describe(plan.path, candidate.name)
        if record is None:
            continue
        if record.revision != candidate.revision:
            late = True
        elif plan.filter is None or matches(plan.filter, record):
            good.append((candidate, record))
    return good, late


async def _prefiltered(ctx: Context, plan: SearchPlan) -> list[str] | None:
    """The names of all slots that the filter lets through, if they are few."""
    page = await ctx.store.lookup(Query(plan.path, filter=plan.filter, order=Order.NAME, limit=_PREFILTERED))
    return None if page.more else [item.name for item in page.items]


def _with_exact_name(ctx: Context, plan: SearchPlan, good: list[Confirmed]) -> list[Confirmed]:
    """A slot whose very name was the text is found, whatever its name is made of."""
    if plan.mode is Mode.VECTOR or plan.neighbor_weight:
        return good
    text = plan.text.strip()
    try:
        name = names.slot_name(text)
    except InvalidName:
        return good
    if any(candidate.name == name for candidate, _ in good):
        return good
    record = ctx.store.describe(plan.path, name)
    if record is None or not (plan.filter is None or matches(plan.filter, record)):
        return good
    best = good[0][0].score if good else 1.0
    return [(Candidate(0, name, record.revision, best, False, False, False), record), *good]


def _ranked(ctx: Context, good: list[Confirmed]) -> list[Confirmed]:
    """By score; equal ones by importance rank, which may have a share of its own."""
    weight = ctx.rank_weight
    if not weight or len(good) < 2:
        return sorted(good, key=lambda pair: (-pair[0].score, -pair[1].rank))
    ranks = [record.rank for _, record in good]
    scores = [candidate.score for candidate, _ in good]
    low, span = min(ranks), (max(ranks) - min(ranks)) or 1.0
    least, width = min(scores), (max(scores) - min(scores)) or 1.0

    def key(pair: Confirmed) -> float:
        candidate, record = pair
        return -((1 - weight) * (candidate.score - least) / width + weight * (record.rank - low) / span)

    return sorted(good, key=key)
