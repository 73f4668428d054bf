"""A driver process: the client of one face, told what to do by lines of JSON."""

from __future__ import annotations

import itertools
import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

ANSWER_LIMIT_S = 60.0
BUILD_LIMIT_S = 900.0
STOP_LIMIT_S = 20.0


class Driver:
    """Starts the process; a context manager. May be asked from any number of threads."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = command
        self._environment = dict(environment)
        self._log = log
        self._ids = itertools.count(1)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._over = False

    def __enter__(self) -> Driver:
        with self._log.open("ab") as errors:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=self._environment,
                cwd=Path(__file__).parents[2],
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Ends the input; the driver must leave by itself, with 0."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            code = self._process.wait(STOP_LIMIT_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            code = self._process.wait()
        self._reader.join(STOP_LIMIT_S)
        self._process.stdout.close()
        assert code == 0, f"{self._command} ended with {code}: {self.written()[-2000:]}"

    def ask(self, limit_s: float = ANSWER_LIMIT_S, **request: Any) -> dict[str, Any]:
        """What the driver answers to one request. Raises AssertionError when it does not."""
        number, future = next(self._ids), Future[dict[str, Any]]()
        line = json.dumps({"id": number, **request}, ensure_ascii=False).encode()
        assert self._process.stdin is not None
        with self._lock:
            assert not self._over, f"the driver has ended: {self.written()[-2000:]}"
            self._waiting[number] = future
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        try:
            return future.result(limit_s)
        except TimeoutError:
            raise AssertionError(f"the driver did not answer {request['op']} in {limit_s:.0f} s") from None

    def await_started(self) -> None:
        """Returns when the driver, built where it must be, answers."""
        client = "first"
        self.ask(BUILD_LIMIT_S, op="open", client=client, target="127.0.0.1:1")
        self.ask(op="close", client=client)

    def written(self) -> str:
        """What the driver wrote to standard error so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                answer = json.loads(line)
            except ValueError:
                break
            self._waiting.pop(answer["id"]).set_result(answer)
        with self._lock:
            self._over = True
        for future in self._waiting.values():
            future.set_exception(AssertionError(f"the driver ended, or wrote no JSON: {self.written()[-2000:]}"))
