"""Lookup: names in order, a page at a time, without touching a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations import page_token
from memslot_sidecar.operations.commands import LookupCommand
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.stores.base import Item, Query

PAGE_DEFAULT = 50
PAGE_LIMIT = 1000
COUNT_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class LookupResult:
    """One page. ``token_after(i)`` continues after the i-th item, for a reply that had to be cut short."""

    items: Sequence[Item]
    next_page_token: str
    total: int | None
    total_is_lower_bound: bool
    revision: int
    token_after: Callable[[int], str]


async def lookup(ctx: Context, call: Call, command: LookupCommand) -> LookupResult:
    """Lists live slots. Raises InvalidName, InvalidField, InvalidPageToken, StoreReplaced."""
    path, _ = about(call, command.namespace)
    query = Query(
        namespace=path,
        recursive=command.recursive,
        name_prefix=names.prefix(command.name_prefix, "name_prefix") if command.name_prefix else "",
        filter=command.filter,
        order=command.order,
        reverse=command.reverse,
    )
    after = page_token.decode(ctx.store, query, command.page_token) if command.page_token else None
    revision = ctx.store.revision
    page = await ctx.store.lookup(
        replace(
            query,
            limit=page_size(command.page_size),
            after=after,
            names_only=not command.with_info,
            count_to=COUNT_LIMIT if command.total else None,
        )
    )

    def token_after(index: int) -> str:
        return page_token.encode(ctx.store, query, page.items[index].key)

    call.count = len(page.items)
    call.outcome = "LISTED"
    if command.with_info:
        revision = seen(revision, (item.record for item in page.items))
    call.revision = revision
    more = page.more and bool(page.items)
    lower_bound = page.total is not None and page.total > COUNT_LIMIT
    return LookupResult(
        items=page.items,
        next_page_token=token_after(len(page.items) - 1) if more else "",
        total=COUNT_LIMIT if lower_bound else page.total,
        total_is_lower_bound=lower_bound,
        revision=revision,
        token_after=token_after,
    )


def page_size(asked: int) -> int:
    """How many items a page has. Raises InvalidField for a negative number."""
    if asked < 0:
        raise InvalidField(f"page_size is {asked}: give 1 to {PAGE_LIMIT}, or 0 for {PAGE_DEFAULT}", field="page_size")
    return min(asked or PAGE_DEFAULT, PAGE_LIMIT)
