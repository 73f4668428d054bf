"""Whether anybody listens at a target, asked before the first call.

Until a connection was made nothing can have been sent, so a first call that finds nobody has a certain outcome: nothing happened. (gRPC's own
connectivity watch would tell too, but its thread can block an interpreter that exits.)
"""

from __future__ import annotations

import socket
import threading
import time

from memslot._transport.channel import ChannelConfig
from memslot._transport.closing import closed
from memslot._transport.status import unreachable

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5


def await_listener(config: ChannelConfig, deadline: float | None, closing: threading.Event) -> None:
    """Return when somebody listens; ``deadline`` is on the monotonic clock.

    Raises Unreachable at once when nobody does, or, with ``wait_for_ready``, at the deadline; ClientClosed once ``closing`` is set.
    """
    pause = _FIRST_PAUSE_S
    while True:
        left = None if deadline is None else max(0.001, deadline - time.monotonic())
        try:
            return _connect(config.target, left)
        except OSError as error:
            late = left is not None and left <= pause
            if late or not config.wait_for_ready:
                raise unreachable(config.target, error.strerror or str(error)) from None
        if closing.wait(pause):
            raise closed()
        pause = min(_LONGEST_PAUSE_S, pause * 2)


def _connect(target: str, timeout_s: float | None) -> None:
    """Connect and hang up. Targets of other forms than ``host:port`` and ``unix:path`` are left to gRPC."""
    scheme, colon, path = target.partition(":")
    if scheme == "unix":
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout_s)
            connection.connect(path.removeprefix("//"))
        return
    host, _, port = target.rpartition(":")
    if not port.isdecimal() or (colon and path.startswith("//")) or scheme in ("ipv4", "ipv6", "dns", "xds"):
        return
    socket.create_connection((host.strip("[]"), int(port)), timeout_s).close()
