"""Reading an audit trail back from its files."""

from __future__ import annotations

import errno
import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from memslot_sidecar.audit.readback import is_event, json_object


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that should be an event and is none: where, and whether it is the torn last line of its file (a crash or a write under way)."""

    file: str
    line: int
    torn: bool


class Trail:
    """The events of files, oldest file first, whatever order they are given in; compressed ones (``.gz``) too. A folder is its series of files.

    Lines that do not start with ``{``, or are of another log, are passed over: standard output may hold other things. Reading raises OSError.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = sorted((file for path in files for file in _series(path)), key=_begun)
        self.lines = 0
        self.damages: list[Damage] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for path in self._files:
            with _opened(path) as file:
                for number, line in enumerate(file, start=1):
                    if not line.startswith(b"{"):
                        continue
                    fields = json_object(line)
                    if fields is None or (fields.get("log") == "audit" and not is_event(fields)):
                        self.damages.append(Damage(str(path), number, torn=not line.endswith(b"\n")))
                    elif fields.get("log") == "audit":
                        self.lines += 1
                        yield fields


def _series(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    # Their names begin with the time at which each began.
    found = sorted(path.glob("audit-*.jsonl*"))
    if not found:
        raise FileNotFoundError(errno.ENOENT, "no file audit-*.jsonl is in this folder", str(path))
    return found


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read; whatever is wrong with it is an OSError that names it."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield cast("BinaryIO", file)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise OSError(errno.EIO, f"the compressed file is damaged or cut off: {error}", str(path)) from None


def _begun(path: Path) -> tuple[str, int]:
    """Where a file stands in the trail: the time of its first line, and its number, which tells where a clock stood still."""
    with _opened(path) as file:
        for line in file:
            fields = json_object(line) if line.startswith(b"{") else None
            if fields is not None and fields.get("log") == "audit" and is_event(fields):
                return fields["time"], fields["sequence"]
    return "", 0
