"""What deploy/logs/README.md says of settings is so."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.deploy.logs.collector import unused_port
from tests.deploy.logs.conftest import LOGS, ROOT, program

from memslot_sidecar.options import AUDITING

README = (LOGS / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["audit_file_limit_bytes", "audit_file_limit"])
def test_the_limits_of_a_file_are_the_defaults(name: str) -> None:
    """Wherever README gives one, it is the one that holds when nothing is said."""
    (option,) = (option for option in AUDITING if option.name == name)
    said = re.findall(rf"(\S+) \(`{option.flag}`\)", README)
    assert said == [option.default]


@pytest.mark.slow
def test_trying_it(tmp_path: Path, collector_program: str) -> None:
    """The commands of "Try it" bring an event through the collector into a file, whose modes are those that are told."""
    assert collector_program
    program("jq")
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    (script,) = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    target = f"127.0.0.1:{unused_port()}"
    env = {name: value for name, value in os.environ.items() if not name.startswith("MEMSLOT_AUDIT")} | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "MEMSLOT_LISTEN": target,
        "MEMSLOT_TARGET": target,
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "umask 022\n" + script.replace("127.0.0.1:7420", target) + "wait"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "complete: each revision is told exactly once" in done.stdout
    (events,) = (tmp_path / "try/audit").iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (events.parent, events)]
    assert [f"{mode:04o}" for mode in modes] == ["0750", "0640"]
    assert "has the mode 0750, the files in it 0640" in README
