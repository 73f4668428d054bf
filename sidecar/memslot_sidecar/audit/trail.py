"""Reading an audit trail back from its files."""

from __future__ import annotations

import errno
import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that is no event: where, and whether it is the torn last line of its file (a crash or a write under way)."""

    file: str
    line: int
    torn: bool


class Trail:
    """The events of files, oldest file first, whatever order they are given in; compressed ones (``.gz``) too. A folder is its series of files.

    Lines that do not start with ``{``, or are of another log, are passed over: standard output may hold other things. Reading raises OSError.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = sorted((file for path in files for file in _series(path)), key=_first_time)
        self.lines = 0
        self.damages: list[Damage] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for path in self._files:
            with _opened(path) as file:
                for number, line in enumerate(file, start=1):
                    event = _event(line)
                    if event is not None:
                        self.lines += 1
                        yield event
                    elif line.startswith(b"{") and not _is_json(line):
                        self.damages.append(Damage(str(path), number, torn=not line.endswith(b"\n")))


def _series(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    # Their names begin with the time at which each began.
    found = sorted(path.glob("audit-*.jsonl*"))
    if not found:
        raise FileNotFoundError(errno.ENOENT, "no file audit-*.jsonl is in this folder", str(path))
    return found


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path) if path.suffix == ".gz" else path.open("rb"))


def _first_time(path: Path) -> str:
    with _opened(path) as file:
        return next((str(event["time"]) for event in map(_event, file) if event is not None), "")


def _event(line: bytes) -> dict[str, Any] | None:
    if not line.startswith(b"{"):
        return None
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, dict) and event.get("log") == "audit" else None


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True
