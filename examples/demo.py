"""The sidecar at work: `make demo`.

Starts a sidecar in a temporary folder, replays a small recorded agent run through it, then looks up names, reads one slot, forgets it, and shows
the audit lines that this left.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

TRACE = Path(__file__).parent / "trace.jsonl"
MEMSLOT = [sys.executable, "-m", "memslot_sidecar"]


def main() -> int:
    """Runs the demonstration; 0 when every step worked."""
    with tempfile.TemporaryDirectory(prefix="memslot-demo-") as folder:
        target = f"unix:{folder}/memslot.sock"
        audit = Path(folder) / "audit.jsonl"
        os.environ |= {"MEMSLOT_TARGET": target, "COLUMNS": os.environ.get("COLUMNS", "110")}
        serve = ["serve", "--data-dir", folder, "--listen", target, "--audit-file", str(audit)]
        print(f"$ memslot {' '.join(serve).replace(folder, 'DIR')} &", flush=True)
        server = subprocess.Popen([*MEMSLOT, *serve], stderr=subprocess.PIPE, text=True)
        try:
            _wait_for_announcement(server, folder)
            _show(audit)
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()
        return server.returncode


def _wait_for_announcement(server: subprocess.Popen[str], folder: str) -> None:
    """Prints what the sidecar says once it serves."""
    assert server.stderr is not None
    for line in server.stderr:
        print("  " + line.replace(folder, "DIR"), end="", flush=True)
        if line.startswith("  whole store"):
            return
    raise SystemExit(f"the sidecar ended with exit code {server.wait()} before it served")


def _show(audit: Path) -> None:
    _memslot("replay", str(TRACE), "--namespace", "demo")
    run = _first_run()
    before = len(audit.read_text().splitlines())
    listed = json.loads(_memslot("lookup", "--namespace", run, "--json", shown=False))
    _memslot("lookup", "--namespace", run)
    name = listed["slots"][0]["name"]
    _memslot("read", name, "--namespace", run)
    _memslot("forget", name, "--namespace", run)
    print("$ tail audit.jsonl   # what these calls left: names, sizes and outcomes, never a body")
    for line in _lines_after(audit, before):
        event = json.loads(line)
        kept = ("operation", "namespace", "names", "revision", "outcome", "code", "body_bytes", "duration_us")
        print(
            "  "
            + json.dumps({key: event[key] for key in kept if event.get(key) not in (None, "", [])}, ensure_ascii=False)
        )


def _first_run() -> str:
    listed = json.loads(_memslot("namespaces", "list", "--parent", "demo", "--json", shown=False))
    return str(listed["namespaces"][0]["name"])


def _memslot(*args: str, shown: bool = True) -> str:
    """Runs a command, shows it as a person would type it, and returns what it printed."""
    done = subprocess.run([*MEMSLOT, *args], check=True, stdout=subprocess.PIPE, text=True)
    if shown:
        typed = " ".join(f"'{arg}'" if " " in arg else arg for arg in args).replace(str(TRACE), "examples/trace.jsonl")
        print(f"$ memslot {typed}\n{done.stdout}", flush=True)
    return done.stdout


def _lines_after(audit: Path, count: int) -> list[str]:
    """The audit lines from ``count`` on, once the last call's line is there."""
    while True:
        lines = audit.read_text().splitlines()[count:]
        if any('"operation":"Forget"' in line for line in lines):
            return lines


if __name__ == "__main__":
    sys.exit(main())
