"""Whether vectors can be compared in this installation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from memslot_index.vectors.base import BackendMissing
from memslot_index.vectors.choice import check_backend
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import IndexMode, NamespaceSettings, VectorIndexKind

KINDS: Mapping[VectorIndexKind, str] = {
    VectorIndexKind.AUTO: "auto",
    VectorIndexKind.EXACT: "exact",
    VectorIndexKind.HNSW: "hnsw",
    VectorIndexKind.CHROMA: "chroma",
    VectorIndexKind.SQLITE_VSS: "sqlite-vss",
}


@cache
def missing() -> str:
    """Why none can be compared, and what to install; empty when they can."""
    return _missing("exact")


def is_there(library: str) -> bool:
    """Whether a library could be imported, without doing so."""
    try:
        return find_spec(library) is not None
    except ValueError:
        return False


async def check_installed(settings: NamespaceSettings) -> None:
    """Raises InvalidField when settings choose what is not installed. Loads it, which may take seconds, but holds up nobody."""
    if settings.index_mode is IndexMode.HYBRID:
        await _check("exact", "settings.index_mode")
    if settings.vector_index not in (None, VectorIndexKind.AUTO):
        await _check(KINDS[settings.vector_index], "settings.vector_index")


async def _check(kind: str, field: str) -> None:
    why = await asyncio.get_running_loop().run_in_executor(None, _missing, kind)
    if why:
        raise InvalidField(f"{field}: {why}", field=field)


def _missing(kind: str) -> str:
    try:
        check_backend(kind)
    except BackendMissing as error:
        return str(error)
    return ""
