"""ListVersions and ReadVersion: earlier bodies of a slot, where its namespace keeps any. They die with their slot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memslot_sidecar.call import Call
from memslot_sidecar.errors import InvalidField, VersionNotFound
from memslot_sidecar.model import StoredSlot, VersionRecord
from memslot_sidecar.operations import page_token
from memslot_sidecar.operations.commands import VersionWithBody
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.operations.lookup import page_size
from memslot_sidecar.operations.read import accessed, not_found


@dataclass(frozen=True, slots=True)
class VersionsResult:
    """One page of versions, newest first."""

    versions: Sequence[VersionRecord]
    next_page_token: str
    revision: int


@dataclass(frozen=True, slots=True)
class _Listing:
    namespace: str
    name: str


async def list_versions(
    ctx: Context, call: Call, namespace: str, name: str, size: int = 0, token: str = ""
) -> VersionsResult:
    """The kept versions of a live slot, newest first, the current one included.

    Raises InvalidName, InvalidField, InvalidPageToken, SlotNotFound.
    """
    path, name = about(call, namespace, name)
    limit = page_size(size)
    listing = _Listing(path, name)
    kept = await ctx.store.versions(path, name)
    if not kept:
        raise not_found(path, name)
    if token:
        (before,) = page_token.decode(ctx.store, listing, token)
        kept = [version for version in kept if version.revision < int(before or 0)]
    page = kept[:limit]
    call.count = len(page)
    call.outcome = "LISTED"
    call.revision = seen(ctx.store.revision, page)
    more = page_token.encode(ctx.store, listing, (page[-1].revision,)) if len(kept) > limit else ""
    return VersionsResult(page, more, call.revision)


async def read_version(ctx: Context, call: Call, namespace: str, name: str, revision: int) -> VersionWithBody:
    """One kept version with its body; counts as an access of the slot, and renews it where a read does.

    Raises InvalidName, InvalidField, SlotNotFound, VersionNotFound.
    """
    path, name = about(call, namespace, name)
    if revision < 1:
        raise InvalidField(
            f"version_revision is {revision}: give a revision that ListVersions returned", field="version_revision"
        )
    today = ctx.store.describe(path, name)
    if today is None:
        raise not_found(path, name)
    found = await ctx.store.read_version(path, name, revision)
    if found is None:
        raise VersionNotFound(
            f"slot '{name}' keeps no version of revision {revision}: see ListVersions, and versions_kept of the namespace",
            field="version_revision",
            metadata={"name": name, "version_revision": str(revision)},
        )
    version, body = found
    today = (await accessed(ctx, call, StoredSlot(today, body))).record
    call.body_bytes = len(body)
    call.outcome = "READ"
    call.revision = version.revision
    return VersionWithBody(version, body, today)
