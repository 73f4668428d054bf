"""Search: request to command, and what was found to a reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.finding.summary import Summary
from memslot_sidecar.operations.search import SearchResult
from memslot_sidecar.operations.search_plan import Mode, SearchCommand
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.filter_parsing import parse_filter
from memslot_sidecar.services.slot_messages import Clocked
from memslot_sidecar.services.summary_messages import fill_summary

MODES: Mapping[int, Mode] = {0: Mode.AUTO} | {int(mode): mode for mode in Mode}
VIEWS: Mapping[int, tuple[bool, bool]] = {0: (False, False), 1: (False, False), 2: (True, False), 3: (True, True)}
"""By number of SearchView: whether infos and whether summaries are wanted."""


def search_command(request: pb.SearchRequest) -> SearchCommand:
    """The command of a search. Raises InvalidField, InvalidFilter, UnknownField."""
    return SearchCommand(
        namespace=request.namespace,
        text=request.text,
        vector=tuple(request.vector),
        mode=known(MODES, request.mode, "mode"),
        filter=parse_filter(request.filter) if request.HasField("filter") else None,
        limit=request.limit,
        page_token=request.page_token,
        min_revision=request.min_revision,
        neighbor_weight=request.neighbor_weight if request.HasField("neighbor_weight") else None,
    )


def wanted(request: pb.SearchRequest) -> tuple[bool, bool]:
    """Whether the request asks for infos, and for summaries. Raises InvalidField."""
    return known(VIEWS, request.view, "view")


def search_reply(
    found: SearchResult, clocked: Clocked, *, infos: bool, summaries: Mapping[str, Summary]
) -> pb.SearchResponse:
    """Reply of Search; ``summaries`` are those at hand, by name."""
    reply = pb.SearchResponse(
        next_page_token=found.next_page_token,
        mode=cast(Any, found.mode),
        indexed_revision=found.indexed_revision,
        degraded=found.degraded,
        revision=found.revision,
    )
    for hit in found.hits:
        message = reply.hits.add(name=hit.record.name, score=hit.score, matched_by=cast(Any, hit.matched_by))
        if infos:
            clocked.fill_info(message.info, hit.record)
        if hit.record.name in summaries:
            fill_summary(message.info, message.summary, summaries[hit.record.name])
    return reply
