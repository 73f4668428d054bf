"""Finding slots by words, by meaning, or both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.enums import Match, SearchMode
from memslot.expiry import Seconds
from memslot.hits import Hit, SearchResult
from memslot.results import Committed, Receipt
from memslot.v1 import slot_service_pb2 as pb

if TYPE_CHECKING:
    from memslot.where import Condition

Mode: TypeAlias = SearchMode | Literal["auto", "fulltext", "vector", "hybrid"]
PAGE_LIMIT = 100


def search(
    at: Binding,
    text: str = "",
    *,
    vector: Iterable[float] | None = None,
    mode: Mode = SearchMode.AUTO,
    where: Condition | None = None,
    limit: int = 10,
    min_revision: int | Receipt | Committed | None = None,
    neighbor_weight: float | None = None,
    info: bool = False,
    summaries: bool = False,
    page_token: str = "",
    timeout: Seconds | None = None,
) -> Steps[SearchResult]:
    """Find slots by words, by meaning, or both, best first, without their bodies. The result is a sequence of hits.

    ``text`` is in plain words: those that are rare count more, a ``"phrase"`` in double quotes must match, ``pref*`` stands for any ending, and
    nothing is a syntax error. ``vector`` takes the place of the one that the namespace's embedder makes of ``text``; any library's array of one
    dimension will do. ``where`` is a condition as in ``lookup``. ``limit`` bounds the hits (a call brings at most 100, a search 1000);
    ``page_token`` is the ``next_page_token`` of a search with the same arguments, and goes on behind it.

    A slot is found by its words as soon as its write was answered; vectors that the server makes follow. ``min_revision``, such as a receipt,
    waits until those are there too. ``neighbor_weight`` (0 to 1; 0.5 suits conversations) lets slots that were written next to each other, in
    one task type, lend each other of their score. ``info`` brings everything but the body, ``summaries`` that and the summary where one is at
    hand. ``timeout`` is for each call.

    Raises IndexNotEnabled, IndexOutdated, IndexBehind (``min_revision``), DimensionMismatch, InvalidField, InvalidFilter, InvalidPageToken,
    and, with mode VECTOR, EmbedderUnavailable and IndexUnavailable: other modes go on without, and say so in ``degraded``.
    """
    if not encode.text(text, "text") and vector is None:
        raise ValueError("say what to look for: a text, a vector, or both")
    if limit < 1:
        raise ValueError(f"limit is {limit}: ask for one hit at least")
    request = pb.SearchRequest(
        namespace=at.namespace,
        text=text,
        vector=() if vector is None else encode.vector(vector, "vector"),
        mode=pb.SearchMode.ValueType(_mode(mode)),
        filter=encode.condition(where),
        page_token=page_token,
        min_revision=_revision(min_revision),
        view=pb.SEARCH_VIEW_SUMMARY if summaries else pb.SEARCH_VIEW_INFO if info else pb.SEARCH_VIEW_NAMES,
        **encode.given(neighbor_weight=neighbor_weight),
    )
    return (yield from _pages(at, request, limit, timeout))


def _pages(at: Binding, request: pb.SearchRequest, limit: int, timeout: Seconds | None) -> Steps[SearchResult]:
    hits: dict[str, Hit] = {}
    replies: list[pb.SearchResponse] = []
    while True:
        request.limit = min(limit - len(hits), PAGE_LIMIT)
        reply = yield from ask(at, methods.SEARCH, request, timeout)
        replies.append(reply)
        for message in reply.hits:
            hits.setdefault(message.name, _hit(message))
        request.page_token = reply.next_page_token
        if len(hits) >= limit or not (reply.hits and reply.next_page_token):
            return _result(hits, replies)


def _result(hits: dict[str, Hit], replies: Sequence[pb.SearchResponse]) -> SearchResult:
    """Several pages as one: complete as far as the least complete of them."""
    last = replies[-1]
    return SearchResult(
        hits=tuple(hits.values()),
        mode=SearchMode(last.mode),
        indexed_revision=min(reply.indexed_revision for reply in replies),
        degraded=tuple(dict.fromkeys(reason for reply in replies for reason in reply.degraded)),
        revision=last.revision,
        next_page_token=last.next_page_token,
    )


def _hit(message: pb.SearchHit) -> Hit:
    summary = decode.summary(message.summary) if message.HasField("summary") else None
    return Hit(
        name=message.name,
        score=message.score,
        matched_by=tuple(map(Match, message.matched_by)),
        info=decode.slot_info(message.info, summary) if message.HasField("info") else None,
    )


def _mode(mode: Mode) -> int:
    names = {known.name.lower(): known for known in SearchMode if known}
    found = mode if isinstance(mode, SearchMode) else names.get(mode)
    if found is None:
        raise ValueError(f"mode is one of {', '.join(names)}, not {mode!r}")
    return int(found)


def _revision(least: int | Receipt | Committed | None) -> int:
    revision = least.revision if isinstance(least, Receipt | Committed) else least or 0
    if isinstance(revision, bool) or not isinstance(revision, int):
        raise TypeError(f"min_revision is a revision or a receipt, not {type(least).__name__}")
    return revision
