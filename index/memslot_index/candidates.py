"""Who may be meant by a search: ids from words and vectors, their scores made one. Whoever asked confirms them against the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import apsw

from memslot_index import fusion, neighbors
from memslot_index.beside import Beside
from memslot_index.database import documents, vector_rows
from memslot_index.database.spaces import Space
from memslot_index.database.words import fulltext
from memslot_index.fulltext.analysis import tokens
from memslot_index.fulltext.query import TextQuery
from memslot_index.fulltext.table import Match
from memslot_index.nearest import Nearest, completed
from memslot_index.vector_spaces import VectorSpaces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Near: TypeAlias = list[tuple[int, float]]
"""Ids and similarities of the nearest, best first."""

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
    """A document, its score, and what led to it; ``fields`` are those in which the words were found."""

    id: int
    name: str
    revision: int
    score: float
    fields: tuple[str, ...] = ()
    by_vector: bool = False
    by_neighbor: bool = False


@dataclass(frozen=True, slots=True)
class Candidates:
    """Best first. ``exhausted`` when a greater depth would give no more; ``cut`` when more were known than shown.

    ``oldest_waiting`` is the lowest revision that waits for a vector; 0 when none does, or none was asked for.
    """

    items: Sequence[Candidate] = field(default_factory=list)
    exhausted: bool = True
    cut: bool = False
    oldest_waiting: int = 0


class Search:
    """One search on one connection, which sees one state of the index. With ``beside`` words and vectors are searched at the same time."""

    def __init__(
        self,
        connection: apsw.Connection,
        space: Space,
        vectors: VectorSpaces,
        wanted: Wanted,
        documents_in_all: int,
        beside: Beside | None = None,
    ) -> None:
        self._connection = connection
        self._fulltext = fulltext(connection, space.words, space.shift)
        self._space = space
        self._vectors = vectors
        self._wanted = wanted
        self._documents = documents_in_all
        self._beside = beside
        self._vector = wanted.vector
        self._fields: dict[int, tuple[str, ...]] = {}
        self._speaking: dict[int, str] = {}
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
        text, near = self._found(within)
        # What was found and is gone counts here: behind it there may be more.
        exhausted = len(text) < wanted.depth and (wanted.vector is None or len(near) < wanted.depth)
        there = vector_rows.there(self._connection, [id_ for id_, _ in near])
        self._similar = {id_: score for id_, score in near if id_ in there}
        self._near = dict.fromkeys(self._similar)
        self._hear([*text, *self._similar])
        first, cut = self._best(text)
        while self._stale(first):
            first, cut = self._best(text)
        return Candidates(self._shown(first), exhausted, cut, self._oldest_waiting())

    def _found(self, within: Sequence[int] | None) -> tuple[dict[int, float], Near]:
        """What words and what vectors find."""
        near = None
        if self._beside is not None and self._wanted.query is not None and self._wanted.vector is not None:
            near = self._beside.begin(lambda: self._by_vector(within))
        try:
            text = self._by_text(within)
            found = self._by_vector(within) if near is None else near.result()
        finally:
            if near is not None:
                near.leave()
        return text, self._completed(found, within)

    def _best(self, text: dict[int, float]) -> tuple[Sequence[tuple[int, float]], bool]:
        """Ids and scores, best first, as many as are to be shown; and whether there are more."""
        scores = self._scores(text)
        if self._wanted.neighbor_weight > 0:
            scores = self._lent(scores, text)
        if self._speaking:
            scores = {id_: score + self._speaker_share(id_) for id_, score in scores.items()}
        ordered = sorted((-score, id_) for id_, score in scores.items())
        first = [(id_, -negative) for negative, id_ in ordered[: self._wanted.shown]]
        return first, len(first) < len(ordered)

    def _stale(self, first: Sequence[tuple[int, float]]) -> bool:
        """Compares the vectors of the first with the rows, which count; whether an index answered with something else."""
        asked = [id_ for id_, _ in first if id_ in self._similar and id_ not in self._sure]
        if self._vector is None or not asked:
            return False
        true = self._true(asked)
        self._sure.update(asked)
        wrong = [id_ for id_ in asked if abs(true.get(id_, 2.0) - self._similar[id_]) > _STALE]
        for id_ in wrong:
            if id_ in true:
                self._similar[id_] = true[id_]
            else:
                del self._similar[id_]
        return bool(wrong)

    def _true(self, ids: Sequence[int]) -> dict[int, float]:
        """How similar those of ``ids`` are that have a vector, by the rows."""
        from memslot_index.vectors.scores import compare  # noqa: PLC0415 - only where there are vectors

        there, vectors = vector_rows.arrays(self._connection, ids)
        if self._vector is None or not len(there):
            return {}
        return dict(zip(there.tolist(), compare(vectors, self._vector).tolist(), strict=True))

    def _shown(self, first: Sequence[tuple[int, float]]) -> list[Candidate]:
        rows = documents.briefly(self._connection, [id_ for id_, _ in first])
        return [self._candidate(rows[id_], score) for id_, score in first if id_ in rows]

    def _candidate(self, row: documents.Brief, score: float) -> Candidate:
        own = self._own.get(row.id, 0.0)
        return Candidate(
            id=row.id,
            name=row.name,
            revision=row.revision,
            score=score,
            fields=self._fields.get(row.id, ()),
            by_vector=row.id in self._near and row.id in self._similar,
            by_neighbor=self._wanted.neighbor_weight > 0 and score - own > own,
        )

    def _oldest_waiting(self) -> int:
        if self._wanted.vector is None:
            return 0
        return documents.oldest_waiting(self._connection, self._space.id)

    def _by_text(self, within: Sequence[int] | None) -> dict[int, float]:
        query, space = self._wanted.query, self._space
        if query is None:
            return {}
        return self._matched(self._fulltext.search(query, space.low, space.high, self._wanted.depth, within))

    def _matched(self, matches: Iterable[Match]) -> dict[int, float]:
        scores = {}
        for id_, score, fields in matches:
            scores[id_], self._fields[id_] = score, fields
        return scores

    def _by_vector(self, within: Sequence[int] | None) -> Nearest | None:
        """The nearest by what compares vectors; None where there are none, or none was asked for."""
        vector = self._wanted.vector
        if vector is None or not self._space.dimensions:
            return None
        if self._wanted.centre:
            vector = self._vector = self._vectors.centred(self._space, self._wanted.kind, vector)
        return self._vectors.search(self._space, self._wanted.kind, vector, self._wanted.depth, _array(within))

    def _completed(self, found: Nearest | None, within: Sequence[int] | None) -> Near:
        """The nearest by the rows of this connection, too: what compares them may have to hear of some."""
        if found is None or self._vector is None:
            return []
        near = completed(found, self._connection, self._space, self._vector, self._wanted.depth, _array(within))
        return list(zip(near.ids.tolist(), near.scores.tolist(), strict=True))

    def _hear(self, ids: Sequence[int]) -> None:
        """Reads who speaks, where a question may name somebody and somebody speaks at all."""
        wanted = self._wanted
        if wanted.query is None or wanted.vector is None or not wanted.mentioned:
            return
        if documents.anybody_speaks(self._connection, self._space.id):
            self._speaking.update(documents.speakers(self._connection, ids))

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
        speaker = self._speaking.get(id_, "")
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
                text.update(self._matched(self._fulltext.among(self._wanted.query, around)))
            if self._vector is not None:
                self._similar.update(self._true([id_ for id_ in around if id_ not in self._similar]))
            self._hear(around)
            scores = self._scores(text) | {id_: 0.0 for id_ in around if id_ not in self._own}
        found = neighbors.lent(scores, beside, self._wanted.neighbor_weight)
        return {id_: found[id_] for id_ in scores}


def _array(within: Sequence[int] | None) -> NDArray[np.int64] | None:
    import numpy as np  # noqa: PLC0415 - only where there are vectors

    return None if within is None else np.array(within, dtype=np.int64)
