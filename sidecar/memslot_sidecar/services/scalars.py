"""Typed scalars: AttributeValue against str, int, float and bool."""

from __future__ import annotations

from collections.abc import Mapping

from memslot.v1 import slot_pb2
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import AttributeValue


def to_scalar(value: slot_pb2.AttributeValue, field: str, error: type[InvalidField] = InvalidField) -> AttributeValue:
    """The plain value. Raises ``error`` when none is set."""
    kind = value.WhichOneof("kind")
    if kind is None:
        raise error(f"{field} has no value: set one of string, int64, double, bool", field=field)
    scalar: AttributeValue = getattr(value, kind)
    return scalar


def to_scalars(values: Mapping[str, slot_pb2.AttributeValue], field: str) -> dict[str, AttributeValue]:
    """A map of plain values. Raises InvalidField when one is not set."""
    return {key: to_scalar(value, f"{field}[{key!r}]") for key, value in values.items()}


def fill_scalar(message: slot_pb2.AttributeValue, value: AttributeValue) -> None:
    """Sets the message of a reply; the type of ``value`` decides the kind."""
    match value:
        case bool():
            message.bool_value = value
        case int():
            message.int64_value = value
        case float():
            message.double_value = value
        case _:
            message.string_value = value
