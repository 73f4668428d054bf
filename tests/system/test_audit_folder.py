"""The audit trail of a served sidecar in a folder of files that are never renamed."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest
from tests.system.process import MEMSLOT, Served, eventually
from tests.system.test_audit import reconcile, write

LISTEN = ("--listen", "127.0.0.1:0")


def files_in(folder: Path) -> set[Path]:
    """The files of a folder, if it is there."""
    return set(folder.iterdir()) if folder.exists() else set()


@pytest.mark.slow
def test_a_killed_sidecar_tells_each_revision_once_over_all_files(tmp_path: Path) -> None:
    """Killed again and again, with files begun by hangups between, the files together tell each revision exactly once."""
    folder = tmp_path / "audit"
    for turn in range(4):
        with Served("--data-dir", tmp_path / "data", "--audit-file", f"{folder}/", *LISTEN) as served:
            served.ready()
            for part in range(3):
                before = files_in(folder)
                write(served, *(f"s{turn}-{part}-{number}" for number in range(5)))
                served.signal(signal.SIGHUP)
                if part < 2:
                    # The last ones are left to chance: the lines of some milliseconds are written together.
                    eventually(lambda before=before: files_in(folder) > before, "the next file is begun")
            served.signal(signal.SIGKILL)
            served.exit_code()
    with Served("--data-dir", tmp_path / "data", "--audit-file", f"{folder}/", *LISTEN) as served:
        served.ready()
        assert served.stop() == 0
    files = sorted(folder.iterdir())
    assert len(files) >= 8
    done = reconcile("--data-dir", tmp_path / "data", "--from-start", "--audit-file", *files)
    assert done.returncode == 0, done.stdout
    assert "revisions 1 to 60" in done.stdout


def test_a_folder_that_another_sidecar_writes_is_refused_at_start(tmp_path: Path) -> None:
    """Two sidecars never share a folder: the second says why it does not start."""
    with Served("--data-dir", tmp_path / "data", "--audit-file", f"{tmp_path}/audit/", *LISTEN) as served:
        served.ready()
        write(served, "a")
        eventually(lambda: len(list((tmp_path / "audit").iterdir())) == 1, "its event is written")
        command = [MEMSLOT, "serve", "--data-dir", tmp_path / "other", "--audit-file", tmp_path / "audit", *LISTEN]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 1
        assert "another process writes its audit trail to it" in done.stderr
        assert served.stop() == 0
