"""Full-text tables with documents to find."""

from __future__ import annotations

import apsw

from memslot_index.fulltext.query import parse
from memslot_index.fulltext.table import Document, FullText

LOW, HIGH = 7 << 32, (8 << 32) - 1
"""The ids of one namespace."""


def document(local: int, body: str = "", **fields: str | tuple[str, ...]) -> Document:
    """A document of the namespace."""
    return Document(
        **({"id": LOW + local, "name": "", "description": "", "tags": (), "task_type": "", "body": body} | fields)
    )  # type: ignore[arg-type]


def empty() -> FullText:
    """A table in memory without documents."""
    table = FullText(apsw.Connection(":memory:"))
    table.create()
    return table


def of(*bodies: str) -> FullText:
    """A table of one document for each body, numbered from 0."""
    table = empty()
    table.put([document(local, body) for local, body in enumerate(bodies)])
    return table


def of_names(*names: str) -> FullText:
    """A table of one document for each name, numbered from 0."""
    table = empty()
    table.put([document(local, name=name) for local, name in enumerate(names)])
    return table


def found(table: FullText, text: str, limit: int = 100) -> list[int]:
    """The numbers of the documents that ``text`` finds, best first."""
    query = parse(text)
    return [] if query is None else [match.id - LOW for match in table.search(query, LOW, HIGH, limit)]


def finds(body: str, text: str) -> bool:
    """Whether a document of ``body`` is found by ``text``, beside another that is not."""
    return found(of(body, "unrelated"), text) == [0]


def unsound(table: FullText) -> list[str]:
    """What is wrong with a table, a line each."""
    lines = [row[0] for row in table._execute("PRAGMA integrity_check").fetchall()]
    return [] if lines == ["ok"] else lines
