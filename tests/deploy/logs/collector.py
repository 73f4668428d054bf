"""OpenTelemetry collectors in processes of their own, and what they received."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.system.process import PATIENCE_S, eventually

SYNCHRONOUS = "--feature-gates=stanza.synchronousLogEmitter"
_GATEWAY = """
receivers:
  otlp:
    protocols:
      grpc:
        endpoint: {endpoint}
exporters:
  file:
    path: {path}
    flush_interval: 50ms
service:
  telemetry: {{metrics: {{level: none}}}}
  pipelines:
    logs: {{receivers: [otlp], exporters: [file]}}
"""


_PORTS = 5


class Ended(AssertionError):
    """A collector ended by itself; its words say why."""


def unused_port() -> int:
    """A port that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return int(unused.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Record:
    """A log record: its body, its attributes and those of its resource, as Python values."""

    body: Any
    attributes: dict[str, Any]
    resource: dict[str, Any]
    time_ns: int
    severity: int
    severity_text: str


class Collector:
    """A collector that may be started, killed and started again; ended with the ``with``."""

    def __init__(self, program: str, config: Path, log: Path, env: Mapping[str, str] | None = None) -> None:
        self._command = [program, "--config", str(config), SYNCHRONOUS]
        self._log = log
        self._env = {**os.environ, **(env or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Collector:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def log(self) -> str:
        """What it told people, over all its lives."""
        return self._log.read_text() if self._log.exists() else ""

    def start(self) -> None:
        """Starts it, and waits until it works."""
        ready = self.log.count("Everything is ready") + 1
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, env=self._env, stdout=log, stderr=log)
        eventually(lambda: self.log.count("Everything is ready") == ready or self._ended(), "the collector works")
        if self._ended():
            raise Ended(self.log)

    def kill(self) -> None:
        """Kills it, as a power failure would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Lets it end orderly."""
        self._end(signal.SIGTERM)

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE_S)
            self._process = None


class Gateway(Collector):
    """A collector that takes OTLP and writes it to a file."""

    def __init__(self, program: str, folder: Path) -> None:
        folder.mkdir()
        self.endpoint = ""
        self._out = folder / "received.jsonl"
        self._config = folder / "config.yaml"
        super().__init__(program, self._config, folder / "collector.log")

    def __enter__(self) -> Gateway:
        for left in reversed(range(_PORTS)):
            self.endpoint = f"127.0.0.1:{unused_port()}"
            self._config.write_text(_GATEWAY.format(endpoint=self.endpoint, path=self._out))
            try:
                self.start()
            except Ended:
                # Between the look and the collector's listening, somebody else has taken the port.
                if not left or f"{self.endpoint}: bind: address already in use" not in self.log:
                    raise
            else:
                break
        return self

    def records(self) -> list[Record]:
        """What it received so far."""
        return records_in(self._out)

    def wait_for(self, lines: Collection[str]) -> None:
        """Waits until each line is the body of a record."""
        try:
            eventually(lambda: {record.body for record in self.records()} >= set(lines), "all lines arrive")
        except AssertionError:
            missing = sorted(set(lines) - {record.body for record in self.records()})
            raise AssertionError(f"{len(missing)} of {len(lines)} lines never arrived, such as {missing[:2]}") from None


def records_in(path: Path) -> list[Record]:
    """The records that a file exporter wrote, whole lines only."""
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [record for line in lines if line.endswith(b"\n") for record in _records(json.loads(line))]


def _records(data: dict[str, Any]) -> list[Record]:
    return [
        Record(
            _value(record["body"]),
            _map(record.get("attributes", ())),
            _map(group["resource"].get("attributes", ())),
            int(record.get("timeUnixNano", 0)),
            record.get("severityNumber", 0),
            record.get("severityText", ""),
        )
        for group in data["resourceLogs"]
        for scope in group["scopeLogs"]
        for record in scope["logRecords"]
    ]


def _map(pairs: Any) -> dict[str, Any]:
    return {pair["key"]: _value(pair["value"]) for pair in pairs}


def _value(value: dict[str, Any]) -> Any:
    """A value of OTLP in JSON: integers are texts there, null is nothing."""
    if not value:
        return None
    [(kind, content)] = value.items()
    if kind == "intValue":
        return int(content)
    if kind == "arrayValue":
        return [_value(item) for item in content.get("values", ())]
    if kind == "kvlistValue":
        return _map(content.get("values", ()))
    return content
