"""The embedders that the settings name: opened when they are first needed, tried again while they cannot be."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from memslot_index.database.spaces import Space
from memslot_index.embedders.base import Embedder, EmbedderError, EmbedderMissing
from memslot_index.embedders.choice import EmbedderSettings, open_embedder
from memslot_sidecar.errors import EmbedderUnavailable
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.model import EffectiveSettings, IndexMode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REMEMBERED = 512
_RETRY_S = 5.0


class Models:
    """Embedders by their names, each opened once; queries and passages have a thread each, so that neither waits for the other's queue."""

    def __init__(self, settings: dict[str, EmbedderSettings]) -> None:
        self._settings = settings
        self._open: dict[str, Embedder] = {}
        self._failed: dict[str, tuple[float, str]] = {}
        self._queries: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._asking = ThreadPoolExecutor(1, "memslot-query")
        self._making = ThreadPoolExecutor(1, "memslot-embed")
        self._opening = asyncio.Lock()

    @property
    def names(self) -> Sequence[str]:
        """The embedders that can be chosen, ``none`` first."""
        return ["none", *self._settings]

    def problem(self, name: str) -> str:
        """Why an embedder cannot be used now; empty when it can, or was not tried."""
        return self._failed.get(name, (0.0, ""))[1]

    async def get(self, name: str) -> Embedder:
        """An embedder. Raises EmbedderUnavailable; it is not tried again for some seconds."""
        found = self._open.get(name)
        if found is not None:
            return found
        tried_s, why = self._failed.get(name, (0.0, ""))
        if why and time.monotonic() - tried_s < _RETRY_S:
            raise _unavailable(name, why)
        async with self._opening:
            if name in self._open:
                return self._open[name]
            return await self._opened(name)

    async def query(self, name: str, text: str) -> NDArray[np.float32]:
        """The vector of a search's text. Raises EmbedderUnavailable."""
        key = (name, text)
        found = self._queries.get(key)
        if found is not None:
            self._queries.move_to_end(key)
            return found
        embedder = await self.get(name)
        try:
            vector = await asyncio.get_running_loop().run_in_executor(self._asking, embedder.query, text)
        except EmbedderError as error:
            raise _unavailable(name, str(error)) from None
        self._queries[key] = vector
        if len(self._queries) > _REMEMBERED:
            self._queries.popitem(last=False)
        return vector

    async def passages(self, embedder: Embedder, texts: Sequence[str]) -> Any:
        """Vectors of texts, in the background. Raises EmbedderError."""
        return await asyncio.get_running_loop().run_in_executor(self._making, embedder.passages, texts)

    async def adopt(self, desk: Desk, path: str, settings: EffectiveSettings) -> None:
        """Makes the namespace's present embedder the one of its vectors; those of another are dropped. One that cannot be reached is
        adopted later."""
        if settings.index_mode is not IndexMode.HYBRID:
            return
        if settings.embedder == "none":
            await desk.write(lambda index: index.use_writers(path))
            return
        try:
            embedder = await self.get(settings.embedder)
        except EmbedderUnavailable:
            return
        await desk.write(lambda index: index.use_model(path, embedder.model, embedder.dimensions))

    async def adopt_unmade(self, desk: Desk, path: str, embedder: Embedder) -> None:
        """Makes an embedder the one of a namespace that has no vectors yet, or only such as its writers sent."""
        await desk.write(lambda index: index.name_model(path, embedder.model, embedder.dimensions))

    async def close(self) -> None:
        """Closes all of them."""
        loop = asyncio.get_running_loop()
        for pool in (self._asking, self._making):
            await loop.run_in_executor(None, pool.shutdown)
        for embedder in self._open.values():
            embedder.close()
        self._open.clear()

    async def _opened(self, name: str) -> Embedder:
        settings = self._settings.get(name)
        try:
            if settings is None:
                raise EmbedderMissing("the server is not configured with it")
            embedder = await asyncio.get_running_loop().run_in_executor(self._making, open_embedder, settings)
        except EmbedderError as error:
            self._failed[name] = time.monotonic(), str(error)
            raise _unavailable(name, str(error)) from None
        assert embedder is not None
        self._failed.pop(name, None)
        self._open[name] = embedder
        return embedder


def fits(space: Space, embedder: Embedder) -> bool:
    """Whether a space's vectors may stand beside those that an embedder makes."""
    if not space.dimensions:
        return True
    return space.dimensions == embedder.dimensions and space.model in ("", embedder.model)


def _unavailable(name: str, why: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"the embedder '{name}' cannot be used now: {why}", metadata={"embedder": name}, retry_after_ms=5000
    )
