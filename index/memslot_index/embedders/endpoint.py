"""Requests to an OpenAI-compatible HTTP endpoint: bounded in time and size, with errors that say nothing of what was sent or
answered, nor where to.

Proxies and certificates are taken from the environment, as httpx does; redirects are not followed, since they would carry the texts elsewhere.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

_LIMIT_BYTES = 64 << 20
_RETRY_LIMIT_S = 3_600.0
_BUSY = frozenset({408, 409, 425, 429})
_REASONS = frozenset(
    {
        "context_length_exceeded",
        "insufficient_quota",
        "invalid_api_key",
        "model_not_found",
        "rate_limit_exceeded",
        "unsupported_parameter",
        "unsupported_value",
    }
)
"""What an endpoint may say itself about an error. Anything else could repeat what it was asked."""


class EndpointUnavailable(Exception):
    """No usable answer this time: not reached, too slow, too busy, broken. A retry may help."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class EndpointRefused(Exception):
    """The endpoint answered that it will not do this; ``status`` is its code, or None where nothing was sent."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Endpoint:
    """One endpoint, such as ``https://api.openai.com/v1``, with the API key from the environment variable ``key_env`` (empty: none is sent)."""

    def __init__(self, url: str, key_env: str, timeout_s: float) -> None:
        self._url = checked_url(url)
        key = checked_key(key_env)
        self._timeout_s = timeout_s
        self._client = httpx.Client(auth=_bearer(key), timeout=timeout_s, limits=httpx.Limits(max_connections=8))

    def post(self, path: str, payload: Mapping[str, Any]) -> Any:
        """Send ``payload`` and return the answer, both JSON. Raises EndpointUnavailable and EndpointRefused."""
        deadline = time.monotonic() + self._timeout_s
        try:
            with self._client.stream("POST", self._url + path, json=payload) as response:
                self._raise_for(response, deadline)
                return json.loads(self._body(response, deadline))
        except httpx.TimeoutException:
            raise self._late() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointUnavailable(f"the endpoint could not be reached: {type(error).__name__}") from None
        except RuntimeError:
            raise EndpointUnavailable("the connection to the endpoint was closed") from None
        except ValueError:
            raise EndpointUnavailable("the endpoint answered something that is not JSON") from None

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _late(self) -> EndpointUnavailable:
        return EndpointUnavailable(f"the endpoint did not answer within {self._timeout_s:g} s")

    def _body(self, response: httpx.Response, deadline: float) -> bytes:
        """Read the answer; httpx bounds each read in time, but not all of them together."""
        parts: list[bytes] = []
        size = 0
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > _LIMIT_BYTES:
                raise EndpointUnavailable(f"the endpoint answered more than {_LIMIT_BYTES >> 20} MiB")
            if time.monotonic() > deadline:
                raise self._late()
        return b"".join(parts)

    def _raise_for(self, response: httpx.Response, deadline: float) -> None:
        status = response.status_code
        if status == 200:
            return
        said = _reason(self._body(response, deadline))
        reason = f"the endpoint answered {status}{said}"
        if status in _BUSY or status >= 500:
            raise EndpointUnavailable(reason, retry_after_s(response.headers.get("Retry-After", "")))
        raise EndpointRefused(reason, status)


def checked_url(url: str) -> str:
    """Return ``url`` without a slash at its end. Raises EndpointRefused unless it is an address without a user in it."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        parsed = httpx.URL("")
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise EndpointRefused("the URL of an OpenAI-compatible endpoint looks like https://host:port/v1")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise EndpointRefused(
            "the URL of an OpenAI-compatible endpoint has no user, query or fragment; a key comes from the environment"
        )
    return url.rstrip("/")


def checked_key(key_env: str) -> str:
    """Return the API key, empty if ``key_env`` is. Raises EndpointRefused if it names no variable, or one whose value is no key."""
    if not key_env:
        return ""
    key = os.environ.get(key_env, "").strip()
    if not key:
        raise EndpointRefused(f"the environment variable {key_env}, which holds the API key, is not set")
    if not (key.isascii() and key.isprintable()):
        raise EndpointRefused(f"the environment variable {key_env} holds characters that no API key has")
    return key


def retry_after_s(header: str, now: Callable[[], datetime] | None = None) -> float | None:
    """Return what a Retry-After header asks for, in seconds or as a date, at most an hour; None where it says nothing."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        present = now() if now else datetime.now(timezone.utc)
        seconds = (date.replace(tzinfo=date.tzinfo or timezone.utc) - present).total_seconds()
    return min(max(seconds, 0.0), _RETRY_LIMIT_S) if seconds == seconds else None  # noqa: PLR0124 - not a number


def _reason(body: bytes) -> str:
    try:
        error = json.loads(body)["error"]
        said = [value for value in (error.get("code"), error.get("type")) if value in _REASONS]
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
    return f" ({said[0]})" if said else ""


def _bearer(key: str) -> Callable[[httpx.Request], httpx.Request]:
    """Authorise by this key alone: given explicitly, it is not replaced by what .netrc says of the host."""

    def authorise(request: httpx.Request) -> httpx.Request:
        if key:
            request.headers["Authorization"] = f"Bearer {key}"
        return request

    return authorise
