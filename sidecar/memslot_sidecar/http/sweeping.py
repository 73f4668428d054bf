"""Connections where nothing goes on, looked for once a second, so that no timer is set for each request."""

from __future__ import annotations

import select
import time
from collections.abc import Iterable

from memslot_sidecar.http.connection import Connection

ARRIVAL_S = 30.0
"""How long a request may take to come whole."""
LEAVING_S = 30.0
"""How long an answer may wait for a reader."""
IDLE_S = 75.0
"""How long a connection may wait for its next request."""

_HANG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)


def end_stuck(
    connections: Iterable[Connection],
    arrival_s: float = ARRIVAL_S,
    leaving_s: float = LEAVING_S,
    idle_s: float = IDLE_S,
) -> None:
    """Ends the connections whose request does not come, whose answer is not taken, that nobody uses, or whose caller is gone."""
    now = time.monotonic()

    def over(since: float | None, limit_s: float) -> bool:
        return since is not None and now - since > limit_s

    for connection in list(connections):
        stuck = over(connection.late_since, arrival_s) or over(connection.unread_since, leaving_s)
        if stuck or over(connection.idle_since, idle_s) or _is_forsaken(connection):
            connection.transport.abort()


def _is_forsaken(connection: Connection) -> bool:
    """Whether the caller is gone, which no event tells while nothing is read from him."""
    if not connection.flow.read_paused:
        return False
    number = connection.transport.get_extra_info("socket").fileno()
    if number < 0:
        return True
    poll = select.poll()
    poll.register(number, _HANG_UP)
    return bool(poll.poll(0))
