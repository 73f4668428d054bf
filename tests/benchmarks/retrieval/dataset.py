"""What is searched and what is to be found: slots and questions from JSON Lines, whose fields are told by :data:`SLOT_FIELDS` and
:data:`QUERY_FIELDS`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")


SLOT_FIELDS = {
    "namespace": "where it is written; what is searched together has the same: a conversation, a person's diary (needed)",
    "slot": "its name, unique in its namespace (needed)",
    "text": "its body as plain text; a turn of a conversation begins with who speaks, as in 'Ana: Yes, I did.'",
    "body": "in place of text: any JSON, written as application/json",
    "description": "what it is about in a few words, e.g. the date of the session; searched too",
    "task_type": "what the slots that may be neighbours have in common, e.g. 'conversation'",
    "tags": "a list of words",
    "order": "a number; slots are written by it, and neighbours are made by that (without: as they stand in the files)",
}
QUERY_FIELDS = {
    "namespace": "where to search (needed)",
    "query": "the question (needed)",
    "relevant": "the names of the slots that answer it, at least one (needed)",
    "kind": "a group of questions; --kinds tells their figures",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot to write. ``value`` is a text, or anything that JSON can say."""

    namespace: str
    name: str
    value: Any
    description: str | None = None
    task_type: str | None = None
    tags: tuple[str, ...] = ()
    order: float = 0


@dataclass(frozen=True, slots=True)
class Query:
    """A question, and the names of the slots that answer it. ``source`` is the file that it came from."""

    namespace: str
    text: str
    relevant: frozenset[str]
    kind: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Slots in the order of writing, and the questions about them."""

    slots: tuple[Slot, ...]
    queries: tuple[Query, ...]

    def __str__(self) -> str:
        return f"{len(self.slots)} slots in {len(self.by_namespace())} namespaces, {len(self.queries)} questions"

    def by_namespace(self) -> dict[str, list[Slot]]:
        """The slots of each namespace, in the order of writing."""
        spaces: dict[str, list[Slot]] = {}
        for slot in self.slots:
            spaces.setdefault(slot.namespace, []).append(slot)
        return spaces


def own() -> tuple[list[Path], list[Path]]:
    """The files of the repository: of slots, and of questions."""
    return sorted(DATA.glob("*_slots.jsonl")), sorted(DATA.glob("*_queries.jsonl"))


def load(slot_files: Sequence[Path], query_files: Sequence[Path]) -> Dataset:
    """Reads a dataset. Raises ValueError for a line that cannot be used, and for a question that no slot answers."""
    slots = [_slot(line) for path in slot_files for line in _lines(path, SLOT_FIELDS)]
    queries = [_query(line, path) for path in query_files for line in _lines(path, QUERY_FIELDS)]
    slots.sort(key=lambda slot: slot.order)
    _check(slots, queries)
    return Dataset(tuple(slots), tuple(queries))


def _check(slots: Iterable[Slot], queries: Iterable[Query]) -> None:
    known: set[tuple[str, str]] = set()
    for slot in slots:
        if (slot.namespace, slot.name) in known:
            raise ValueError(f"{slot.namespace} has two slots {slot.name!r}")
        known.add((slot.namespace, slot.name))
    for query in queries:
        if missing := {name for name in query.relevant if (query.namespace, name) not in known}:
            raise ValueError(f"{query.source}: {query.text!r} wants {sorted(missing)}, which {query.namespace} has not")


def _slot(line: dict[str, Any]) -> Slot:
    return Slot(
        namespace=line["namespace"],
        name=line["slot"],
        value=line["text"] if "text" in line else line["body"],
        description=line.get("description"),
        task_type=line.get("task_type"),
        tags=tuple(line.get("tags") or ()),
        order=line.get("order", 0),
    )


def _query(line: dict[str, Any], path: Path) -> Query:
    if not line["relevant"]:
        raise ValueError(f"{path.name}: {line['query']!r} has no relevant slot: leave such questions out")
    source = path.stem.removesuffix("_queries")
    return Query(line["namespace"], line["query"], frozenset(line["relevant"]), line.get("kind", ""), source)


def _lines(path: Path, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield _checked(json.loads(line), fields)
                except ValueError as error:
                    raise ValueError(f"{path.name}, line {number}: {error}") from error


def _checked(line: Any, fields: Mapping[str, str]) -> dict[str, Any]:
    """A line with all that it needs; what is not known would be lost in silence, and is refused."""
    if not isinstance(line, dict):
        raise ValueError("is no JSON object")
    needed = [name for name, said in fields.items() if said.endswith("(needed)")]
    if missing := [name for name in needed if name not in line]:
        raise ValueError(f"has no {', '.join(missing)}")
    if "text" in fields and ("text" in line) == ("body" in line):
        raise ValueError("must have one of text and body")
    if unknown := sorted(set(line) - set(fields)):
        raise ValueError(f"has {', '.join(unknown)}: known are {', '.join(fields)}")
    return line
