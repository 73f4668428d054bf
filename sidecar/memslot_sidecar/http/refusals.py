"""What HTTP itself refuses, before there is a call: a wrong verb, a strange page, a body that does not come. Never audited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

Header = tuple[bytes, bytes]


class Refused(Exception):
    """Base of all refusals. ``code`` is Connect's; ``status`` is HTTP's; ``reason`` is for programs, where there is one to tell."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "invalid_argument"
    reason: ClassVar[str] = ""

    def __init__(self, message: str, *headers: Header) -> None:
        super().__init__(message)
        self.message = message
        self.headers: Sequence[Header] = headers


class BadRequest(Refused):
    """A header makes no sense."""

    reason = "BAD_REQUEST"


class NoSuchRoute(Refused):
    """Nothing is served at this path."""

    status, code, reason = 404, "unimplemented", "NO_SUCH_ROUTE"


class StreamingOnly(Refused):
    """The method's answer is a stream, which this face does not carry."""

    status, code, reason = 501, "unimplemented", "STREAMING_METHOD"


class WrongVerb(Refused):
    """The path takes another HTTP method."""

    status, code, reason = 405, "unimplemented", "WRONG_HTTP_METHOD"


class WrongContentType(Refused):
    """The body is of a type that the path does not take, a browser's form for one."""

    status, code, reason = 415, "invalid_argument", "WRONG_CONTENT_TYPE"


class UnknownEncoding(Refused):
    """The body is compressed in a way that nobody here undoes."""

    status, code, reason = 501, "unimplemented", "UNKNOWN_ENCODING"


class CrossSite(Refused):
    """A browser sent the request for a page of another site."""

    status, code, reason = 403, "permission_denied", "CROSS_SITE"


class MessageTooLarge(Refused):
    """The message is larger than the server takes. It has gRPC's code, and no reason, as there."""

    status, code = 429, "resource_exhausted"


class TooSlow(Refused):
    """The deadline that the caller named has passed."""

    status, code = 504, "deadline_exceeded"


class Gone(Exception):
    """The caller went away before the request was whole: there is nobody to answer."""
