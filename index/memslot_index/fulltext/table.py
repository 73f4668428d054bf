"""The full-text table: in which documents a word stands, and where, but no text of them."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

import apsw
import orjson

from memslot_index.fulltext import few
from memslot_index.fulltext.analysis import TOKENIZER, name_words, words
from memslot_index.fulltext.query import TextQuery

FIELDS = ("name", "description", "tags", "task_type", "body")
WEIGHTS = (4.0, 2.0, 3.0, 2.0, 1.0)
"""What a word counts in each of the fields."""

_COLUMNS = ", ".join(FIELDS)
_VALUES = ", ".join(f"value ->> {number}" for number in range(len(FIELDS) + 1))
_ALL = -(2**63), 2**63 - 1
_BITS = [1 << number for number in range(len(FIELDS))]
_FIELDS_OF = [tuple(compress(FIELDS, map(mask.__and__, _BITS))) for mask in range(1 << len(FIELDS))]


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a document, as its writer put it; ``body`` is the text of the body."""

    id: int
    name: str
    description: str
    tags: tuple[str, ...]
    task_type: str
    body: str


class Match(NamedTuple):
    """A document that a query matches; ``fields`` hold one of the query's terms, in the order of FIELDS."""

    id: int
    score: float
    fields: tuple[str, ...]


class FullText:
    """An FTS5 table on ``connection``, whose owner begins and ends the transactions. Ids have 64 bits, with sign.

    A row's number is its document's id less ``shift``: what is small is found faster, and takes less room.
    Each method raises :class:`apsw.Error` when the database fails, and is to be called by one thread at a time.
    """

    def __init__(self, connection: apsw.Connection, table: str = "fulltext", shift: int = 0) -> None:
        self._execute = connection.execute
        self._changes = connection.total_changes
        self._shift = shift
        self._table = _quoted(table)
        self._config = _quoted(f"{table}_config")
        self._lengths = _quoted(f"{table}_docsize")
        self._select, self._score = _select(self._table), _score(self._table)

    def create(self) -> None:
        """Makes the table unless it is there."""
        self._execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS {self._table}"
            f" USING fts5({_COLUMNS}, content='', contentless_delete=1, tokenize=\"{TOKENIZER}\")"
        )
        # A part of the index is merged once half of it is deleted; by default a tenth, which makes an overwrite cost twice as much.
        self._set("deletemerge", 50)

    def put(self, documents: Sequence[Document]) -> None:
        """Inserts ``documents``, or replaces those of their ids. Of several with one id the last one stays."""
        rows = orjson.dumps([(document.id - self._shift, *_texts(document)) for document in documents]).decode()
        # One statement: the interpreter's lock is free while SQLite goes through the rows.
        self._execute(f"REPLACE INTO {self._table}(rowid, {_COLUMNS}) SELECT {_VALUES} FROM json_each(?)", (rows,))  # noqa: S608

    def remove(self, ids: Iterable[int]) -> None:
        """Removes documents. Those that are not there do not matter."""
        self._execute(f"DELETE FROM {self._table} WHERE rowid IN (SELECT value FROM json_each(?))", (self._rows(ids),))  # noqa: S608

    def search(
        self, query: TextQuery, low: int, high: int, limit: int, within: Collection[int] | None = None
    ) -> list[Match]:
        """The ``limit`` best matches with an id from ``low`` to ``high``, both included, best first.

        With ``within``, only of these ids. A score is BM25 over all documents of the table, and above zero. Of equal ones the lower id
        comes first.
        """
        documents = self._few()
        if documents is None:
            return self._matching(query, low, high, within, "ORDER BY score, rowid LIMIT ?", limit)
        scores = self._among_few(query, documents, low, high, within)
        best = heapq.nsmallest(limit, ((-score, id_) for id_, score in scores.items()))
        found = {match.id: match for match in self._matching(query, low, high, [id_ for _, id_ in best])}
        return [found[id_]._replace(score=-negative) for negative, id_ in best]

    def among(self, query: TextQuery, ids: Collection[int]) -> list[Match]:
        """Those of ``ids`` that match, in no order."""
        return self.search(query, *_ALL, len(ids), ids) if ids else []

    def merge(self, pages: int) -> bool:
        """Makes one part of the index of two that are about as large, of which about so many pages are written now; whether there is more to do.

        It goes on where it ended, and ends where no two parts are alike: a word is rewritten at most as often as the number of times
        that words were written can be halved. What ends sooner than that is the pages of a word, which are written at once.
        """
        if not self._execute(f"SELECT 1 FROM {self._config} WHERE k = 'usermerge'").fetchall():  # noqa: S608
            self._set("usermerge", 2)
        before = self._changes()
        self._set("merge", pages)
        # As SQLite's documentation has it: one row is the command itself.
        return self._changes() - before >= 2

    def wipe(self) -> None:
        """Rewrites the index without the words of removed documents, which stay in it until then.

        The pages that held them become free; the caller empties these (VACUUM) and the log.
        """
        self._command("optimize")

    def clear(self) -> None:
        """Removes all documents and all that was counted of them."""
        self._command("delete-all")

    def _matching(
        self, query: TextQuery, low: int, high: int, within: Collection[int] | None, end: str = "", *last: int
    ) -> list[Match]:
        condition, rows = "", tuple[str, ...]()
        if within is not None:
            if not within:
                return []
            low, high = max(low, min(within)), min(high, max(within))
            # The plus sign keeps SQLite from running the query once for each id.
            condition, rows = "AND +rowid IN (SELECT value FROM json_each(?))", (self._rows(within),)
        found = self._execute(
            f"{self._select} WHERE {self._table} MATCH ? AND rowid BETWEEN ? AND ? {condition} {end}",
            (query.match(), low - self._shift, high - self._shift, *rows, *last),
        )
        return [Match(row + self._shift, -score, _FIELDS_OF[mask]) for row, score, mask in found]

    def _few(self) -> int | None:
        """How many documents there are, if these are few."""
        count = self._count(f"(SELECT 1 FROM {self._lengths} LIMIT ?)", few.LIMIT)  # noqa: S608
        return count if count < few.LIMIT else None

    def _among_few(
        self, query: TextQuery, documents: int, low: int, high: int, within: Collection[int] | None
    ) -> dict[int, float]:
        """The scores of all that match. Each word is looked for by itself: of several together FTS5 tells only the sum."""
        if within is not None:
            low, high = max(low, min(within, default=low)), min(high, max(within, default=low))
        scores: dict[int, float] = {}
        span = low - self._shift, high - self._shift
        for part in query.parts():
            holding = self._count(f"{self._table} WHERE {self._table} MATCH ?", part)
            correction = few.correction(documents, holding) if holding else 0.0
            for row, score in self._execute(self._score, (part, *span)):
                scores[row] = scores.get(row, 0.0) - score * correction
        if query.phrases:
            asked = f"SELECT rowid FROM {self._table} WHERE {self._table} MATCH ? AND rowid BETWEEN ? AND ?"  # noqa: S608
            scores = {row: scores[row] for (row,) in self._execute(asked, (query.match(), *span))}
        found = {row + self._shift: score for row, score in scores.items()}
        return found if within is None else {id_: found[id_] for id_ in set(within) & found.keys()}

    def _count(self, rows: str, given: str | int) -> int:
        counts: Any = self._execute(f"SELECT count(*) FROM {rows}", (given,)).fetchall()  # noqa: S608
        return int(counts[0][0])

    def _rows(self, ids: Iterable[int]) -> str:
        return orjson.dumps([id_ - self._shift for id_ in ids]).decode()

    def _set(self, name: str, value: int) -> None:
        self._execute(f"INSERT INTO {self._table}({self._table}, rank) VALUES (?, ?)", (name, value))  # noqa: S608

    def _command(self, command: str) -> None:
        self._execute(f"INSERT INTO {self._table}({self._table}) VALUES (?)", (command,))  # noqa: S608


@lru_cache(maxsize=1024)
def _select(table: str) -> str:
    """Begins a statement that tells of each match what :class:`Match` has: the score is negative, the fields are bits.

    With a limit SQLite works out the fields of those alone that may be among the best.
    """

    def only(*fields: str) -> str:
        return f"{_weighed(table, (field in fields for field in FIELDS))} < 0"

    *others, body = (f"{bit} * ({only(field)})" for bit, field in zip(_BITS, FIELDS, strict=True))
    fields = f"{body} + CASE WHEN {only(*FIELDS[:-1])} THEN {' + '.join(others)} ELSE 0 END"
    return f"SELECT rowid, {_weighed(table, WEIGHTS)} AS score, {fields} FROM {table}"  # noqa: S608


@lru_cache(maxsize=1024)
def _score(table: str) -> str:
    """The scores of what matches between two rows."""
    return f"SELECT rowid, {_weighed(table, WEIGHTS)} FROM {table} WHERE {table} MATCH ? AND rowid BETWEEN ? AND ?"  # noqa: S608


def _weighed(table: str, weights: Iterable[float]) -> str:
    return f"bm25({table}, {', '.join(str(float(weight)) for weight in weights)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _texts(document: Document) -> tuple[str, str, str, str, str]:
    return (
        name_words(document.name),
        words(document.description),
        "\n".join(map(name_words, document.tags)),
        name_words(document.task_type),
        words(document.body),
    )
