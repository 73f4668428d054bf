"""Reading files of lines from their end."""

from __future__ import annotations

import os
from collections.abc import Iterator

_BLOCK_BYTES = 65_536
_LINE_LIMIT_BYTES = 1 << 20


def lines_from_end(fd: int, end: int) -> Iterator[bytes]:
    """The lines of a file before the offset ``end``, last one first, without their newlines.

    Of a line above 1 MiB, which nobody wrote as such, comes a beginning with a NUL behind it.
    """
    rest = b""
    while end > 0:
        start = max(0, end - _BLOCK_BYTES)
        first, *lines = (os.pread(fd, end - start, start) + rest).split(b"\n")
        yield from (line for line in reversed(lines) if line)
        rest, end = first if len(first) <= _LINE_LIMIT_BYTES else b"\0", start
    if rest:
        yield rest


def whole_lines_end(fd: int, size: int) -> int:
    """The offset after the last newline."""
    end = size
    while end > 0:
        start = max(0, end - _BLOCK_BYTES)
        newline = os.pread(fd, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
