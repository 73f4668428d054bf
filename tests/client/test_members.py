"""Members of closed sets, given as such or by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import memslot
from memslot import Memory, Origin


def test_names_stand_for_members(memory: memslot.EmbeddedMemory) -> None:
    """A person may write what the command line takes."""
    made = memory.namespaces.update(
        index_mode="fulltext", overflow="evict_lowest_rank", summary_mode="off", vector_index="hnsw"
    )
    assert made.settings.index_mode is memslot.IndexMode.FULLTEXT
    assert made.settings.overflow is memslot.Overflow.EVICT_LOWEST_RANK
    memory.namespaces.update(index_mode=memslot.INHERIT)
    memory.write("b", "x", origin="tool")
    assert memory.describe("b").origin is Origin.TOOL
    memory.update_info("b", origin="user")
    memory.write("a", "x", origin=Origin.MODEL)
    assert [entry.name for entry in memory.lookup(order="name")] == ["a", "b"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda memory: memory.namespaces.update(index_mode="words"), "index_mode is one of keys, fulltext, hybrid"),
        (lambda memory: memory.namespaces.update(overflow=7), "overflow is one of reject, evict_lowest_rank"),
        (lambda memory: memory.write("a", "x", origin="me"), "origin is one of user, model, tool, operator"),
        (lambda memory: list(memory.lookup(order="size_")), "order is one of rank, name"),
    ],
)
def test_what_is_none_is_told_with_the_names(
    memory: memslot.EmbeddedMemory, call: Callable[[Memory], object], said: str
) -> None:
    """The error names the argument and what it takes."""
    with pytest.raises(ValueError, match=said):
        call(memory)
