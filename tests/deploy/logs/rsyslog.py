"""An rsyslog in a process of its own, with the configuration of deploy/logs/rsyslog and nothing else."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.system.process import PATIENCE_S, eventually

CONFIGURATION = Path(__file__).resolve().parents[3] / "deploy/logs/rsyslog/memslot.conf"


class Rsyslog:
    """Reads ``folder/audit``, writes to ``folder/out``; may be started, killed and started again."""

    def __init__(self, program: str, folder: Path) -> None:
        self.out = folder / "out"
        spool = folder / "spool"
        for path in (self.out, spool, folder / "audit"):
            path.mkdir(exist_ok=True)
        text = CONFIGURATION.read_text().replace("/var/log/memslot-collected/", f"{self.out}/")
        (folder / "memslot.conf").write_text(text.replace("/var/log/memslot/", f"{folder}/audit/"))
        main = folder / "rsyslog.conf"
        main.write_text(
            f'global(maxMessageSize="64k" workDirectory="{spool}")\ninclude(file="{folder}/memslot.conf" mode="required")\n'
        )
        self._check = [program, "-N1", "-f", str(main)]
        self._pid_file = folder / "rsyslog.pid"
        self._command = [program, "-n", "-f", str(main), "-i", str(self._pid_file)]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Rsyslog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def checked(self) -> str:
        """What rsyslog finds wrong with its configuration."""
        done = subprocess.run(self._check, capture_output=True, text=True, check=False)
        wrong = [line for line in done.stderr.splitlines() if "config validation run" not in line]
        return "\n".join(wrong) or ("" if done.returncode == 0 else f"exit code {done.returncode}")

    def start(self) -> None:
        """Starts it."""
        self._pid_file.unlink(missing_ok=True)
        self._process = subprocess.Popen(self._command)
        eventually(self._pid_file.exists, "rsyslog works")

    def kill(self) -> None:
        """Kills it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Lets it end orderly."""
        self._end(signal.SIGTERM)

    def events(self) -> list[dict[str, Any]]:
        """The events that it parsed so far. What a kill tore is left out."""
        return [json.loads(line) for line in self._lines("fields.jsonl") if _whole(line)]

    def messages(self) -> list[str]:
        """The messages in syslog's form so far."""
        return [line.decode() for line in self._lines("syslog")]

    def unparsed(self) -> list[bytes]:
        """The lines that were no events."""
        return self._lines("unparsed")

    def _lines(self, name: str) -> list[bytes]:
        path = self.out / name
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return [line for line in lines if line.endswith(b"\n")]

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE_S)
            self._process = None


def _whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
