"""Which operation of a Commit an error is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memslot_sidecar.errors import MemslotError


@contextmanager
def blaming(index: int) -> Iterator[None]:
    """Notes the operation in the metadata of an error that is raised inside."""
    try:
        yield
    except MemslotError as error:
        error.metadata.setdefault("op_index", str(index))
        raise
