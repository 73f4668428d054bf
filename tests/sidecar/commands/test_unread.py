"""Output that nobody reads to its end."""

from __future__ import annotations

import os
import subprocess
import sys


def test_a_reader_who_has_seen_enough_is_no_failure_to_tell() -> None:
    """Behind ``| head`` a command ends without a word, with the exit code of a program that SIGPIPE ended."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "memslot_sidecar", "audit", "schema"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
