"""Waiting for a condition, not for a time."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_S = 20.0


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Returns when `holds()` is true; fails after 20 s, naming what did not come."""
    end = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)
