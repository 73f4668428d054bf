"""The table of a run: what each scenario came to on each face."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.conformance.faces import FACES

SAME, DIFFERENT, NOT_OFFERED, NOT_RUN = "ok", "DIFFERS", "-", "skipped"
KEY = "conformance"
Table = Mapping[str, Mapping[str, str]]
"""By scenario and face."""


def rendered(table: Table) -> str:
    """The table as text, a line a scenario, with totals below."""
    ran = {face for row in table.values() for face in row}
    faces = [face.name for face in FACES if face.name in ran]
    width = max((len(name) for name in table), default=0)
    lines = [f"{'':{width}}  " + "  ".join(f"{face:>10}" for face in faces)]
    for name, row in sorted(table.items()):
        lines.append(f"{name:{width}}  " + "  ".join(f"{row.get(face, ''):>10}" for face in faces))
    for verdict in (SAME, DIFFERENT, NOT_OFFERED, NOT_RUN):
        counts = [sum(row.get(face) == verdict for row in table.values()) for face in faces]
        if any(counts):
            lines.append(f"{verdict:{width}}  " + "  ".join(f"{count:>10}" for count in counts))
    return "\n".join(lines)


def write(table: Table, folder: Path) -> None:
    """Leaves the table as `conformance.txt` and `conformance.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conformance.txt").write_text(rendered(table) + "\n", encoding="utf-8")
    (folder / "conformance.json").write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")
