"""Several changes as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memslot._core import encode
from memslot._core.slots import forgetting
from memslot._core.writing import appending, patching, replacing
from memslot.v1.slot_service_pb2 import CommitCheck, CommitOperation

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from memslot.details import WriteDetails
    from memslot.values import JsonValue, Value


class Batch:
    """Up to 128 operations on different slots of one namespace, for ``memory.commit``: all happen, or none.

    Methods return the batch, so that calls can be chained: ``Batch().write("a", 1, if_absent=True).forget("b").check("c", if_revision=7)``.
    """

    def __init__(self) -> None:
        self._operations: list[CommitOperation] = []

    def write(self, name: str, value: Value, **details: Unpack[WriteDetails]) -> Self:
        """Create a slot or replace its body; arguments as in ``memory.write``."""
        return self._add(CommitOperation(write=replacing(name, value, **details)))

    def append(self, name: str, value: Value, **details: Unpack[WriteDetails]) -> Self:
        """Add to the end of a body; arguments as in ``memory.append``."""
        return self._add(CommitOperation(write=appending(name, value, **details)))

    def patch(self, name: str, changes: JsonValue | bytes, **details: Unpack[WriteDetails]) -> Self:
        """Merge changes into a JSON body; arguments as in ``memory.patch``."""
        return self._add(CommitOperation(write=patching(name, changes, **details)))

    def forget(self, name: str, *, if_revision: int | None = None, erase: bool = False) -> Self:
        """Remove a slot; arguments as in ``memory.forget``."""
        return self._add(CommitOperation(forget=forgetting(name, if_revision=if_revision, erase=erase)))

    def check(self, name: str, *, if_absent: bool = False, if_revision: int | None = None) -> Self:
        """Demand that a slot that is not changed is absent, or at a revision. Raises ValueError unless exactly one is given."""
        condition = encode.precondition(if_absent=if_absent, if_revision=if_revision)
        if not condition:
            raise ValueError("say what to check: if_absent=True or if_revision=...")
        return self._add(CommitOperation(check=CommitCheck(name=name, **condition)))

    def operations(self) -> list[CommitOperation]:
        """Return the operations as messages."""
        return list(self._operations)

    def __len__(self) -> int:
        return len(self._operations)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} operations>"

    def _add(self, operation: CommitOperation) -> Self:
        self._operations.append(operation)
        return self
