"""What a search looks for, after all that bears on it is known: mode, words, vector, and what has to be done without."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memslot_index.filters import Filter
from memslot_index.fulltext.analysis import tokens
from memslot_index.fulltext.query import TextQuery, parse
from memslot_sidecar.call import Call
from memslot_sidecar.errors import (
    DimensionMismatch,
    EmbedderUnavailable,
    IndexNotEnabled,
    IndexOutdated,
    InvalidField,
)
from memslot_sidecar.finding.comparing import missing
from memslot_sidecar.finding.finder import KINDS, Finder
from memslot_sidecar.model import EffectiveSettings, IndexMode
from memslot_sidecar.operations.context import Context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Mode(enum.IntEnum):
    """By what is searched (values as in the contract)."""

    AUTO = 1
    FULLTEXT = 2
    VECTOR = 3
    HYBRID = 4


@dataclass(frozen=True, slots=True)
class SearchCommand:
    """A search. ``limit`` 0 is the default; ``neighbor_weight`` None lends nothing."""

    namespace: str
    text: str = ""
    vector: Sequence[float] = ()
    mode: Mode = Mode.AUTO
    filter: Filter | None = None
    limit: int = 0
    page_token: str = ""
    min_revision: int = 0
    neighbor_weight: float | None = None


@dataclass(slots=True)
class SearchPlan:
    """What is searched for, after all is known."""

    path: str
    mode: Mode
    text: str
    query: TextQuery | None
    vector: NDArray[np.float32] | None
    kind: str
    filter: Filter | None
    neighbor_weight: float
    made_here: bool = False
    mentioned: frozenset[str] = frozenset()
    deadline_s: float | None = None
    degraded: list[str] = field(default_factory=list)


async def plan_search(
    ctx: Context, finder: Finder, path: str, settings: EffectiveSettings, command: SearchCommand, call: Call
) -> SearchPlan:
    """Waits until the index knows what it has to, and decides what is searched.

    Raises DimensionMismatch, IndexNotEnabled, IndexOutdated, IndexUnavailable, EmbedderUnavailable, IndexBehind.
    """
    mode = _mode(path, settings, command)
    kind = KINDS[settings.vector_index]
    wants_vectors = mode is not Mode.FULLTEXT
    degraded = await finder.ready(
        path, ctx.store.revision, command.min_revision, call.deadline_s, vectors=wants_vectors
    )
    vector = None
    if wants_vectors:
        try:
            vector = await _vector(finder, path, settings, command, call.deadline_s)
        except (EmbedderUnavailable, IndexOutdated, IndexNotEnabled) as error:
            if mode is Mode.VECTOR:
                raise
            mode = Mode.FULLTEXT
            degraded.append(f"only words were searched: {error.message}")
    query = parse(command.text) if command.text and mode is not Mode.VECTOR else None
    return SearchPlan(
        path=path,
        mode=mode,
        text=command.text,
        query=query,
        vector=vector,
        kind=kind,
        filter=command.filter,
        neighbor_weight=command.neighbor_weight or 0.0,
        made_here=vector is not None and not command.vector,
        mentioned=frozenset(tokens(command.text)) if query is not None and vector is not None else frozenset(),
        deadline_s=call.deadline_s,
        degraded=degraded,
    )


def _mode(path: str, settings: EffectiveSettings, command: SearchCommand) -> Mode:
    """What is searched, by what the request asks for and the namespace has."""
    hybrid = settings.index_mode is IndexMode.HYBRID
    can_embed = bool(command.vector) or settings.embedder != "none"
    if command.mode is Mode.AUTO:
        by_words = Mode.HYBRID if hybrid and can_embed else Mode.FULLTEXT
        mode = by_words if command.text else Mode.VECTOR
    else:
        mode = command.mode
    if mode is Mode.FULLTEXT:
        if not command.text:
            raise InvalidField("mode FULLTEXT needs a text", field="text")
        return mode
    if not hybrid:
        raise IndexNotEnabled(
            f"namespace '{path}' keeps no vectors: set its index_mode to HYBRID (memslot namespaces set {path} --index-mode hybrid)",
            field="mode",
            metadata={"namespace": path, "index_mode": settings.index_mode.name},
        )
    if not can_embed:
        raise IndexNotEnabled(
            f"namespace '{path}' has no embedder to make a vector of text: send a vector, or set its embedder"
            f" (memslot namespaces set {path} --embedder e5)",
            field="vector",
            metadata={"namespace": path, "embedder": "none"},
        )
    return Mode.VECTOR if mode is Mode.HYBRID and not command.text else mode


async def _vector(
    finder: Finder, path: str, settings: EffectiveSettings, command: SearchCommand, deadline_s: float | None
) -> NDArray[np.float32]:
    if why := missing():
        raise IndexNotEnabled(f"this server cannot compare vectors: {why}", field="mode")
    if not command.vector:
        return await finder.query_vector(path, settings, command.text, deadline_s)
    expected = finder.dimensions(path)
    if expected and len(command.vector) != expected:
        raise DimensionMismatch(
            f"vector has {len(command.vector)} numbers, those of namespace '{path}' have {expected}: use the same model",
            field="vector",
            metadata={"expected": str(expected), "given": str(len(command.vector))},
        )
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    given = np.array(command.vector, dtype=np.float64)
    return (given / np.linalg.norm(given)).astype(np.float32)
