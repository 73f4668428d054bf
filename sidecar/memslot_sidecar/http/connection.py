"""A connection that does not wait for ever: uvicorn's, with bounds on what it takes and on how long that may last."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from memslot_sidecar.http.app import CONNECTION
from memslot_sidecar.http.last_words import CONNECTION_LIMIT, HEAD_LIMIT_BYTES, NO_HTTP, TOO_LONG, TOO_MANY
from memslot_sidecar.http.offers import declined
from memslot_sidecar.http.refusals import Header

_OK = b"HTTP/1.1 200 OK\r\n"
_AUTHORITY = re.compile(rb"[^:/?#]+://([^/?#]*)")


class _HeadTooLong(Exception):
    pass


class _Tunnel(Exception):
    pass


class _OtherHost(Exception):
    pass


class _Deaf:
    """Takes the place of a parser where nothing can be understood any more."""

    def feed_data(self, data: bytes) -> None:
        """Passes everything over."""


class Connection(HttpToolsProtocol):
    """One connection. On the monotonic clock, ``arriving_since`` is when the request began that is not whole yet, and ``unread_since``
    when the reader ceased to keep up. ``task`` is what has no use any more when the caller is gone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._answered_at = time.monotonic()
        self.arriving_since: float | None = self._answered_at
        self.unread_since: float | None = None
        self.task: asyncio.Task[Any] | None = None
        self._silent_bytes = 0
        self._wary = False
        self._in_head = False
        self._answering: Any = None
        self._last_words = b""

    @property
    def idle_since(self) -> float | None:
        """When the last request was answered; None while one arrives or is answered."""
        return self._answered_at if self.arriving_since is None and not self._answers_due else None

    @property
    def late_since(self) -> float | None:
        """When the request began that does not come; None where it waits for the answers before it."""
        waits = self.flow.read_paused or (self._in_head and self._answers_due)
        return None if waits else self.arriving_since

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Refuses connections beyond the limit, so that files and memory are left for others."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > CONNECTION_LIMIT:
            self.transport.write(TOO_MANY)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller is gone: as gRPC does, its call is cancelled."""
        super().connection_lost(exc)
        if self._answering is not None:
            self._give_up()

    def data_received(self, data: bytes) -> None:
        """Counts what comes without anything becoming complete by it. Heads are measured only where one may be too long: on connections
        where much comes at once, or one came in pieces."""
        self._silent_bytes += len(data)
        if self._silent_bytes > HEAD_LIMIT_BYTES:
            self._wary = True
        try:
            self._read(data)
        except httptools.HttpParserError:
            self._end(NO_HTTP)
        if self._in_head:
            self._wary = True
        if self._silent_bytes > HEAD_LIMIT_BYTES:
            self._end(TOO_LONG)

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
        if self._wary and self._head_bytes() > HEAD_LIMIT_BYTES:
            self._end(TOO_LONG)
            raise _HeadTooLong
        if not self.url.startswith(b"/") and not self._is_for_its_host():
            raise _OtherHost
        self._silent_bytes = 0
        super().on_headers_complete()
        self._in_head = False

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
        self._answered_at = now = time.monotonic()
        if self.arriving_since is not None:
            # It waited for this answer, which is not its sender's slowness.
            self.arriving_since = now
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        elif self._last_words:
            self._say_last_words()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """As uvicorn does, but the task is kept."""
        self._answering = cycle
        self.task = task = self.loop.create_task(cycle.run_asgi(app))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def whole_body(self) -> bytes | None:
        """Takes the body of the request that is answered now, where all of it is there; None where it must be waited for."""
        cycle = self._answering
        if cycle.more_body or cycle.waiting_for_100_continue:
            return None
        body, cycle.body = bytes(cycle.body), b""
        return body

    def answered(self, headers: Sequence[Header], body: bytes) -> bool:
        """Writes a whole answer with status 200 in one piece; False where the library must write it, in its two: to HEAD, to a reader
        who does not keep up, and as the last one of a connection. Its checks of each header cost as much as a Read does."""
        cycle = self._answering
        if cycle.disconnected or not cycle.keep_alive or self.flow.write_paused or cycle.scope["method"] == "HEAD":
            return False
        cycle.response_started = cycle.response_complete = True
        always = _lines(tuple(self.server_state.default_headers))
        self.transport.write(
            b"%b%b%bcontent-length: %d\r\n\r\n%b" % (_OK, always, _lines(tuple(headers)), len(body), body)
        )
        cycle.on_response()
        return True

    def forsake(self) -> None:
        """Drops the answer that is under way, and the connection."""
        self._answering.disconnected = True
        self.transport.abort()

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

    def _is_for_its_host(self) -> bool:
        """Whether a target that names a host, as for a proxy, names that of the header, by which it is judged who may come in."""
        named = _AUTHORITY.match(self.url)
        return named is None or (b"host", named[1]) in self.headers

    def _end(self, last_words: bytes) -> None:
        """Understands nothing more: says the last words behind the answers to what has come whole."""
        if self._last_words or self.transport.is_closing():
            return
        self._last_words = last_words
        self.parser = _Deaf()  # type: ignore[assignment]
        in_body = self.arriving_since is not None and not self._in_head and self.cycle is not None
        if in_body and self.cycle is self._answering:
            self._break_off(self.cycle)
        elif not self._answers_due:
            self._say_last_words()
        else:
            if in_body:
                self.pipeline.popleft()
            self.arriving_since = None

    @property
    def _answers_due(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _break_off(self, cycle: RequestResponseCycle) -> None:
        """Ends a request whose body is broken: by the last words, unless an answer has begun."""
        if cycle.response_started:
            self.transport.close()
        else:
            self._give_up()
            self._say_last_words()

    def _give_up(self) -> None:
        self._answering.disconnected = True
        if self.task is not None:
            self.task.cancel()

    def _say_last_words(self) -> None:
        """Says no more than these, and leaves it to the caller to close, since what he has sent by then would cost him what he has
        not read yet. The time in which a request must come bounds that."""
        self.arriving_since = time.monotonic()
        self.transport.write(self._last_words)
        self.transport.write_eof()


@lru_cache(maxsize=64)
def _lines(headers: tuple[Header, ...]) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)
