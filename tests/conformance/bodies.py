"""Bodies that were sent, and must stand in no error and no log."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

_SHORTEST = 8
_BODIES = {"body", "value", "text", "output", "said", "prompt", "patch", "outputBytes", "answer"}
_LOOKED_FOR = 200


def bodies_in(request: Any) -> set[str]:
    """Texts in a request that no error may repeat, of eight characters and more; of long ones the beginning."""
    return {text[:_LOOKED_FOR] for text in _bodies(request) if len(text) >= _SHORTEST}


def _bodies(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _bodies(item, name if name in _BODIES else "")
        if isinstance(value.get("writes"), dict):
            yield from (text for text in value["writes"].values() if isinstance(text, str))
    elif isinstance(value, list):
        for item in value:
            yield from _bodies(item, key)
    elif key and isinstance(value, str):
        yield value
        if key == "body":
            yield base64.b64decode(value).decode("utf-8", "replace")
    elif key and value is not None:
        yield json.dumps(value)
