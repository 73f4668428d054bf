"""A real Chroma server, in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx


class ChromaServer:
    """`chroma run` on a folder and on a port that stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        code = "from chromadb.cli.cli import app; app()"
        where = ["run", "--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self._port)]
        with (self._folder.parent / "chroma.log").open("ab") as log:
            self._process = subprocess.Popen([sys.executable, "-c", code, *where], stdout=log, stderr=log)
        while not self._answers():
            assert self._process.poll() is None, (self._folder.parent / "chroma.log").read_text()
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let it take connections and answer none."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/v2/heartbeat").is_success
        except httpx.TransportError:
            return False
