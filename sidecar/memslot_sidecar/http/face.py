"""The HTTP face as a whole: its doors, and what they answer at each time of the server's life."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memslot_sidecar import addresses
from memslot_sidecar.app import Sidecar
from memslot_sidecar.binding import starting
from memslot_sidecar.config import Config
from memslot_sidecar.health import Health
from memslot_sidecar.http import connect, metrics, probes, simple
from memslot_sidecar.http.answers import Answer, Asked, Place
from memslot_sidecar.http.app import App
from memslot_sidecar.http.browsers import Visitors
from memslot_sidecar.http.door import HttpDoor
from memslot_sidecar.http.openapi import document
from memslot_sidecar.routes import Route
from memslot_sidecar.traffic import Traffic


class HttpFace:
    """The doors for calls and for metrics. Raises UsageError for an address that other machines may reach."""

    def __init__(self, config: Config, sidecar: Sidecar, health: Health, traffic: Traffic) -> None:
        for address in config.http_listen:
            addresses.require_loopback(address, "--http-listen")
        self._coder = connect.Coder(sidecar.audit, sidecar.facts.calls, config.message_limit_bytes)
        scraped = metrics.places(sidecar, health, traffic)
        told = document.places(sidecar.routes, sidecar.facts.version)
        limit = config.message_limit_bytes
        self._app = App(probes.places(health) | scraped | told, Visitors(config.http_host), traffic, limit)
        self._app.replace(
            {path: replace(place, endpoint=_starting) for path, place in self._places(sidecar.routes).items()}
        )
        self._door = HttpDoor(config.http_listen, self._app, config.socket_mode, "--http-listen")
        scrapers = App(scraped, None, traffic, limit)
        self._metrics_door = HttpDoor(config.metrics_listen, scrapers, config.socket_mode, "--metrics-listen")

    @property
    def addresses(self) -> Sequence[str]:
        """Where calls are answered."""
        return self._door.addresses

    @property
    def metrics_addresses(self) -> Sequence[str]:
        """Where scrapers are answered."""
        return self._metrics_door.addresses

    async def open(self) -> None:
        """Listens. Raises AddressInUse, StartupError, UsageError."""
        await self._door.open()
        await self._metrics_door.open()

    def answer(self, routes: Sequence[Route]) -> None:
        """From now on calls take these routes."""
        self._app.replace(self._places({route.name: route for route in routes}))

    def leave(self, routes: Sequence[Route]) -> None:
        """From now on calls take these routes, and each answer asks its caller to close the connection."""
        self.answer(routes)
        self._app.leave()

    async def close(self, grace_s: float) -> None:
        """Ends all connections; requests that are under way have ``grace_s``."""
        await asyncio.gather(self._door.close(grace_s), self._metrics_door.close(grace_s))

    def _places(self, routes: Mapping[str, Route]) -> dict[bytes, Place]:
        return connect.places(routes, self._coder) | simple.places(routes, self._coder)


async def _starting(_: Asked) -> Answer:
    raise starting()
