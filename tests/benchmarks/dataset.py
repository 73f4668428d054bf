"""The slots that stores are filled with: made from their number, so that every answer can be verified without keeping them."""

from __future__ import annotations

import hashlib

from tests.benchmarks.load import Filling

from memslot.v1.slot_service_pb2 import WriteRequest

NAMESPACE = "bench/filled"
BODY_BYTES = 1024
SHARES = 10
"""Every tag, every task type and every first letter of a name belongs to one slot in so many."""

_POOL = hashlib.shake_256(b"memslot benchmarks").hexdigest(32 * 1024)
_LETTERS = "abcdefghij"


def name_of(number: int) -> str:
    """``c-0000012``: the letter is the share, so that a prefix of one letter matches a tenth of all names."""
    return f"{_LETTERS[number % SHARES]}-{number:07d}"


def number_of(name: str) -> int:
    """The number of the slot of that name."""
    return int(name[2:])


def body_of(number: int) -> bytes:
    """1,024 bytes of text, different for each slot."""
    start = number * 37 % (len(_POOL) - BODY_BYTES)
    return f"{number:08d}{_POOL[start : start + BODY_BYTES - 8]}".encode()


def tag_of(number: int) -> str:
    """A tenth of the slots carries the same tag, not the tenth that shares the prefix."""
    return f"tag-{number // SHARES % SHARES}"


def task_type_of(number: int) -> str:
    """A tenth of the slots has the same task type, which cuts across tags and prefixes."""
    return f"task-{number // SHARES**2 % SHARES}"


def importance_of(number: int) -> float:
    """0 to 1, spread without order over the slots."""
    return number * 7919 % 1009 / 1008


def write_of(number: int) -> WriteRequest:
    """The write of one slot, for a Commit."""
    return WriteRequest(
        name=name_of(number),
        body=body_of(number),
        content_type="text/plain",
        description=f"slot number {number} of the benchmarks",
        task_type=task_type_of(number),
        tags=[tag_of(number)],
        importance=importance_of(number),
    )


def filling(slots: int) -> Filling:
    """So many of these slots."""
    return Filling(NAMESPACE, slots, name_of, body_of, write_of)
