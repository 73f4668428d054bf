"""Slots written into the index: their rows, their words, and the vectors that their writers sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import apsw

from memslot_index.changes import Entry, digest_of, embedded_text
from memslot_index.database import documents, vector_rows
from memslot_index.database.documents import Row
from memslot_index.database.spaces import Space, Spaces
from memslot_index.fulltext.table import Document, FullText


@dataclass(frozen=True, slots=True)
class Put:
    """What putting entries did to documents that were there: ids of those with another text, and of these, whose vector no longer fits."""

    changed: Sequence[int] = ()
    stale: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Putting:
    """Puts entries in a transaction; vectors are as of ``seq``."""

    connection: apsw.Connection
    fulltext: FullText
    spaces: Spaces
    seq: int

    def put(self, space: Space, entries: Sequence[Entry], known: Mapping[str, Row]) -> Put:
        """Creates or replaces the documents of ``entries``; ``known`` are those of them that are there, by name."""
        if not entries:
            return Put()
        rows = self._rows(space, entries, known)
        documents.put(self.connection, rows)
        self.fulltext.put(
            [
                Document(row.id, entry.name, entry.description, entry.tags, entry.task_type, entry.text)
                for row, entry in zip(rows, entries, strict=True)
            ]
        )
        other = [row for row in rows if row.name not in known or not _same(row, known[row.name])]
        new = {row.id for row in other}
        sent = [
            (row.id, entry.vector)
            for row, entry in zip(rows, entries, strict=True)
            if entry.vector is not None and row.id in new
        ]
        if sent:
            vector_rows.put(self.connection, sent, self.seq)
        replaced = {id_ for id_, _ in sent}
        changed = [row.id for row in other if row.name in known]
        return Put(changed, [id_ for id_ in changed if id_ not in replaced])

    def _rows(self, space: Space, entries: Sequence[Entry], known: Mapping[str, Row]) -> list[Row]:
        new = [entry.name for entry in entries if entry.name not in known]
        ids = dict(zip(new, self.spaces.take_ids(space, len(new)), strict=True))
        ids.update((name, row.id) for name, row in known.items())
        return [_row(space, ids[entry.name], entry, known.get(entry.name)) for entry in entries]


def _row(space: Space, id_: int, entry: Entry, before: Row | None) -> Row:
    """The document of an entry; its vector is kept, or goes on being waited for, while it would be made of the same."""
    digest = _digest(entry)
    same = before is not None and digest != "" and digest == before.digest
    kept = before if same else None
    return Row(
        id=id_,
        space=space.id,
        name=entry.name,
        revision=entry.revision,
        created=entry.created,
        task_type=entry.task_type,
        digest=digest,
        waiting=entry.embed and entry.vector is None if kept is None else kept.waiting,
        truncated=kept is not None and kept.truncated,
        speaker=entry.speaker,
        context=0 if kept is None else kept.context,
    )


def _same(row: Row, before: Row) -> bool:
    return row.digest != "" and row.digest == before.digest


def _digest(entry: Entry) -> str:
    if entry.vector is not None:
        return "w" + digest_of(entry.vector.hex())
    return digest_of(embedded_text(entry.name, entry.description, entry.text)) if entry.embed else ""
