"""A `memslot serve` in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

START_LIMIT_S = 30.0
_MEMSLOT = "import sys; from memslot_sidecar.cli import main; sys.exit(main())"


class SidecarProcess:
    """Serves a store in `directory` on a free port and on the socket `directory/s`; a context manager.

    `target` is the address with its real port, `output` what was printed. `kill` and `stop` end it; `start` serves the same again.
    """

    def __init__(self, directory: Path, *arguments: str) -> None:
        self.directory = directory
        self.arguments: Sequence[str] = arguments
        self.socket = f"unix:{directory / 's'}"
        self.target = ""
        self.output = ""

    def __enter__(self) -> SidecarProcess:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def start(self) -> None:
        """Returns when the sidecar serves."""
        listen = self.target or "127.0.0.1:0"
        command = [sys.executable, "-c", _MEMSLOT, "serve", "--data-dir", str(self.directory / "data")]
        self._process = subprocess.Popen(
            [*command, "--listen", listen, "--listen", self.socket, *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={key: value for key, value in os.environ.items() if not key.startswith("MEMSLOT_")},
        )
        served = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(served,), daemon=True)
        self._reader.start()
        assert served.wait(START_LIMIT_S), f"the sidecar did not start: {self.output}"
        found = re.search(r"listening on +(127\.0\.0\.1:\d+)", self.output)
        assert found, self.output
        self.target = found[1]

    def kill(self) -> None:
        """Ends the process as a power failure would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends the process in an orderly way."""
        self._end(signal.SIGTERM)

    def signal(self, number: int) -> None:
        """Sends a signal, e.g. to stop it from answering for a while."""
        self._process.send_signal(number)

    def _end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.wait(START_LIMIT_S)
        self._reader.join(START_LIMIT_S)
        stdout: Any = self._process.stdout
        stdout.close()

    def _read(self, served: threading.Event) -> None:
        lines: Any = self._process.stdout
        for line in lines:
            self.output += line
            if "whole store" in line or "Error" in line:
                served.set()
        served.set()
