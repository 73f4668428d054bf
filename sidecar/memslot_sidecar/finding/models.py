"""The embedders that the settings name: opened when they are first needed, tried again while they cannot be."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from memslot_index.database.spaces import Space
from memslot_index.embedders.base import Embedder, EmbedderError, EmbedderMissing
from memslot_index.embedders.base import EmbedderUnavailable as Unanswered
from memslot_index.embedders.choice import EmbedderSettings, check_embedder, open_embedder
from memslot_sidecar.errors import EmbedderUnavailable
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.model import EffectiveSettings, IndexMode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REMEMBERED = 512
_RETRY_S = 5.0
_REMEDIES = {
    "e5": "install it with `pip install 'memslot[e5]'` and start the server anew",
    "openai": "start the server with --openai-url and --openai-model",
}


class Models:
    """Embedders by their names, each opened once; queries and passages have a thread each, so that neither waits for the other's queue."""

    def __init__(self, settings: dict[str, EmbedderSettings]) -> None:
        self._settings = settings
        self._closed = False
        self._open: dict[str, Embedder] = {}
        self._failed: dict[str, tuple[float, str]] = {}
        self._silent: dict[str, tuple[float, str]] = {}
        self._queries: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._asking = ThreadPoolExecutor(1, "memslot-query")
        self._making = ThreadPoolExecutor(1, "memslot-embed")
        self._opening: dict[str, asyncio.Task[Embedder]] = {}

    @property
    def names(self) -> Sequence[str]:
        """The embedders that can be chosen, ``none`` first."""
        return ["none", *self._settings]

    def problem(self, name: str) -> str:
        """Why an embedder cannot be used now; empty when it can, or was not tried."""
        return self._failed.get(name, (0.0, ""))[1]

    async def check(self, name: str) -> None:
        """Raises EmbedderError when an embedder cannot be had here, however often it is tried. Loads its library, no model, and asks no service."""
        if name == "none" or name in self._open:
            return
        await asyncio.get_running_loop().run_in_executor(None, check_embedder, self._known(name))

    async def get(self, name: str) -> Embedder:
        """An embedder. Raises EmbedderUnavailable; it is not tried again for some seconds.

        Whoever wants one that is being opened shares in that, and may go before it is.
        """
        found = self._open.get(name)
        if found is not None:
            return found
        self._check_open(name)
        task = self._opening.get(name)
        if task is None:
            if why := _lately(self._failed, name):
                raise _unavailable(name, why)
            task = self._opening[name] = asyncio.create_task(self._opened(name), name="memslot opening an embedder")
            task.add_done_callback(partial(self._tried, name))
        return await asyncio.shield(task)

    async def query(self, name: str, text: str) -> NDArray[np.float32]:
        """The vector of a search's text. Raises EmbedderUnavailable, for some seconds at once after one that was not answered."""
        key = (name, text)
        found = self._queries.get(key)
        if found is not None:
            self._queries.move_to_end(key)
            return found
        embedder = await self.get(name)
        self._check_open(name)
        try:
            vector = await asyncio.get_running_loop().run_in_executor(self._asking, self._asked, name, embedder, text)
        except EmbedderError as error:
            raise _unavailable(name, str(error)) from None
        self._queries[key] = vector
        if len(self._queries) > _REMEMBERED:
            self._queries.popitem(last=False)
        return vector

    async def passages(self, embedder: Embedder, texts: Sequence[str]) -> Any:
        """Vectors of texts, in the background. Raises EmbedderError."""
        return await asyncio.get_running_loop().run_in_executor(self._making, embedder.passages, texts)

    async def adopt(self, desk: Desk, path: str, settings: EffectiveSettings, *, asked: bool) -> None:
        """Makes the namespace's present embedder the one of its vectors. Those of another are dropped if somebody ``asked`` for the change,
        and stay otherwise: it may have cost something to make them. One that cannot be reached is adopted later."""
        if settings.index_mode is not IndexMode.HYBRID:
            return
        if settings.embedder == "none":
            await desk.write(lambda index: index.use_writers(path))
            return
        try:
            embedder = await self.get(settings.embedder)
        except EmbedderUnavailable:
            return
        space = desk.index.space(path)
        if not asked and space is not None and not fits(space, embedder):
            return
        await desk.write(lambda index: index.use_model(path, embedder.model, embedder.dimensions))

    async def adopt_unmade(self, desk: Desk, path: str, embedder: Embedder) -> None:
        """Makes an embedder the one of a namespace that has no vectors yet, or only such as its writers sent."""
        await desk.write(lambda index: index.name_model(path, embedder.model, embedder.dimensions))

    async def close(self) -> None:
        """Closes all of them. What is under way somewhere else may take as long as it may, and is not waited for."""
        self._closed = True
        for task in self._opening.values():
            task.cancel()
        for pool in (self._asking, self._making):
            pool.shutdown(wait=False, cancel_futures=True)
        for embedder in self._open.values():
            await asyncio.get_running_loop().run_in_executor(None, embedder.close)
        self._open.clear()

    def _check_open(self, name: str) -> None:
        if self._closed:
            raise _unavailable(name, "the sidecar is shutting down")

    def _asked(self, name: str, embedder: Embedder, text: str) -> NDArray[np.float32]:
        """In the thread of queries: who waited behind one that was not answered is not kept waiting for another."""
        if why := _lately(self._silent, name):
            raise Unanswered(why)
        try:
            return embedder.query(text)
        except Unanswered as error:
            self._silent[name] = time.monotonic(), str(error)
            raise

    def _tried(self, name: str, task: asyncio.Task[Embedder]) -> None:
        del self._opening[name]
        if not task.cancelled():
            task.exception()

    def _known(self, name: str) -> EmbedderSettings:
        if name not in self._settings:
            raise EmbedderMissing(f"{_REMEDIES.get(name, 'this server does not have it')}, or set another embedder")
        return self._settings[name]

    async def _opened(self, name: str) -> Embedder:
        try:
            settings = self._known(name)
            embedder = await asyncio.get_running_loop().run_in_executor(self._making, open_embedder, settings)
        except EmbedderError as error:
            self._failed[name] = time.monotonic(), str(error)
            raise _unavailable(name, str(error)) from None
        assert embedder is not None
        self._failed.pop(name, None)
        self._open[name] = embedder
        return embedder


def _lately(failed: Mapping[str, tuple[float, str]], name: str) -> str:
    """Why an embedder failed, if that is not long ago."""
    at_s, why = failed.get(name, (0.0, ""))
    return why if time.monotonic() - at_s < _RETRY_S else ""


def fits(space: Space, embedder: Embedder) -> bool:
    """Whether a space's vectors may stand beside those that an embedder makes."""
    if not space.dimensions:
        return True
    return space.dimensions == embedder.dimensions and space.model in ("", embedder.model)


def _unavailable(name: str, why: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"the embedder '{name}' cannot be used now: {why}", metadata={"embedder": name}, retry_after_ms=5000
    )
