"""Namespaces: configure, get, list, delete."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypeAlias, TypeVar

from memslot._core import decode, encode, methods
from memslot._core.binding import Binding
from memslot._core.pending import Pending, ask, mutate, new_request_id
from memslot._core.steps import Emit, Flow, Steps
from memslot.enums import IndexMode, Overflow, SummaryMode, VectorIndexKind
from memslot.expiry import INHERIT, Inherited, Seconds
from memslot.results import Forgotten, Namespace
from memslot.v1.namespace_service_pb2 import (
    DeleteNamespaceRequest,
    DeleteNamespaceResponse,
    GetNamespaceRequest,
    ListNamespacesRequest,
    NamespaceSettings,
    UpdateNamespaceRequest,
    UpdateNamespaceResponse,
)

T = TypeVar("T")
Setting: TypeAlias = T | Literal[Inherited.INHERIT] | None


def update(
    at: Binding,
    path: str | None = None,
    *,
    slot_limit: Setting[int] = None,
    body_limit_bytes: Setting[int] = None,
    ttl_default: Setting[timedelta | float] = None,
    ttl_max: Setting[timedelta | float] = None,
    ttl_refresh_on_read: Setting[bool] = None,
    versions_kept: Setting[int] = None,
    overflow: Setting[Overflow | str] = None,
    erase_on_forget: Setting[bool] = None,
    index_mode: Setting[IndexMode | str] = None,
    embedder: Setting[str] = None,
    vector_index: Setting[VectorIndexKind | str] = None,
    summary_mode: Setting[SummaryMode | str] = None,
    summary_above_bytes: Setting[int] = None,
    summary_below_rank: Setting[float] = None,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Namespace]:
    """Create or configure a namespace (by default the client's own) and return it.

    What is left out (None) stays; ``memslot.INHERIT`` takes a setting from the namespaces above and the server again. Times are in
    seconds or timedeltas. Members of closed sets may be given by name (``"fulltext"``). ``embedder`` is ``none``, or one that the server has (see ``server_info``). Raises InvalidName, InvalidField, SettingAboveCap, StoreFull, OutcomeUnknown, and
    ValueError for a name that is none.
    """
    said = encode.given(
        slot_limit=slot_limit,
        body_limit_bytes=body_limit_bytes,
        ttl_default=_span(ttl_default, "ttl_default"),
        ttl_max=_span(ttl_max, "ttl_max"),
        ttl_refresh_on_read=ttl_refresh_on_read,
        versions_kept=versions_kept,
        overflow=overflow,
        erase_on_forget=erase_on_forget,
        index_mode=index_mode,
        embedder=embedder,
        vector_index=vector_index,
        summary_mode=summary_mode,
        summary_above_bytes=summary_above_bytes,
        summary_below_rank=summary_below_rank,
    )
    request = UpdateNamespaceRequest(
        namespace=at.namespace if path is None else path,
        settings=NamespaceSettings(**{name: value for name, value in said.items() if value is not INHERIT}),
        request_id=request_id or new_request_id(),
    )
    request.update_mask.paths.extend(said)
    namespace: Namespace = yield from mutate(
        at, Pending(methods.UPDATE_NAMESPACE, request.request_id, request, _namespace), timeout
    )
    return namespace


def get(at: Binding, path: str | None = None, *, timeout: Seconds | None = None) -> Steps[Namespace]:
    """Return a namespace (by default the client's own) with its settings and use. Raises NamespaceNotFound."""
    request = GetNamespaceRequest(namespace=at.namespace if path is None else path)
    reply = yield from ask(at, methods.GET_NAMESPACE, request, timeout)
    return decode.namespace(reply.namespace)


def listing(at: Binding, parent: str = "", *, page_size: int = 0, timeout: Seconds | None = None) -> Flow[Namespace]:
    """Iterate over the namespaces in the byte order of their paths: all, or ``parent`` and those below it.

    ``page_size`` is how many come with one call (0: 50, at most 1000); ``timeout`` is for each call. Raises InvalidName.
    """
    request = ListNamespacesRequest(parent=parent, page_size=page_size)
    while True:
        reply = yield from ask(at, methods.LIST_NAMESPACES, request, timeout)
        yield Emit([decode.namespace(namespace) for namespace in reply.namespaces])
        if not reply.next_page_token:
            return
        request.page_token = reply.next_page_token


def delete(
    at: Binding,
    path: str | None = None,
    *,
    force: bool = False,
    request_id: str | None = None,
    timeout: Seconds | None = None,
) -> Steps[Forgotten]:
    """Remove a namespace (by default the client's own), its settings and, with ``force``, its slots; those below it stay.

    Raises NamespaceNotFound, NamespaceNotEmpty, OutcomeUnknown.
    """
    request = DeleteNamespaceRequest(
        namespace=at.namespace if path is None else path, force=force, request_id=request_id or new_request_id()
    )
    forgotten: Forgotten = yield from mutate(
        at, Pending(methods.DELETE_NAMESPACE, request.request_id, request, _forgotten), timeout
    )
    return forgotten


def _span(value: Setting[timedelta | float], what: str) -> object:
    return value if value is None or value is INHERIT else encode.duration(value, what)


def _namespace(reply: UpdateNamespaceResponse) -> Namespace:
    return decode.namespace(reply.namespace)


def _forgotten(reply: DeleteNamespaceResponse) -> Forgotten:
    return Forgotten(count=reply.forgotten, more_remain=False, revision=reply.revision)
