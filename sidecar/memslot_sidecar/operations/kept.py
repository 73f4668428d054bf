"""Answers of mutations as they are kept for a repeat, where no reply of an RPC is."""

from __future__ import annotations

from typing import Any

import orjson

from memslot_sidecar.model import Outcome, Receipt
from memslot_sidecar.model import Warning as ReceiptWarning
from memslot_sidecar.operations.commands import Mutated


def encode(answer: Mutated) -> bytes:
    """The answer as JSON."""
    return orjson.dumps([answer.revision, answer.changed, [_fields(receipt) for receipt in answer.receipts]])


def decode(kept: bytes) -> Mutated:
    """The answer again."""
    revision, changed, receipts = orjson.loads(kept)
    return Mutated([_receipt(*fields) for fields in receipts], revision, changed)


def _fields(receipt: Receipt) -> list[Any]:
    return [
        receipt.name,
        receipt.outcome.value,
        receipt.revision,
        receipt.version,
        receipt.previous_revision,
        receipt.expire_ms,
        list(receipt.evicted),
        [warning.value for warning in receipt.warnings],
    ]


def _receipt(
    name: str, outcome: int, revision: int, version: int, previous: int, expire_ms: int | None, *lists: list[Any]
) -> Receipt:
    evicted, warnings = lists
    told = tuple(map(ReceiptWarning, warnings))
    return Receipt(name, Outcome(outcome), revision, version, previous, expire_ms, tuple(evicted), told)
