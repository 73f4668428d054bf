"""One connection of plain HTTP: headers, deadline, and repeats."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Mapping
from typing import Any

import httpx

_ATTEMPTS = 5
_BACKOFF_S = (0.1, 0.3, 0.9, 2.0)
_DEFAULT_TIMEOUT_MS = 10_000


class NoAnswer(Exception):
    """No answer came, also after repeats. ``code`` is UNAVAILABLE or DEADLINE_EXCEEDED."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class HttpClient:
    """Requests to one sidecar about one namespace. May be used from any number of threads."""

    def __init__(self, http: httpx.Client, namespace: str, timeout_ms: int) -> None:
        self._http = http
        self._namespace = namespace
        self._timeout_ms = timeout_ms

    @classmethod
    def opened(cls, said: Mapping[str, Any]) -> HttpClient:
        """A client for what a driver's `open` says."""
        headers = {"content-type": "application/json"}
        for key in ("agent", "conversation"):
            headers |= _header(f"memslot-{key}", said.get(key, ""))
        if said.get("token"):
            headers["authorization"] = f"Bearer {said['token']}"
        target = said["target"]
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=50)
        transport, url = None, target
        if target.startswith("unix:"):
            transport, url = httpx.HTTPTransport(uds=target.removeprefix("unix:"), limits=limits), "http://localhost"
        http = httpx.Client(base_url=url, headers=headers, transport=transport, limits=limits, trust_env=False)
        return cls(http, said.get("namespace", "default"), said.get("timeout_ms", _DEFAULT_TIMEOUT_MS))

    def close(self) -> None:
        """Ends the connections."""
        self._http.close()

    def request(self, verb: str, path: str, sent: dict[str, Any], timeout_ms: int | None) -> httpx.Response:
        """The answer, after as many repeats as it takes within the deadline. Raises NoAnswer."""
        end = time.monotonic() + (timeout_ms or self._timeout_ms) / 1000
        last: Exception | None = None
        for attempt in range(_ATTEMPTS):
            if attempt:
                time.sleep(max(0.0, min(random.uniform(0.8, 1.2) * _BACKOFF_S[attempt - 1], end - time.monotonic())))
            left_s = end - time.monotonic()
            if left_s <= 0:
                raise NoAnswer("DEADLINE_EXCEEDED", "no answer in time")
            try:
                reply = self._send(verb, path, sent, left_s)
            except httpx.TimeoutException:
                raise NoAnswer("DEADLINE_EXCEEDED", "no answer in time") from None
            except httpx.TransportError as error:
                last = error
                continue
            too_late = float(reply.headers.get("retry-after", 0)) >= end - time.monotonic()
            if reply.status_code != 503 or too_late or attempt == _ATTEMPTS - 1:
                return reply
        raise NoAnswer("UNAVAILABLE", f"no answer after {_ATTEMPTS} attempts: {type(last).__name__}")

    def _send(self, verb: str, path: str, sent: dict[str, Any], left_s: float) -> httpx.Response:
        params = {"namespace": self._namespace} if path.startswith("/mem/") else {}
        headers = {"connect-timeout-ms": str(max(1, int(left_s * 1000)))}
        if verb == "GET":
            return self._http.get(path, params={**params, **sent}, headers=headers, timeout=left_s)
        return self._http.post(path, params=params, json=sent, headers=headers, timeout=left_s)


def _header(key: str, value: str) -> dict[str, str]:
    """What is no printable ASCII goes as base64 under the ``-bin`` key, as in gRPC."""
    if not value:
        return {}
    if value.isascii() and value.isprintable():
        return {key: value}
    return {f"{key}-bin": base64.b64encode(value.encode()).decode()}
