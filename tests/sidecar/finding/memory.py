"""A sidecar without a network, and the calls that the tests of finding make."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config

SPACE = "acme/notes"
_WAIT_S = 20.0


class Memory:
    """One running sidecar; names and scores of what it finds."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar

    async def call(self, method: str, request: Any) -> Any:
        """Any unary call, as a message."""
        return await self.sidecar.dispatch(method if "/" in method else f"SlotService/{method}", request)

    async def write(self, name: str, body: str | bytes, namespace: str = SPACE, **fields: Any) -> pb.WriteResponse:
        """Writes one slot."""
        encoded = body.encode() if isinstance(body, str) else body
        fields.setdefault("never", True)
        return await self.call("Write", pb.WriteRequest(namespace=namespace, name=name, body=encoded, **fields))

    async def forget(self, name: str, namespace: str = SPACE, **fields: Any) -> pb.ForgetResponse:
        """Forgets one slot."""
        return await self.call("Forget", pb.ForgetRequest(namespace=namespace, name=name, **fields))

    async def search(self, text: str = "", namespace: str = SPACE, **fields: Any) -> pb.SearchResponse:
        """Searches."""
        return await self.call("Search", pb.SearchRequest(namespace=namespace, text=text, **fields))

    async def found(self, text: str = "", namespace: str = SPACE, **fields: Any) -> list[str]:
        """The names that a search finds, best first."""
        return [hit.name for hit in (await self.search(text, namespace, **fields)).hits]

    async def configure(self, namespace: str = SPACE, **settings: Any) -> None:
        """Sets settings of a namespace."""
        request = spaces.UpdateNamespaceRequest(namespace=namespace, settings=spaces.NamespaceSettings(**settings))
        await self.call("NamespaceService/UpdateNamespace", request)

    async def stats(self, namespace: str = SPACE) -> admin.StatsResponse:
        """What the server counts."""
        return await self.call("AdminService/Stats", admin.StatsRequest(namespace=namespace))

    async def reindex(self, namespace: str = "", **fields: Any) -> list[admin.ReindexResponse]:
        """Makes the index anew."""
        request = admin.ReindexRequest(namespace=namespace, **fields)
        return [reply async for reply in self.sidecar.stream("AdminService/Reindex", request)]


@asynccontextmanager
async def memory(
    directory: Path, kind: str = "sqlite", *, clock: Callable[[], int] | None = None, **settings: Any
) -> AsyncIterator[Memory]:
    """A sidecar whose namespaces are found by words, unless the settings say otherwise."""
    settings = {"index_mode": "fulltext", "slot_limit": 100_000, "body_limit_bytes": 100_000} | settings
    sidecar = Sidecar(Config(store=kind, data_dir=directory, **settings), clock=clock)
    await sidecar.start()
    try:
        yield Memory(sidecar)
    finally:
        await sidecar.stop()


async def until(condition: Callable[[], object]) -> None:
    """Waits for a condition, and looks whenever the loop comes round: one that holds for a moment only is not missed."""

    async def holds() -> None:
        while not condition():
            await asyncio.sleep(0)

    await asyncio.wait_for(holds(), _WAIT_S)
