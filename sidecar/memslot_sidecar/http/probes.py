"""What probes ask: whether the process lives, and whether it serves. Neither touches the store."""

from __future__ import annotations

from memslot_sidecar.health import Health
from memslot_sidecar.http.answers import Answer, Asked, Place, typed

HEALTHZ, READYZ = b"/healthz", b"/readyz"
"""The paths."""
_TEXT = b"text/plain; charset=utf-8"


def places(health: Health) -> dict[bytes, Place]:
    """The two places."""

    async def live(_: Asked) -> Answer:
        return typed(b"ok\n", _TEXT)

    async def ready(_: Asked) -> Answer:
        return typed(b"SERVING\n", _TEXT) if health.serving else typed(b"NOT_SERVING\n", _TEXT, 503)

    return {HEALTHZ: Place("GET", live), READYZ: Place("GET", ready)}
