"""What the drivers written in Python share: one JSON object a line in, one a line out, each answered when it is done."""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Request = dict[str, Any]
Answer = dict[str, Any]
_AT_ONCE = 96


def serve(answer: Callable[[Request], Answer]) -> None:
    """Answers each line of standard input until it ends."""
    out = threading.Lock()

    def work(request: Request) -> None:
        try:
            done = answer(request)
        except Exception as error:  # noqa: BLE001 - what no client foresaw is told as a fault of the face
            text = "".join(traceback.format_exception(error))
            done = {"error": failure(code="UNKNOWN", kind=type(error).__name__, text=text)}
        line = json.dumps({"id": request["id"], **done}, ensure_ascii=True)
        with out:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for line in sys.stdin:
            pool.submit(work, json.loads(line))


def failure(
    *,
    code: str,
    kind: str,
    text: str,
    reason: str = "",
    own_reason: str = "",
    metadata: dict[str, str] | None = None,
    field: str = "",
    details: list[Any] | None = None,
) -> dict[str, Any]:
    """An error as the drivers tell it. ``reason`` is the server's, ``own_reason`` the client's."""
    return {
        "code": code,
        "reason": reason,
        "own_reason": own_reason,
        "metadata": metadata or {},
        "field": field,
        "details": details or [],
        "type": kind,
        "text": text,
    }
