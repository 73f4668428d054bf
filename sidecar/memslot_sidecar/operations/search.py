"""Search: slots by words, by meaning, or both; every hit confirmed against the store, and never a body."""

from __future__ import annotations

import array
import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memslot_index.candidates import Candidate
from memslot_index.filters import Filter
from memslot_sidecar.call import Call
from memslot_sidecar.errors import IndexNotEnabled, InvalidField
from memslot_sidecar.finding.finder import Finder
from memslot_sidecar.model import EffectiveSettings, IndexMode, SlotRecord
from memslot_sidecar.operations import page_token
from memslot_sidecar.operations.confirming import confirmed
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.operations.search_plan import Mode, SearchCommand, plan_search

LIMIT_DEFAULT = 10
LIMIT_MOST = 100
HITS_MOST = 1000
TEXT_LIMIT_BYTES = 8192
VECTOR_LIMIT = 4096


class Match(enum.IntEnum):
    """What led to a hit (values as in the contract)."""

    NAME = 1
    DESCRIPTION = 2
    TAGS = 3
    TASK_TYPE = 4
    BODY = 5
    VECTOR = 6
    NEIGHBOR = 7


_FIELDS: Mapping[str, Match] = {
    "name": Match.NAME,
    "description": Match.DESCRIPTION,
    "tags": Match.TAGS,
    "task_type": Match.TASK_TYPE,
    "body": Match.BODY,
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A slot that was found, as the store knows it."""

    record: SlotRecord
    score: float
    matched_by: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Best first; ``degraded`` says why less was searched than was asked for."""

    hits: Sequence[Hit]
    next_page_token: str
    mode: Mode
    indexed_revision: int
    degraded: Sequence[str]
    revision: int


@dataclass(frozen=True, slots=True)
class _Identity:
    """What a page token is bound to."""

    namespace: str
    text: str
    vector: bytes
    mode: str
    filter: Filter | None
    neighbor_weight: float


async def search(ctx: Context, call: Call, command: SearchCommand) -> SearchResult:
    """Finds slots. Reads no body of the store, and counts as no access.

    Raises InvalidName, InvalidField, DimensionMismatch, IndexNotEnabled, IndexOutdated, IndexUnavailable, EmbedderUnavailable,
    IndexBehind, InvalidPageToken, StoreReplaced.
    """
    path, _ = about(call, command.namespace)
    limit = _limit(command)
    settings = ctx.settings(path)
    finder = _finder(ctx, path, settings)
    identity = _Identity(
        path, command.text, _bytes(command.vector), command.mode.name, command.filter, command.neighbor_weight or 0.0
    )
    skip = _skip(ctx, identity, command.page_token)
    call.outcome = "SEARCHED"
    plan = await plan_search(ctx, finder, path, settings, command, call)
    found = await confirmed(ctx, finder, plan, skip + limit)
    if plan.vector is not None and (slower := finder.slower(path)):
        plan.degraded.append(slower)
    hits = [_hit(candidate, record) for candidate, record in found.good[skip : skip + limit]]
    token = ""
    if found.more and skip + limit < HITS_MOST:
        token = page_token.encode(ctx.store, identity, (skip + len(hits),))
    call.count = len(hits)
    call.revision = seen(ctx.store.revision, (hit.record for hit in hits))
    return SearchResult(hits, token, plan.mode, found.indexed_revision, plan.degraded, call.revision)


def _limit(command: SearchCommand) -> int:
    if not command.text and not command.vector:
        raise InvalidField("neither text nor vector is set: say what to look for", field="text")
    if command.limit < 0:
        raise InvalidField(f"limit is {command.limit}: give 1 to {LIMIT_MOST}, or 0 for {LIMIT_DEFAULT}", field="limit")
    if command.min_revision < 0:
        raise InvalidField("min_revision is negative: give a revision, or 0", field="min_revision")
    size = len(command.text.encode("utf-8", "surrogatepass"))
    if size > TEXT_LIMIT_BYTES:
        raise InvalidField(
            f"text has {size} bytes, more than {TEXT_LIMIT_BYTES}: search for what matters in it", field="text"
        )
    weight = command.neighbor_weight
    if weight is not None and not 0 <= weight <= 1:
        raise InvalidField("neighbor_weight must be between 0 and 1", field="neighbor_weight")
    if len(command.vector) > VECTOR_LIMIT:
        raise InvalidField(f"vector has {len(command.vector)} numbers, more than {VECTOR_LIMIT}", field="vector")
    if command.vector and not (all(map(math.isfinite, command.vector)) and any(command.vector)):
        raise InvalidField("vector must hold finite numbers that are not all zero", field="vector")
    return min(command.limit or LIMIT_DEFAULT, LIMIT_MOST)


def _finder(ctx: Context, path: str, settings: EffectiveSettings) -> Finder:
    if settings.index_mode is IndexMode.KEYS or ctx.finder is None:
        raise IndexNotEnabled(
            f"namespace '{path}' is found by name only: set its index_mode to FULLTEXT or HYBRID"
            f" (memslot namespaces set {path} --index-mode fulltext), or serve with --index-mode fulltext",
            field="namespace",
            metadata={"namespace": path, "index_mode": settings.index_mode.name},
        )
    return ctx.finder


def _skip(ctx: Context, identity: _Identity, token: str) -> int:
    if not token:
        return 0
    (skip,) = page_token.decode(ctx.store, identity, token)
    return int(skip) if isinstance(skip, int) else 0


def _hit(candidate: Candidate, record: SlotRecord) -> Hit:
    matched = [_FIELDS[name] for name in candidate.fields]
    if candidate.by_vector:
        matched.append(Match.VECTOR)
    if candidate.by_neighbor:
        matched.append(Match.NEIGHBOR)
    return Hit(record, candidate.score, tuple(matched or [Match.NAME]))


def _bytes(vector: Sequence[float]) -> bytes:
    return array.array("f", vector).tobytes() if vector else b""
