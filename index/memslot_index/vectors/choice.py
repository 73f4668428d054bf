"""Which index a namespace has: a backend is imported when it is chosen, and not before."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from memslot_index.vectors.base import BackendMissing

if TYPE_CHECKING:
    from memslot_index.vectors.base import VectorIndex

_MODULES = {
    "exact": "memslot_index.vectors.exact",
    "hnsw": "memslot_index.vectors.hnsw",
    "chroma": "memslot_index.vectors.chroma",
    "sqlite-vss": "memslot_index.vectors.sqlite_vss",
}
KINDS = tuple(_MODULES)
AUTO_THRESHOLD = 20_000
"""Up to so many vectors an automatic index is exact."""
_REMEDIES = {
    "exact": "install numpy, as `pip install 'memslot[sidecar]'` does",
    "hnsw": "install numpy and usearch, as `pip install 'memslot[sidecar]'` does",
    "chroma": "install it with `pip install 'memslot[chroma]'`",
    "sqlite-vss": "install it with `pip install 'memslot[sqlite-vss]'`",
}


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """What all indexes of one store have in common.

    ``threads`` is how many a put into a graph may use. What a backend keeps by itself is in ``directory``, or nowhere without one;
    with a ``chroma_url``, as http://host:8000, Chroma is there. ``store`` tells this store from others on the same server.
    """

    threads: int = 1
    directory: Path | None = None
    chroma_url: str = ""
    store: str = ""


def automatic(count: int, present: str = "exact") -> str:
    """Return what an automatic index of ``count`` vectors is: ``exact`` up to AUTO_THRESHOLD, ``hnsw`` above.

    One that is ``present`` as ``hnsw`` stays so until it has shrunk to half the threshold, so that it is not built again and again.
    """
    most = AUTO_THRESHOLD // 2 if present == "hnsw" else AUTO_THRESHOLD
    return "exact" if count <= most else "hnsw"


def check_backend(kind: str) -> None:
    """Raise BackendMissing if this kind of index cannot be used here, ValueError if there is none of this name.

    ``auto`` is the kinds that `automatic` chooses from. Whether a server answers is not asked: it may come later.
    """
    if kind == "auto":
        check_backend("exact")
        kind = "hnsw"
    if kind not in KINDS:
        raise ValueError(f"vector backend {kind!r} is none of {', '.join(KINDS)}")
    try:
        import_module(_MODULES[kind])
    except ImportError as error:
        raise BackendMissing(kind, f"{error}; {_REMEDIES[kind]}") from error
    if kind == "sqlite-vss":
        from memslot_index.vectors import sqlite_vss_file  # noqa: PLC0415

        sqlite_vss_file.check()


def open_index(kind: str, dimensions: int, space: int, settings: VectorSettings) -> VectorIndex:
    """Return the index of the namespace number ``space``; one of chroma or sqlite-vss with what it has kept.

    Raises what `check_backend` raises, and BackendUnavailable when a file cannot be opened.
    """
    check_backend(kind)
    if kind == "exact":
        from memslot_index.vectors.exact import ExactIndex  # noqa: PLC0415 - imported when chosen

        return ExactIndex(dimensions)
    if kind == "hnsw":
        from memslot_index.vectors.hnsw import HnswIndex  # noqa: PLC0415

        return HnswIndex(dimensions, settings.threads)
    if kind == "chroma":
        from memslot_index.vectors import chroma  # noqa: PLC0415

        name = chroma.collection_name(settings.store, space)
        return chroma.ChromaIndex(dimensions, name, settings.chroma_url, _folder(settings, kind))
    from memslot_index.vectors.sqlite_vss import SqliteVssIndex  # noqa: PLC0415

    folder = _folder(settings, kind)
    return SqliteVssIndex(dimensions, folder / f"{space}.db" if folder else None)


def kept_spaces(kind: str, settings: VectorSettings) -> list[int]:
    """Return the numbers of the namespaces of which a backend keeps something by itself, whether or not they are still there.

    Raises what `open_index` raises.
    """
    check_backend(kind)
    if kind == "chroma":
        from memslot_index.vectors import chroma  # noqa: PLC0415

        return chroma.kept_spaces(settings.store, settings.chroma_url, _folder(settings, kind))
    folder = _folder(settings, kind) if kind == "sqlite-vss" else None
    return sorted(int(path.stem) for path in folder.glob("*.db")) if folder else []


def _folder(settings: VectorSettings, kind: str) -> Path | None:
    if settings.directory is None:
        return None
    folder = settings.directory / kind
    # A vector tells of its text: as the store, it is for its user alone.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
