"""Offers to speak another protocol are declined by going on in HTTP/1.1, as HTTP has it: Java's own client makes one with every request.

The parser stops at such an offer, and would take the request's body for the next request.
"""

from __future__ import annotations

from collections.abc import Iterable

from memslot_sidecar.http.refusals import Header


def declined(verb: bytes, url: bytes, version: str, headers: Iterable[Header]) -> bytes:
    """A request's head as it is without the offer, for a parser that reads it anew."""
    lines = [b"%s %s HTTP/%s" % (verb, url, version.encode())]
    for name, value in headers:
        if name == b"connection":
            lines.append(b"connection: " + _without_upgrade(value))
        elif name != b"upgrade":
            lines.append(b"%s: %s" % (name, value))
    return b"\r\n".join([*lines, b"", b""])


def _without_upgrade(options: bytes) -> bytes:
    return b", ".join(said for option in options.split(b",") if (said := option.strip()).lower() != b"upgrade")
