"""The scenarios as they stand in the files beside this one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SCHEMA = FOLDER / "schema" / "scenario.schema.json"

Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One promise with the steps that show it. ``name`` is `file/name`."""

    name: str
    promise: str
    steps: tuple[Step, ...]
    settings: dict[str, Any] | None = None
    door: str = "tcp"
    open_at_start: bool = True


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios, by file and in the order of the file."""
    return tuple(scenario for file in files() for scenario in _of(file))


def files() -> list[Path]:
    """The scenario files."""
    return sorted(FOLDER.glob("*.json"))


def walk(steps: tuple[Step, ...] | list[Step]) -> Iterator[Step]:
    """Every step, those within other steps included."""
    for step in steps:
        yield step
        for branch in step.get("together", ()):
            yield from walk(branch)


def _of(file: Path) -> Iterator[Scenario]:
    for told in json.loads(file.read_text(encoding="utf-8"))["scenarios"]:
        yield Scenario(
            name=f"{file.stem}/{told['name']}",
            promise=told["promise"],
            steps=tuple(told["steps"]),
            settings=told.get("settings"),
            door=told.get("door", "tcp"),
            open_at_start=told.get("open", True),
        )
