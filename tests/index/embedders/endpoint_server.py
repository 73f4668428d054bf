"""A real HTTP server that answers as OpenAI's does, and can be told to answer otherwise."""

from __future__ import annotations

import base64
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from memslot_index.embedders.hashing import HashingEmbedder

EMBED = HashingEmbedder()


@dataclass
class Reply:
    """What is sent back; ``wait`` first, and piece by piece where ``endless`` says so."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: Event | None = None
    endless: bool = False


Answer = Callable[[dict[str, Any]], Reply]


def reply(value: Any, status: int = 200, **headers: str) -> Reply:
    """Return a reply in JSON."""
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status, json.dumps(value).encode(), names)


def embeddings(request: dict[str, Any]) -> Reply:
    """Embed by hashing, last text first, in the format that is asked for."""
    vectors = EMBED.passages(request["input"]).vectors
    data: list[dict[str, Any]] = [{"index": row, "embedding": vector.tolist()} for row, vector in enumerate(vectors)]
    if request.get("encoding_format") == "base64":
        data = [
            {"index": row, "embedding": base64.b64encode(vectors[row].tobytes()).decode()}
            for row in range(len(vectors))
        ]
    return reply({"object": "list", "data": data[::-1]})


def chat(text: str) -> Answer:
    """Answer a chat with ``text``."""
    return lambda _: reply({"choices": [{"message": {"role": "assistant", "content": text}}]})


class EndpointServer:
    """Answers each request by the first of ``script``, and by ``usual`` when that is empty; keeps what it was asked."""

    def __init__(self, usual: Answer = embeddings) -> None:
        self.usual = usual
        self.script: deque[Answer | Reply] = deque()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.url = ""

    def next_reply(self, request: dict[str, Any]) -> Reply:
        """Choose the reply to a request."""
        answer = self.script.popleft() if self.script else self.usual
        return answer if isinstance(answer, Reply) else answer(request)


@contextmanager
def running(usual: Answer = embeddings) -> Iterator[EndpointServer]:
    """Run a server on a port of this machine."""
    server = EndpointServer(usual)
    stopped = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.headers.append(dict(self.headers))
            server.paths.append(self.path)
            self._send(server.next_reply(request))

        def _send(self, answer: Reply) -> None:
            if answer.wait:
                answer.wait.wait(30)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                while answer.endless and not stopped.wait(0.01):
                    self.wfile.write(b" ")
            except ConnectionError:
                return

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield server
    finally:
        stopped.set()
        http.shutdown()
        http.server_close()
        thread.join()
