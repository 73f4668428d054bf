"""What callers say about themselves, cut to what is kept of it."""

from __future__ import annotations

SAID_LIMIT_BYTES = 128
"""How much is kept of each thing that a caller says about itself."""


def said(value: str | bytes) -> str:
    """At most 128 bytes of printable text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    printable = "".join(character for character in value[:SAID_LIMIT_BYTES] if character.isprintable())
    return printable.encode("utf-8", "replace")[:SAID_LIMIT_BYTES].decode("utf-8", "ignore")
