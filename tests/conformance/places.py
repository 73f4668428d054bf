"""Where the clients of a run connect: real sidecars, and a proxy on which things go wrong."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from tests.client.sidecar_process import SidecarProcess
from tests.support.reply_proxy import ReplyProxy

SETTINGS = """
token_counter = "chars"
sweep_interval = "200ms"
# Nobody listens there: an embedder that is down.
openai_url = "http://127.0.0.1:9/v1"
openai_key_env = "CONFORMANCE_KEY"
openai_timeout = "500ms"

[[namespace]]
pattern = "*/capped/**"
[namespace.caps]
slot_limit = 10
"""
_WAIT_S = 20.0


def http_missing() -> str:
    """What a sidecar lacks to serve HTTP, in a sentence."""
    lacking = [name for name in ("uvicorn", "httptools", "prometheus_client") if find_spec(name) is None]
    return f"HTTP needs {', '.join(lacking)}: pip install 'memslot[http]'" if lacking else ""


class Places:
    """A sidecar with all its doors, and another one with a store of its own; a context manager."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "memslot.toml"
        settings.write_text(SETTINGS, encoding="utf-8")
        arguments = ["--config", str(settings), "--store-limit-bytes-per-root", "9MB"]
        http = [] if http_missing() else ["--http-listen", "127.0.0.1:0", "--http-listen", f"unix:{folder / 'h'}"]
        self._http_socket = f"unix:{folder / 'h'}"
        self.first = SidecarProcess(folder / "a", *arguments, *http)
        self.other = SidecarProcess(folder / "b", *arguments, *http[:2], "--store", "ram")

    def __enter__(self) -> Places:
        for sidecar in (self.first, self.other):
            sidecar.directory.mkdir()
            sidecar.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.other.stop()
        self.first.stop()

    def target(self, place: str, door: str) -> str:
        """Where ``place`` (`sidecar` or `other`) is reached by ``door`` (`tcp`, `unix`, `http` or `http-unix`)."""
        sidecar = self.other if place == "other" else self.first
        doors = {"tcp": sidecar.target, "unix": sidecar.socket, "http": _http(sidecar), "http-unix": self._http_socket}
        return doors[door]


def _http(sidecar: SidecarProcess) -> str:
    found = re.search(r"http on +(http://127\.0\.0\.1:\d+)", sidecar.output)
    return found[1] if found else ""


class Proxy(ReplyProxy):
    """A proxy that may also refuse, or stay away. ``refused`` counts the connections that were refused."""

    def __init__(self, upstream: str) -> None:
        super().__init__(upstream)
        self._refusing = threading.Event()
        self.refused = 0

    def refuse(self) -> None:
        """From now on every connection is reset, those that exist too."""
        self._refusing.set()
        self.cut()

    def heal(self) -> None:
        """Connections that are made from now on work."""
        self._refusing.clear()
        super().heal()

    def await_refused(self) -> None:
        """Returns when a connection was refused."""
        end = time.monotonic() + _WAIT_S
        while not self.refused:
            assert time.monotonic() < end, "nobody tried to connect"
            time.sleep(0.005)

    def admit(self, client: socket.socket) -> bool:
        """Whether a connection is taken; one that is not is reset."""
        if not self._refusing.is_set():
            return True
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        self.refused += 1
        return False


ACTIONS: Mapping[str, str] = {
    "lose_replies": "what the server answers does not come through",
    "refuse": "connections are reset",
    "await_refused": "wait until one was",
    "cut": "all connections end",
    "heal": "all is well again",
}
