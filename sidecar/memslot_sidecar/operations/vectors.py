"""Vectors that writers send: brought to length 1, and of one dimension within a namespace."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from memslot_sidecar.errors import DimensionMismatch, IndexNotEnabled, InvalidField
from memslot_sidecar.model import VECTOR_ITEM_BYTES, EffectiveSettings, IndexMode
from memslot_sidecar.operations.planning import Step
from memslot_sidecar.operations.reaping import reap_all
from memslot_sidecar.stores.base import Transaction

DIMENSION_LIMIT = 4096
_REAPED = 10_000


def unit_vector(numbers: Sequence[float], field: str = "vector") -> bytes:
    """The vector at length 1, as little-endian float32. Raises InvalidField unless it has 1 to 4096 finite numbers, not all zero."""
    if not 1 <= len(numbers) <= DIMENSION_LIMIT:
        raise InvalidField(f"{field} has {len(numbers)} numbers: it must have 1 to {DIMENSION_LIMIT}", field=field)
    length = math.hypot(*numbers)
    if not math.isfinite(length):
        at = next(position for position, number in enumerate(numbers) if not math.isfinite(number))
        raise InvalidField(f"{field}[{at}] is not a finite number: leave the vector out", field=f"{field}[{at}]")
    if not length:
        raise InvalidField(f"{field} is all zeros, which has no direction: leave it out", field=field)
    unit = array("f", [number / length for number in numbers])
    if sys.byteorder == "big":
        unit.byteswap()
    return unit.tobytes()


def check_enabled(settings: EffectiveSettings, namespace: str, field: str = "vector") -> None:
    """Raises IndexNotEnabled unless the namespace keeps vectors."""
    if settings.index_mode is not IndexMode.HYBRID:
        raise IndexNotEnabled(
            f"namespace '{namespace}' keeps no vectors (its index_mode is {settings.index_mode.name}): leave {field} out, or "
            f"enable them with memslot namespaces set '{namespace}' --index-mode hybrid",
            field=field,
            metadata={"namespace": namespace, "index_mode": settings.index_mode.name},
        )


@dataclass(frozen=True, slots=True)
class Misfit:
    """A vector of another dimension than the rest: of the step at ``index``."""

    index: int
    given: int
    expected: int

    def error(self, namespace: str, field: str = "vector") -> DimensionMismatch:
        """What to tell the caller."""
        return DimensionMismatch(
            f"{field} has {self.given} numbers, the other vectors of namespace '{namespace}' have {self.expected}: use the model "
            "that made those, or forget them first",
            field=field,
            metadata={"expected": str(self.expected), "given": str(self.given)},
        )


def misfit(tx: Transaction, namespace: str, steps: Sequence[Step]) -> Misfit | None:
    """The first step whose vector does not fit to those that the namespace would hold afterwards, those of the other steps included."""
    given = [
        (index, len(step.supplied.vector) // VECTOR_ITEM_BYTES)
        for index, step in enumerate(steps)
        if step.supplied is not None and step.supplied.vector is not None
    ]
    if not given:
        return None
    found = _against(given, _kept(tx, namespace, steps))
    if found is None:
        return None
    reap_all(tx, namespace, _REAPED)
    return _against(given, _kept(tx, namespace, steps))


def _against(given: Sequence[tuple[int, int]], expected: int | None) -> Misfit | None:
    for index, dimension in given:
        expected = expected or dimension
        if dimension != expected:
            return Misfit(index, dimension, expected)
    return None


def _kept(tx: Transaction, namespace: str, steps: Sequence[Step]) -> int | None:
    """The dimension of the vectors that the steps leave alone; None when there are none."""
    found = tx.namespace(namespace)
    if found is None or found.vector_count <= sum(map(_lets_go, steps)):
        return None
    return found.vector_dimensions


def _lets_go(step: Step) -> bool:
    """Whether the slot's vector goes, or another one comes."""
    if step.previous is None or not step.previous.vector_bytes:
        return False
    return (step.record is None and step.change is not None) or step.body is not None or step.supplied is not None
