"""The bare ASGI server that HTTP is measured against: uvicorn as memslot sets it up, nothing of ours, in a process of its own.

It answers every POST and GET with the bytes that the last PUT brought. Run as ``python -m tests.benchmarks.bare_asgi ADDRESS``; writes one
line when it listens.
"""

from __future__ import annotations

import sys
from typing import Any

import uvicorn
from tests.benchmarks.event_loop import run

_kept = {"body": b""}


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Takes the whole request and answers, as the least that a server does."""
    body = b""
    more = True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    if scope["method"] == "PUT":
        _kept["body"] = body
    answer = _kept["body"]
    headers = [
        (b"content-type", b"application/json"),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"content-length", b"%d" % len(answer)),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


class Server(uvicorn.Server):
    """uvicorn that says when it listens."""

    async def startup(self, sockets: Any = None) -> None:
        """Listens."""
        await super().startup(sockets)
        sys.stdout.write("listening\n")
        sys.stdout.flush()


if __name__ == "__main__":
    host, _, port = sys.argv[1].rpartition(":")
    config = uvicorn.Config(
        app, host, int(port), http="httptools", ws="none", lifespan="off", interface="asgi3", log_level="error",
        access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=75,
    )  # fmt: skip
    run(Server(config).serve())
