"""Graphs in files: the library's own format, and behind it a trailer that says whether the file is whole and what it holds."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import astuple, dataclass
from pathlib import Path

from memslot_index.vectors.graph import Graph

_FORMAT = struct.Struct("<8sIQqIQQI")
_MAGIC = b"memslotG"
_CHUNK = 1 << 20


class GraphRefused(ValueError):
    """A saved graph is torn, or one of something else. It has to be built anew from the table of vectors."""


@dataclass(frozen=True, slots=True)
class Trailer:
    """What is known of a saved graph: up to which ``seq`` of the table it goes, and how it is to be searched."""

    magic: bytes
    dimensions: int
    count: int
    seq: int
    expansion: int
    calibrated_at: int
    length: int
    checksum: int
    """Of the graph and of all that stands above."""

    def packed(self, checksum: int) -> bytes:
        """Return it as it is written behind a graph of this checksum."""
        fields = astuple(self)[:-1]
        return _FORMAT.pack(*fields, zlib.crc32(repr(fields).encode(), checksum))


def finish(written: Path, path: Path, trailer: Trailer) -> None:
    """Seal the file that a graph was written to and put it in the place of ``path``, at once and durably.

    Raises OSError, also when the file is not as long as the graph: the library does not notice each failed write.
    """
    length, checksum = _measure(written)
    if length != trailer.length:
        raise OSError(f"saving a graph to {path} came to {length} bytes of {trailer.length}; is the disk full?")
    with written.open("ab") as file:
        file.write(trailer.packed(checksum))
        file.flush()
        os.fsync(file.fileno())
    written.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read(path: Path, dimensions: int, threads: int) -> tuple[Graph, Trailer]:
    """Return the graph in a file and what is known of it. Raises GraphRefused, FileNotFoundError."""
    trailer = _read_trailer(path)
    if trailer.dimensions != dimensions:
        raise GraphRefused(f"{path} holds vectors of {trailer.dimensions} dimensions, not {dimensions}")
    graph = Graph(dimensions, threads)
    try:
        graph.load(path)
    except RuntimeError as error:
        raise GraphRefused(f"{path} cannot be read by this version of usearch: {error}") from error
    if len(graph) != trailer.count:
        raise GraphRefused(f"{path} holds {len(graph)} vectors instead of {trailer.count}")
    return graph, trailer


def trailer_of(graph: Graph, seq: int, expansion: int, calibrated_at: int) -> Trailer:
    """Describe a graph that is about to be written."""
    return Trailer(_MAGIC, graph.dimensions, len(graph), seq, expansion, calibrated_at, graph.bytes, 0)


def _read_trailer(path: Path) -> Trailer:
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END) - _FORMAT.size
        file.seek(max(0, length))
        sealed = file.read()
    if length < 0 or not sealed.startswith(_MAGIC):
        raise GraphRefused(f"{path} is torn or not a graph of memslot")
    trailer = Trailer(*_FORMAT.unpack(sealed))
    measured, checksum = _measure(path, length)
    if measured != trailer.length or sealed != trailer.packed(checksum):
        raise GraphRefused(f"{path} is not what was written")
    return trailer


def _measure(path: Path, length: int | None = None) -> tuple[int, int]:
    """Return how many bytes a file has, up to ``length``, and their checksum."""
    left = path.stat().st_size if length is None else length
    read = checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(min(_CHUNK, left - read)):
            read += len(chunk)
            checksum = zlib.crc32(chunk, checksum)
    return read, checksum
