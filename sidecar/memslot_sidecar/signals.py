"""SIGTERM and SIGINT: the first asks to drain, the second to stop at once, the third kills. SIGHUP: a rotated audit file."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Signals:
    """Events that signals set. Made and used inside a running loop."""

    def __init__(self) -> None:
        self.drain = asyncio.Event()
        self.at_once = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            self._loop.add_signal_handler(number, self._received)

    def on_hangup(self, action: Callable[[], None]) -> None:
        """Calls ``action`` at each SIGHUP, which ends the process otherwise."""
        self._loop.add_signal_handler(signal.SIGHUP, action)

    def _received(self) -> None:
        if not self.drain.is_set():
            self.drain.set()
            return
        self.at_once.set()
        for number in _SIGNALS:
            self._loop.remove_signal_handler(number)
