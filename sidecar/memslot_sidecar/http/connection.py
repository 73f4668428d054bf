"""A connection that does not wait for ever: uvicorn's, with bounds on what it takes and on how long that may last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memslot_sidecar.http.answers import last_words
from memslot_sidecar.http.app import CONNECTION
from memslot_sidecar.http.offers import declined
from memslot_sidecar.http.refusals import Header

HEAD_LIMIT_BYTES = 32_768
"""A request's line and headers; also what may come between two pieces of a body."""
CONNECTION_LIMIT = 512
ARRIVAL_S = 30.0
"""How long a request may take to come whole."""
LEAVING_S = 30.0
"""How long an answer may wait for a reader."""
IDLE_S = 75.0
"""How long a connection may wait for its next request."""

_OK = b"HTTP/1.1 200 OK\r\n"
_NO_HTTP = last_words(
    "400 Bad Request", "invalid_argument", "what came is no HTTP/1.1 request: check what the client sends to this port"
)
_TOO_LONG = last_words(
    "431 Request Header Fields Too Large",
    "resource_exhausted",
    f"the request's line and headers take more than {HEAD_LIMIT_BYTES} bytes: shorten them",
)
_TOO_MANY = last_words(
    "503 Service Unavailable",
    "unavailable",
    f"this server has {CONNECTION_LIMIT} connections, and takes no more: use one for many requests",
    (b"retry-after", b"1"),
)


class _HeadTooLong(Exception):
    pass


class _Tunnel(Exception):
    pass


class Connection(HttpToolsProtocol):
    """One connection. On the monotonic clock, ``arriving_since`` is when the request began that is not whole yet, ``idle_since`` when
    the last one was answered, unless more has come. ``task`` is what has no use any more when the caller is gone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arriving_since: float | None = time.monotonic()
        self.unread_since: float | None = None
        self.idle_since: float | None = None
        self.task: asyncio.Task[Any] | None = None
        self._silent_bytes = 0
        self._too_long = False
        self._in_head = False
        self._answering: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuses connections beyond the limit, so that files and memory are left for others."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > CONNECTION_LIMIT:
            self._end(_TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller is gone: as gRPC does, its call is cancelled."""
        super().connection_lost(exc)
        if self.task is not None:
            self.task.cancel()

    def data_received(self, data: bytes) -> None:
        """Counts what comes without anything becoming complete by it."""
        self._silent_bytes += len(data)
        self.idle_since = None
        try:
            self._read(data)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        if self._silent_bytes > HEAD_LIMIT_BYTES:
            self._end(_TOO_LONG)

    def on_message_begin(self) -> None:
        """A request begins."""
        self.arriving_since = time.monotonic()
        self._in_head = True
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[literal-required]

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; what comes behind the body changes nothing any more."""
        if self._in_head:
            # As the library does; a call of it for each header is felt.
            name = name.lower()
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is whole."""
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                raise _Tunnel
            return
        self._in_head = False
        if self._silent_bytes > HEAD_LIMIT_BYTES and self._head_bytes() > HEAD_LIMIT_BYTES:
            self._too_long = True
            raise _HeadTooLong
        self._silent_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body has come."""
        self._silent_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        if self.parser.should_upgrade():
            return
        self._silent_bytes = 0
        self.arriving_since = None
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The reader does not keep up."""
        self.unread_since = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        """The reader has caught up."""
        self.unread_since = None
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Turns to the next request of a pipeline, or waits for one: as uvicorn does, but without a timer for each request."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self.idle_since = time.monotonic()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """As uvicorn does, but the task is kept."""
        self._answering = cycle
        self.task = task = self.loop.create_task(cycle.run_asgi(app))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def whole_body(self) -> bytes | None:
        """The body of the request that is answered now, where all of it is there; None where it must be waited for."""
        cycle = self._answering
        return None if cycle.more_body or cycle.waiting_for_100_continue else bytes(cycle.body)

    def answered(self, headers: Sequence[Header], body: bytes) -> bool:
        """Writes a whole answer with status 200 in one piece; False where the library must write it, in its two: to HEAD, to a reader
        who does not keep up, and as the last one of a connection. Its checks of each header cost as much as a Read does."""
        cycle = self._answering
        if cycle.response_started or cycle.disconnected or not cycle.keep_alive or self.flow.write_paused:
            return False
        if cycle.scope["method"] == "HEAD":
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        always = _lines(tuple(self.server_state.default_headers))
        self.transport.write(
            b"%b%b%bcontent-length: %d\r\n\r\n%b" % (_OK, always, _lines(tuple(headers)), len(body), body)
        )
        cycle.message_event.set()
        cycle.on_response()
        return True

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the library's text says less
        """What came is no HTTP, or too much of it."""
        self._end(_TOO_LONG if self._too_long else _NO_HTTP)

    def _read(self, data: bytes) -> None:
        """Parses; an offer of another protocol is passed over."""
        while data:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:
                head = declined(self.parser.get_method(), self.url, self.parser.get_http_version(), self.headers)
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
                data = head + data[offer.args[0] :]
            else:
                return

    def _head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _end(self, last_words: bytes) -> None:
        if self.transport.is_closing():
            return
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.write(last_words)
        self.transport.close()


@lru_cache(maxsize=64)
def _lines(headers: tuple[Header, ...]) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)


def end_stuck(
    connections: Iterable[Connection],
    arrival_s: float = ARRIVAL_S,
    leaving_s: float = LEAVING_S,
    idle_s: float = IDLE_S,
) -> None:
    """Ends the connections whose request does not come, whose answer is not taken, or that nobody uses."""
    now = time.monotonic()
    for connection in list(connections):
        since, unread, idle = connection.arriving_since, connection.unread_since, connection.idle_since
        if (since is not None and now - since > arrival_s and not connection.flow.read_paused) or (
            unread is not None and now - unread > leaving_s
        ):
            connection.transport.abort()
        elif idle is not None and now - idle > idle_s:
            connection.transport.close()
