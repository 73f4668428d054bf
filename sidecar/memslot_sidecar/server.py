"""The served sidecar: start, signal, drain, stop."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

from memslot_sidecar import health as health_service
from memslot_sidecar.announcement import announcement
from memslot_sidecar.app import Sidecar
from memslot_sidecar.binding import Table, bound, not_yet
from memslot_sidecar.config import Config
from memslot_sidecar.doors import http_face, probes_door, services_door
from memslot_sidecar.health import Health
from memslot_sidecar.reflection import Reflection
from memslot_sidecar.signals import Signals
from memslot_sidecar.traffic import Traffic

LAST_REPLIES_S = 5.0
"""How long replies of calls that are done may take to leave."""


async def serve(config: Config, say: Callable[[str], object]) -> None:
    """Serves until SIGTERM or SIGINT, then drains; ``say`` takes what a person should read. Raises StartupError.

    All addresses answer before the store is open (which takes long with ``lock_wait_s``): health says NOT_SERVING, calls are UNAVAILABLE.
    """
    signals = Signals()
    sidecar = Sidecar(config)
    health = Health(sidecar.services)
    reflection = Reflection([*sidecar.services, health_service.SERVICE])
    table = Table({**health.handlers(), **reflection.handlers()})
    table.replace({route.path: not_yet() for route in sidecar.routes.values()})
    traffic = Traffic()
    front, probes = services_door(config, table), probes_door(config, health.handlers())
    http = http_face(config, sidecar, health, traffic)
    left_s = 0.0
    try:
        await front.open()
        await probes.open()
        await http.open()
        if not await _unless(signals.drain, sidecar.start()):
            return
        table.replace({route.path: bound(route, traffic) for route in sidecar.routes.values()})
        http.answer(list(sidecar.routes.values()))
        signals.on_hangup(sidecar.audit.reopen)
        health.serve()
        gc.collect()
        gc.freeze()
        say(announcement(sidecar, front.addresses, probes.addresses, http.addresses, http.metrics_addresses))

        await signals.drain.wait()
        say(f"draining: calls under way have {config.drain_grace_s:g} s to finish; a second signal ends them")
        health.leave()
        refusals = sidecar.refusals()
        table.replace({route.path: bound(route, traffic) for route in refusals})
        http.leave(refusals)
        left_s = await traffic.settle(config.drain_grace_s, signals.at_once)
    finally:
        health.leave()
        reflection.leave()
        last_s = min(left_s, LAST_REPLIES_S)
        try:
            await asyncio.gather(front.close(last_s), http.close(last_s))
        finally:
            await sidecar.stop()
            await probes.close(0)
    say("stopped")


async def _unless(event: asyncio.Event, start: Coroutine[Any, Any, None]) -> bool:
    """Whether ``start`` came to its end; it is cancelled when ``event`` is set before."""
    starting, waiting = asyncio.ensure_future(start), asyncio.ensure_future(event.wait())
    await asyncio.wait([starting, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not starting.done():
        starting.cancel()
        await asyncio.wait([starting])
        return False
    starting.result()
    return True
