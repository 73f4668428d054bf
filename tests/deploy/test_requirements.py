"""What the Dockerfile installs: the sidecar, and the extras that are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.deploy.containers import DEPLOY, ROOT

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="runs on the image's Python, which has tomllib")
PROGRAM = DEPLOY / "docker/requirements.py"


def printed(extras: str) -> subprocess.CompletedProcess[str]:
    """What it prints for a build argument."""
    return subprocess.run([sys.executable, PROGRAM, extras], capture_output=True, text=True, cwd=ROOT, check=False)


def test_extras_are_added() -> None:
    """The sidecar's needs come always, those of an extra when it is named, with blanks or without."""
    alone = printed("").stdout.splitlines()
    assert [line for line in alone if line.startswith("apsw")]
    assert not [line for line in alone if line.startswith("httpx")]
    more = printed("tokens, openai").stdout.splitlines()
    assert more[: len(alone)] == alone
    assert [line[:5] for line in more[len(alone) :]] == ["bpe-o", "httpx"]


def test_an_extra_that_there_is_not_ends_the_build() -> None:
    """The sentence says which there are."""
    done = printed("tokns")
    assert done.returncode == 1
    assert "no extra 'tokns'; there are: sidecar" in done.stderr
    assert "tokens" in done.stderr


def test_the_build_copies_all_that_it_may() -> None:
    """What the Dockerfile copies is let through, and nothing else."""
    copied = {
        word
        for line in (DEPLOY / "docker/Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    }
    lines = Path(DEPLOY / "docker/Dockerfile.dockerignore").read_text().splitlines()
    assert {line[1:] for line in lines if line.startswith("!")} == copied
    assert all((ROOT / path).exists() for path in copied)
