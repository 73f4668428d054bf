"""What a connection is ended with when there is no request that could be answered: whole answers, in the form of all errors."""

from __future__ import annotations

from memslot_sidecar.http.answers import OK_JSON, error_body
from memslot_sidecar.http.refusals import Header

HEAD_LIMIT_BYTES = 32_768
"""A request's line and headers; also what may come between two pieces of a body."""
CONNECTION_LIMIT = 512


def _last_words(status: str, code: str, message: str, *headers: Header) -> bytes:
    body = error_body(code, message, ())
    said = (*OK_JSON, *headers, (b"connection", b"close"), (b"content-length", b"%d" % len(body)))
    return b"HTTP/1.1 %b\r\n%b\r\n%b" % (status.encode(), b"".join(b"%b: %b\r\n" % header for header in said), body)


NO_HTTP = _last_words(
    "400 Bad Request", "invalid_argument", "what came is no HTTP/1.1 request: check what the client sends to this port"
)
TOO_LONG = _last_words(
    "431 Request Header Fields Too Large",
    "resource_exhausted",
    f"the request's line and headers take more than {HEAD_LIMIT_BYTES} bytes: shorten them",
)
TOO_MANY = _last_words(
    "503 Service Unavailable",
    "unavailable",
    f"this server has {CONNECTION_LIMIT} connections, and takes no more: use one for many requests",
    (b"retry-after", b"1"),
)
