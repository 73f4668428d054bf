"""Bodies that are easy to find again, and a search for them in whatever form they might have leaked."""

from __future__ import annotations

import base64
import json
import secrets


class Canary:
    """A random word for bodies of every kind. ``whole`` bodies hold it; the search also knows it encoded."""

    def __init__(self) -> None:
        self.word = f"canary{secrets.token_hex(12)}"
        word = self.word.encode()
        encoded = [base64.b64encode(b"\0" * shift + word)[4:-4] for shift in range(3)]
        self._traces = [word, word.hex().encode(), word[::-1], *encoded]

    @property
    def text(self) -> bytes:
        """A text that holds it."""
        return f"a text with {self.word} in it".encode()

    @property
    def document(self) -> bytes:
        """A JSON document that holds it."""
        return json.dumps({"key": self.word}).encode()

    @property
    def binary(self) -> bytes:
        """Bytes that are no text, and hold it."""
        return b"\xff\xfe" + self.word.encode() + b"\x00"

    @property
    def broken_document(self) -> bytes:
        """What is no JSON, and holds it."""
        return b'{"key": ' + self.word.encode()

    def is_in(self, data: bytes | str) -> bool:
        """Whether it stands in ``data``, plainly or encoded."""
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
        return any(trace in raw for trace in self._traces)
