"""What an action asks for, done by the operation that does the same for a client."""

from __future__ import annotations

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.edge.acting.arguments import Asked, Forgetting, Listing, Reading, Searching, Storing
from memslot_sidecar.edge.acting.by_name import by_name
from memslot_sidecar.edge.acting.found import FoundNames
from memslot_sidecar.edge.acting.nearest import COMPARED
from memslot_sidecar.model import IndexMode, Origin, Receipt, StoredSlot
from memslot_sidecar.operations import body as bodies
from memslot_sidecar.operations import forget, kept, lookup, read, search
from memslot_sidecar.operations import write as writing
from memslot_sidecar.operations.acting_room import Room
from memslot_sidecar.operations.batch_read import over_budget
from memslot_sidecar.operations.commands import (
    Expiry,
    ForgetCommand,
    LookupCommand,
    Mutated,
    Never,
    Ttl,
    WriteCommand,
    WriteMode,
)
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.search_plan import SearchCommand

MODES = {"mem_write": WriteMode.REPLACE, "mem_append": WriteMode.EXTEND, "mem_patch": WriteMode.MERGE_PATCH}


class Doer:
    """Does what actions ask for in one namespace, as far as there is room for the answers."""

    def __init__(self, ctx: Context, path: str, room: Room) -> None:
        self._ctx = ctx
        self._path = path
        self._room = room

    @property
    def by_name(self) -> bool:
        """Whether texts are not indexed, so that a search looks at names."""
        return self._ctx.finder is None or self._ctx.settings(self._path).index_mode is IndexMode.KEYS

    async def do(self, asked: Asked, call: Call, once: Once | None) -> Receipt | StoredSlot | FoundNames:
        """Executes it. Raises what the operation raises, and ReplyBudget."""
        match asked:
            case Storing():
                return _receipt(await writing.write(self._ctx, call, self._write_command(asked), once))
            case Forgetting(slot):
                name = names.slot_name(slot, "slot")
                return _receipt(await forget.forget(self._ctx, call, ForgetCommand(self._path, name), once))
            case Reading(slot):
                return await self._read(call, names.slot_name(slot, "slot"))
            case Listing():
                return await self._list(call, asked)
            case Searching():
                return await (self._search_names if self.by_name else self._search)(call, asked)

    def _write_command(self, asked: Storing) -> WriteCommand:
        patch = asked.action == "mem_patch"
        return WriteCommand(
            namespace=self._path,
            name=names.slot_name(asked.slot, "slot"),
            body=asked.body,
            content_type="" if patch else bodies.TEXT if asked.is_text else bodies.JSON,
            description=asked.description,
            tags=asked.tags,
            importance=asked.importance,
            origin=Origin.MODEL,
            expiry=_expiry(asked.ttl_s),
            mode=MODES[asked.action],
        )

    async def _read(self, call: Call, name: str) -> StoredSlot:
        record = self._ctx.store.describe(self._path, name)
        if record is not None and not self._room.take_slot(record):
            about(call, self._path, name)
            raise over_budget(name)
        found = await read.read(self._ctx, call, self._path, name)
        assert found is not None
        return found

    async def _list(self, call: Call, asked: Listing) -> FoundNames:
        command = LookupCommand(self._path, name_prefix=asked.name_prefix, page_size=asked.limit, total=True)
        found = await lookup.lookup(self._ctx, call, command)
        listed = [item.name for item in found.items]
        return self._fitting(
            FoundNames(listed, bool(found.next_page_token), found.total, at_least=found.total_is_lower_bound)
        )

    async def _search(self, call: Call, asked: Searching) -> FoundNames:
        found = await search.search(self._ctx, call, SearchCommand(self._path, text=asked.query, limit=asked.limit))
        listed = [hit.record.name for hit in found.hits]
        return self._fitting(FoundNames(listed, bool(found.next_page_token)))

    async def _search_names(self, call: Call, asked: Searching) -> FoundNames:
        command = LookupCommand(self._path, with_info=True, page_size=COMPARED)
        found = await lookup.lookup(self._ctx, call, command)
        listed = by_name(asked.query, [item.record for item in found.items if item.record is not None])
        call.count = min(len(listed), asked.limit)
        return self._fitting(FoundNames(listed[: asked.limit], len(listed) > asked.limit, len(listed), by_name=True))

    def _fitting(self, found: FoundNames) -> FoundNames:
        if not self._room.take_names(found.names):
            raise over_budget("")
        return found

    def checked(self, asked: Asked) -> str:
        """The name that the action is about. Raises what the operation would raise whatever the store holds."""
        if isinstance(asked, Listing) and asked.name_prefix:
            names.prefix(asked.name_prefix, "name_prefix")
        if isinstance(asked, Listing | Searching):
            return ""
        name = names.slot_name(asked.slot, "slot")
        if isinstance(asked, Storing):
            writing.check_write(self._write_command(asked), self._path, name)
            bodies.check_size(len(asked.body), self._ctx.settings(self._path).body_limit_bytes, "value")
            if not asked.is_text:
                bodies.check_body(asked.body, bodies.JSON, "value")
        return name


def _receipt(answer: Mutated | Repeated) -> Receipt:
    mutated = kept.decode(answer.reply) if isinstance(answer, Repeated) else answer
    return mutated.receipts[0]


def _expiry(ttl_s: float | None) -> Expiry | None:
    if ttl_s is None:
        return None
    return Never() if ttl_s == float("inf") else Ttl(max(1, round(ttl_s * 1000)))
