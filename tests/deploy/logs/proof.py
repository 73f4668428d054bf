"""Proof that a trail, or what was collected of it, is complete."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.system.process import MEMSLOT


def reconcile(directory: Path, *arguments: Path | str) -> str:
    """What `memslot audit reconcile` finds wrong between a stopped store and lines, from revision 1 on; empty when nothing."""
    flags = [argument for argument in arguments if isinstance(argument, str)]
    files = [str(argument) for argument in arguments if isinstance(argument, Path)]
    command = [MEMSLOT, "audit", "reconcile", "--data-dir", directory, "--from-start", *flags, "--audit-file", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stdout}{done.stderr}"
