"""The ASGI application: a path leads to a place, and nothing is looked at twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from memslot_sidecar.errors import MemslotError, StoreUnavailable
from memslot_sidecar.http.answers import JSON, Answer, Asked, Place, failed, refused
from memslot_sidecar.http.arriving import Receive, body_of, too_large
from memslot_sidecar.http.browsers import Visitors
from memslot_sidecar.http.refusals import BadRequest, Gone, Header, NoSuchRoute, Refused, WrongContentType, WrongVerb
from memslot_sidecar.traffic import Traffic

Send = Callable[[dict[str, Any]], Awaitable[None]]

CONNECTION = "memslot.connection"
"""Where a scope holds its connection, which cancels the ``task`` that it has when the caller is gone."""
_ONCE = (
    b"host",
    b"origin",
    b"sec-fetch-site",
    b"content-type",
    b"content-encoding",
    b"connect-protocol-version",
    b"connect-timeout-ms",
    b"memslot-namespace",
)
OK = 200
_LAST = (b"connection", b"close")
_JSON_LENGTHENS = 2
"""JSON writes bytes in base64 and may escape letters: so much longer than the message may the text be."""


class App:
    """Answers requests from the places that it has now. ``visitors`` is None where anybody may ask."""

    def __init__(
        self, places: Mapping[bytes, Place], visitors: Visitors | None, traffic: Traffic, limit_bytes: int
    ) -> None:
        self._places = dict(places)
        self._visitors = visitors
        self._traffic = traffic
        self._limit = limit_bytes
        self._leaving = False

    def replace(self, places: Mapping[bytes, Place]) -> None:
        """Adds places or takes the place of those of the same path; for the next request."""
        self._places = {**self._places, **places}

    def leave(self) -> None:
        """From now on each answer is the last one of its connection, so that callers go before they are cut off."""
        self._leaving = True

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """One request, by ASGI."""
        connection = scope[CONNECTION]
        try:
            headers = self._headers(scope)
            place = self._place(scope["raw_path"], scope["method"])
            asked = Asked(headers, scope["query_string"])
            if place.takes:
                asked.is_json = _kind(headers, place) == JSON
                limit = self._limit * _JSON_LENGTHENS if asked.is_json else self._limit
                whole = None if b"content-encoding" in headers else connection.whole_body()
                if whole is None:
                    whole = await body_of(receive, headers, limit)
                elif len(whole) > limit:
                    raise too_large(limit)
                asked.body = whole
        except Refused as error:
            connection.task = None
            await self._send(connection, send, refused(error))
            return
        except asyncio.CancelledError:
            await self._send(connection, send, failed(_stopped("the request had come whole; nothing was done")))
            return
        except Gone:
            return
        if place.is_call:
            self._traffic.begin()
        try:
            answer = await _answered(place, asked)
            connection.task = None
            if answer.status != OK or self._leaving or not connection.answered(answer.headers, answer.body):
                await self._send(connection, send, answer)
        finally:
            if place.is_call:
                self._traffic.end()

    async def _send(self, connection: Any, send: Send, answer: Answer) -> None:
        headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
        if self._leaving and _LAST not in headers:
            headers.append(_LAST)
        try:
            await send({"type": "http.response.start", "status": answer.status, "headers": headers})
            await send({"type": "http.response.body", "body": answer.body})
        except asyncio.CancelledError:
            # The reader does not keep up, and the server cannot wait any longer.
            connection.forsake()

    def _headers(self, scope: dict[str, Any]) -> dict[bytes, bytes]:
        """The headers of a request from whom may ask. Raises BadRequest, CrossSite."""
        headers = dict(scope["headers"])
        if len(headers) != len(scope["headers"]):
            _require_once(scope["headers"])
        if self._visitors is not None:
            # By our own end: the name of the other is not known any more when it was reset before we looked.
            self._visitors.check(headers, by_socket=scope["server"] is not None and scope["server"][1] is None)
        return headers

    def _place(self, path: bytes, verb: str) -> Place:
        place = self._places.get(path)
        if place is None:
            raise NoSuchRoute("nothing is served at this path; /openapi.json tells what is")
        if verb != place.verb and (verb, place.verb) != ("HEAD", "GET"):
            allowed = "GET, HEAD" if place.verb == "GET" else place.verb
            raise WrongVerb(f"this path takes {allowed}", (b"allow", allowed.encode()))
        return place


def _require_once(headers: Sequence[Header]) -> None:
    """Raises BadRequest where something that is acted upon is said twice: who looks at the one would not see the other."""
    said = Counter(name for name, _ in headers)
    if any(said[name] > 1 for name in _ONCE):
        raise BadRequest(f"a header is there twice; {b', '.join(_ONCE).decode()} may be there once")


async def _answered(place: Place, asked: Asked) -> Answer:
    try:
        return await place.endpoint(asked)
    except MemslotError as error:
        return failed(error)
    except Refused as error:
        return refused(error)
    except asyncio.CancelledError:
        # The caller is gone, and reads this no more, or the server cannot wait any longer.
        return failed(_stopped("the call was done; it may have taken effect"))


def _stopped(what: str) -> StoreUnavailable:
    return StoreUnavailable(f"the sidecar stopped before {what}")


def _kind(headers: Mapping[bytes, bytes], place: Place) -> bytes:
    said = headers.get(b"content-type", b"")
    kind = said if said in place.takes else said.partition(b";")[0].strip().lower()
    if kind not in place.takes:
        takes = b", ".join(sorted(place.takes))
        raise WrongContentType(f"the content-type is not {takes.decode()}", (b"accept-post", takes))
    return kind
