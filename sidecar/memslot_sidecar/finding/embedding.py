"""Makes vectors in the background: small batches, one namespace after the other, so that a query's text never waits long.

What waits is noted in the index's file, in the transaction that indexed the words: nothing is queued in memory, and a crash loses
nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memslot_index.changes import Before, Made, Waiting, digest_of, embedded_text
from memslot_index.embedders.base import Embedder, EmbedderError
from memslot_index.fulltext.bodies import body_text
from memslot_sidecar.errors import EmbedderUnavailable
from memslot_sidecar.explaining import explained
from memslot_sidecar.finding.desk import Desk
from memslot_sidecar.finding.models import Models, fits
from memslot_sidecar.finding.telling import Complaint, stopping
from memslot_sidecar.model import EffectiveSettings, IndexMode
from memslot_sidecar.stores.base import Store

_RETRY_S = 1.0
_RETRY_MOST_S = 60.0
_AGAIN_S = 1.0
_BATCH_CHARS = 1 << 20

_log = logging.getLogger(__name__)


class Embedding:
    """One task that empties the queue of documents without a vector."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[str], EffectiveSettings],
        desk: Desk,
        models: Models,
        failed: Callable[[Exception], None],
    ) -> None:
        self._store = store
        self._settings = settings
        self._desk = desk
        self._models = models
        self._failed = failed
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._progress = asyncio.Condition()
        self._stopped = False
        self._away: dict[str, Complaint] = {}
        self.problems: dict[str, str] = {}

    def start(self) -> None:
        """Starts with what waits since before."""
        self._wake.set()
        self._task = asyncio.create_task(self._run(), name="memslot embedding")

    async def stop(self) -> None:
        """Ends, where it waits."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._stopped = True
        async with self._progress:
            self._progress.notify_all()

    def wake(self) -> None:
        """Says that something may wait."""
        self._wake.set()

    async def complete(self, namespace: str, revision: int) -> None:
        """Answers when no document of a namespace at or below a revision waits for a vector. Raises IndexUnavailable when it stops before."""
        async with self._progress:
            while True:
                if self._stopped:
                    raise stopping()
                oldest = await self._desk.read(lambda index: index.oldest_waiting(namespace))
                if not oldest or oldest > revision:
                    return
                self._wake.set()
                await self._progress.wait()

    async def _run(self) -> None:
        await self._look_at_models()
        delay_s = _RETRY_S
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                again = await self._round()
                delay_s = _RETRY_S
            except (EmbedderError, EmbedderUnavailable):
                again, delay_s = True, await _rested(delay_s)
            except Exception as error:  # noqa: BLE001 - a supervisor: what waits is tried again
                _log.warning("vectors wait, words are found meanwhile: %s", explained(error))
                self._failed(error)
                again, delay_s = True, await _rested(delay_s)
            async with self._progress:
                self._progress.notify_all()
            if again:
                self._wake.set()

    async def _look_at_models(self) -> None:
        """Says at the start which namespaces have vectors of another model than the one they have now."""
        for space in self._desk.index.spaces():
            settings = self._settings(space.path)
            if not space.model or settings.index_mode is not IndexMode.HYBRID or settings.embedder == "none":
                continue
            try:
                embedder = await self._models.get(settings.embedder)
            except EmbedderUnavailable as error:
                self.problems[space.path] = error.message
                continue
            if not fits(space, embedder):
                self.problems[space.path] = outdated(space.model, embedder.model)
                _log.warning("namespace %s: %s", space.path, self.problems[space.path])

    async def _round(self) -> bool:
        """A batch for every namespace that waits; whether there is more to do. Raises what kept one of them waiting, after the others."""
        waiting = await self._desk.read(lambda index: index.waiting_paths())
        made, failed = 0, None
        for path in waiting:
            try:
                made += await self._batch(path)
            except (EmbedderError, EmbedderUnavailable) as error:
                failed = error
                self.problems[path] = f"vectors wait: {error}"
                self._complaint(path).tell("vectors wait, words are found meanwhile: %s", error)
        if failed is not None and not made:
            raise failed
        if waiting and not made:
            # What waits has expired, or is about to be indexed anew.
            await asyncio.sleep(_AGAIN_S)
        return bool(waiting)

    async def _batch(self, path: str) -> int:
        settings = self._settings(path)
        if settings.index_mode is not IndexMode.HYBRID or settings.embedder == "none":
            return 0
        embedder = await self._models.get(settings.embedder)
        space = self._desk.index.space(path)
        if space is None:
            return 0
        if not space.model:
            await self._models.adopt_unmade(self._desk, path, embedder)
        if not fits(space, embedder):
            self.problems[path] = outdated(space.model or "the writers", embedder.model)
            return 0
        waiting = await self._desk.read(lambda index: index.waiting(path, embedder.batch))
        texts = self._texts(waiting)
        if not texts:
            return 0
        made = await self._made(embedder, texts)
        self.problems.pop(path, None)
        self._complaint(path).over(f"the embedder '{settings.embedder}' makes vectors again")
        return await self._desk.write(lambda index: index.add_vectors(path, made))

    def _complaint(self, path: str) -> Complaint:
        return self._away.setdefault(self._settings(path).embedder, Complaint(_log))

    async def _made(self, embedder: Embedder, texts: list[_Text]) -> list[Made]:
        embedded = await self._models.passages(embedder, [one.text for one in texts])
        vectors = embedded.vectors.astype("<f4", copy=False)
        return [
            Made(one.row.id, one.row.digest, vector.tobytes(), truncated, one.before)
            for one, vector, truncated in zip(texts, vectors, embedded.truncated, strict=True)
        ]

    def _texts(self, rows: Sequence[Waiting]) -> list[_Text]:
        """What vectors are made of, as far as it can be read in one step: long bodies are few."""
        found: list[_Text] = []
        chars = 0
        for row in rows:
            if (text := self._text(row)) is not None:
                found.append(text)
                chars += len(text.text)
            if chars > _BATCH_CHARS:
                break
        return found

    def _text(self, row: Waiting) -> _Text | None:
        """What a vector is made of; None when the index is about to hear of a change."""
        stored = self._store.read(row.space, row.name)
        if stored is None:
            return None
        record, text = stored.record, body_text(stored.record.content_type, stored.body)
        if digest_of(embedded_text(record.name, record.description, text)) != row.digest:
            return None
        before = None if row.before is None else self._store.read(row.space, row.before.name)
        if row.before is None or before is None:
            return _Text(row, embedded_text(record.name, record.description, text), None)
        if before.record.revision != row.before.revision:
            return None
        said = body_text(before.record.content_type, before.body)
        return _Text(row, embedded_text(record.name, record.description, text, said), row.before)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to make a vector of, and the turn of the conversation before it, if that is in it."""

    row: Waiting
    text: str
    before: Before | None


async def _rested(delay_s: float) -> float:
    """Waits; how long to wait the next time."""
    await asyncio.sleep(delay_s)
    return min(delay_s * 2, _RETRY_MOST_S)


def outdated(made_by: str, configured: str) -> str:
    """What is wrong with vectors of another model."""
    return f"the vectors were made by '{made_by}', the server has '{configured}': run `memslot reindex --vectors`"
