"""What is searched and what is to be found: slots and questions from JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot to write. ``value`` is a text, or anything that JSON can say."""

    namespace: str
    name: str
    value: Any
    description: str | None = None
    task_type: str | None = None
    tags: tuple[str, ...] = ()
    order: int = 0


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
    slots = [_slot(line) for path in slot_files for line in _lines(path)]
    queries = [_query(line, path) for path in query_files for line in _lines(path)]
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
        tags=tuple(line.get("tags", ())),
        order=line.get("order", 0),
    )


def _query(line: dict[str, Any], path: Path) -> Query:
    if not line["relevant"]:
        raise ValueError(f"{path.name}: {line['query']!r} has no relevant slot")
    source = path.stem.removesuffix("_queries")
    return Query(line["namespace"], line["query"], frozenset(line["relevant"]), line.get("kind", ""), source)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path.name}, line {number}: {error}") from error
