"""Numbers of protobuf's open enums against the domain's closed ones."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TypeVar

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import CLOSED_SETTINGS, Origin
from memslot_sidecar.operations.commands import WriteMode
from memslot_sidecar.stores.base import Order

T = TypeVar("T")

ORIGINS: Mapping[int, Origin] = {int(origin): origin for origin in Origin}
MODES: Mapping[int, WriteMode] = {0: WriteMode.REPLACE} | {
    int(mode): mode for mode in WriteMode if mode is not WriteMode.EXTEND
}
SETTINGS: Mapping[str, Mapping[int, enum.IntEnum]] = {
    name: {int(member): member for member in kind} for name, kind in CLOSED_SETTINGS.items()
}
"""By name of a setting whose values are a closed set."""
ORDERS: Mapping[int, Order] = {
    0: Order.RANK,
    1: Order.RANK,
    2: Order.NAME,
    3: Order.UPDATED,
    4: Order.CREATED,
    5: Order.ACCESSED,
    6: Order.EXPIRES,
    7: Order.SIZE,
}
WITH_INFO: Mapping[int, bool] = {0: False, 1: False, 2: True}
"""By number of LookupView."""


def known(values: Mapping[int, T], number: int, field: str, error: type[InvalidField] = InvalidField) -> T:
    """The value of ``number``. Raises ``error`` for a number that this server does not know."""
    try:
        return values[number]
    except KeyError:
        raise error(f"{field} is {number}, which this server does not know", field=field) from None
