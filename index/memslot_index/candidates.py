"""Who may be meant by a search: ids from words and vectors, their scores made one. Whoever asked confirms them against the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import apsw

from memslot_index import fusion, neighbors
from memslot_index.database import documents, vector_rows
from memslot_index.database.documents import Brief
from memslot_index.database.spaces import Space
from memslot_index.database.words import fulltext
from memslot_index.fulltext.analysis import tokens
from memslot_index.fulltext.query import TextQuery
from memslot_index.vector_spaces import VectorSpaces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STALE = 0.01
"""By how much the similarity of a vector may differ from what its index answered: half precision makes a tenth of it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search: words, a vector (float32 of length 1), or both. ``depth`` is how many each of the two contributes at most.

    ``kind`` is what compares vectors. With ``names`` only these are searched. ``neighbor_weight`` 0 lends nothing. ``centre`` moves the
    vector away from what all vectors of the space have in common; ``mentioned`` are the words of a question that may name a speaker.
    ``shown`` is how many candidates are enough, where that is known.
    """

    query: TextQuery | None
    vector: NDArray[np.float32] | None
    depth: int
    kind: str = "auto"
    neighbor_weight: float = 0.0
    names: Sequence[str] | None = None
    centre: bool = False
    mentioned: frozenset[str] = frozenset()
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document, its score, and what led to it."""

    id: int
    name: str
    revision: int
    score: float
    by_text: bool
    by_vector: bool
    by_neighbor: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    """Best first. ``exhausted`` when a greater depth would give no more; ``cut`` when more were known than shown."""

    items: Sequence[Candidate] = field(default_factory=list)
    exhausted: bool = True
    cut: bool = False


class Search:
    """One search on one connection, which sees one state of the index."""

    def __init__(
        self, connection: apsw.Connection, space: Space, vectors: VectorSpaces, wanted: Wanted, documents_in_all: int
    ) -> None:
        self._connection = connection
        self._fulltext = fulltext(connection, space.words)
        self._space = space
        self._vectors = vectors
        self._wanted = wanted
        self._documents = documents_in_all
        self._vector = wanted.vector
        self._rows: dict[int, Brief] = {}
        self._similar: dict[int, float] = {}
        self._own: dict[int, float] = {}
        self._near: dict[int, None] = {}
        self._sure: set[int] = set()

    def run(self) -> Candidates:
        """The candidates."""
        wanted = self._wanted
        within = None
        if wanted.names is not None:
            within = documents.ids_of_names(self._connection, self._space.id, wanted.names)
            if not within:
                return Candidates()
        text = self._by_text(within)
        near = self._by_vector(within)
        # What was found and is gone counts here: behind it there may be more.
        exhausted = len(text) < wanted.depth and (wanted.vector is None or len(near) < wanted.depth)
        self._rows = documents.briefly(self._connection, dict.fromkeys([*text, *(id_ for id_, _ in near)]))
        self._similar = {id_: score for id_, score in near if id_ in self._rows}
        self._near = dict.fromkeys(self._similar)
        text = {id_: score for id_, score in text.items() if id_ in self._rows}
        first, cut = self._best(text)
        while self._stale(first):
            first, cut = self._best(text)
        return Candidates([self._candidate(id_, score, text) for id_, score in first], exhausted, cut)

    def _best(self, text: dict[int, float]) -> tuple[Sequence[tuple[int, float]], bool]:
        """Ids and scores, best first, as many as are to be shown; and whether there are more."""
        wanted = self._wanted
        scores = self._scores(text)
        if wanted.neighbor_weight > 0:
            scores = self._lent(scores, text)
        if wanted.query is not None and wanted.vector is not None:
            scores = {id_: score + self._speaker_share(id_) for id_, score in scores.items()}
        ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        first = ordered[: wanted.shown]
        return first, len(first) < len(ordered)

    def _stale(self, first: Sequence[tuple[int, float]]) -> bool:
        """Compares the vectors of the first with the rows, which count; whether an index answered with something else."""
        asked = [id_ for id_, _ in first if id_ in self._similar and id_ not in self._sure]
        if self._vector is None or not asked:
            return False
        from memslot_index.vectors.scores import compare  # noqa: PLC0415 - only where there are vectors

        there, vectors = vector_rows.arrays(self._connection, asked)
        true = dict(zip(there.tolist(), compare(vectors, self._vector).tolist(), strict=True)) if len(there) else {}
        self._sure.update(asked)
        wrong = [id_ for id_ in asked if abs(true.get(id_, 2.0) - self._similar[id_]) > _STALE]
        for id_ in wrong:
            if id_ in true:
                self._similar[id_] = true[id_]
            else:
                del self._similar[id_]
        return bool(wrong)

    def _candidate(self, id_: int, score: float, text: Mapping[int, float]) -> Candidate:
        row, own = self._rows[id_], self._own.get(id_, 0.0)
        return Candidate(
            id=id_,
            name=row.name,
            revision=row.revision,
            score=score,
            by_text=id_ in text,
            by_vector=id_ in self._near and id_ in self._similar,
            by_neighbor=self._wanted.neighbor_weight > 0 and score - own > own,
        )

    def _by_text(self, within: Sequence[int] | None) -> dict[int, float]:
        query = self._wanted.query
        if query is None:
            return {}
        space = self._space
        return dict(self._fulltext.search(query, space.low, space.high, self._wanted.depth, within))

    def _by_vector(self, within: Sequence[int] | None) -> list[tuple[int, float]]:
        vector = self._wanted.vector
        if vector is None or not self._space.dimensions:
            return []
        if self._wanted.centre:
            vector = self._vector = self._vectors.centred(self._space, self._wanted.kind, vector)
        import numpy as np  # noqa: PLC0415 - only where there are vectors

        only = None if within is None else np.array(within, dtype=np.int64)
        return self._vectors.search(self._space, self._wanted.kind, vector, self._wanted.depth, only)

    def _learn(self, ids: Sequence[int]) -> None:
        """Reads the documents of ids, and how similar their vectors are; what the rows do not confirm is left out."""
        new = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._rows]
        self._rows.update(documents.briefly(self._connection, new))
        vector = self._vector
        if vector is None or not new:
            return
        from memslot_index.vectors.scores import compare  # noqa: PLC0415 - only where there are vectors

        there, vectors = vector_rows.arrays(self._connection, new)
        if len(there):
            self._similar.update(zip(there.tolist(), compare(vectors, vector).tolist(), strict=True))

    def _scores(self, text: dict[int, float]) -> dict[int, float]:
        if self._wanted.vector is None:
            self._own = text
        elif self._wanted.query is None:
            self._own = dict(self._similar)
        else:
            words = fusion.by_text(text, self._wanted.query.terms, self._documents)
            self._own = fusion.combined(words, fusion.by_vector(self._similar, self._near))
        return self._own

    def _speaker_share(self, id_: int) -> float:
        """What a turn of a conversation gains when the query names who speaks."""
        speaker = self._rows[id_].speaker
        named = bool(speaker) and self._wanted.mentioned.issuperset(tokens(speaker))
        return fusion.SPEAKER_SHARE if named else 0.0

    def _lent(self, scores: dict[int, float], text: dict[int, float]) -> dict[int, float]:
        beside = documents.links(self._connection, scores)
        around = list(
            dict.fromkeys(id_ for pair in beside.values() for id_ in pair if id_ is not None and id_ not in scores)
        )
        beside |= documents.links(self._connection, around)
        if around:
            if self._wanted.query is not None:
                text.update(self._fulltext.scores(self._wanted.query, around))
            self._learn(around)
            scores = self._scores(text) | {id_: 0.0 for id_ in around if id_ not in self._own}
        found = neighbors.lent(scores, beside, self._wanted.neighbor_weight)
        return {id_: found[id_] for id_ in scores}
