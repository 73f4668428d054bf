"""README.md and docs/ show the truth: their commands are run as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.project.pages import BLOCK, PAGES, ROOT, Page

from memslot_sidecar.config import load

RUN = {"sh", "python", "toml"}
SHOWN = {"json", "text"}
ELSEWHERE = ("pip install", "make ", "make\n", "memslot serve", "curl ")
"""Commands that other tests and CI run: the wheel in a clean environment, the Makefile's targets (both: test_named_commands.py), the server
of the fixture, what is asked by HTTP (tests/system/test_http_commands.py)."""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(page.blocks("python"), 1)
]


def runs_here(line: str) -> bool:
    """Whether the shell test runs a command."""
    return not f"{line}\n".startswith(ELSEWHERE)


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a new user in a clone, with a running sidecar on a free port instead of 7420."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    recorded = [json.loads(line) for line in (ROOT / "examples/trace.jsonl").read_text(encoding="utf-8").splitlines()]
    # In the form of the file that docs/costs.md tells its readers to fetch.
    trajectories = [{"task_id": number, "traj": run["messages"]} for number, run in enumerate(recorded)]
    (tmp_path / "gpt-4o-airline.json").write_text(json.dumps(trajectories), encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("MEMSLOT_", "XDG_"))}
    env = inherited | {
        "HOME": str(tmp_path),
        "MEMSLOT_LISTEN": "127.0.0.1:0",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    server = subprocess.Popen(["memslot", "serve"], env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    while not (line := server.stderr.readline()).startswith("  listening on"):
        assert line, "the sidecar ended before it served"
    yield env | {"MEMSLOT_TARGET": line.split()[-1]}
    server.send_signal(signal.SIGTERM)
    server.communicate()


def run(command: list[str], code: str, environment: dict[str, str], folder: Path) -> None:
    """Runs code of a page, with the sidecar of the test in the place of the default one."""
    code = code.replace("127.0.0.1:7420", environment["MEMSLOT_TARGET"])
    done = subprocess.run(
        [*command, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(map(runs_here, page.lines()))], ids=lambda page: page.name
)
def test_shell_blocks(page: Page, environment: dict[str, str], tmp_path: Path) -> None:
    """Every shell command of a page works, in the order in which it stands there."""
    script = "\n".join(["set -euo pipefail", *filter(runs_here, page.lines())])
    run(["bash"], script, environment, tmp_path)


@pytest.mark.parametrize("code", EXAMPLES)
def test_python_blocks(code: str, environment: dict[str, str], tmp_path: Path) -> None:
    """Every Python example of a page runs."""
    run([sys.executable], code, environment, tmp_path)


@pytest.mark.parametrize("text", [text for page in PAGES for text in page.blocks("toml")])
def test_settings_files(text: str, tmp_path: Path) -> None:
    """Every settings file of a page is one that `memslot serve` takes."""
    path = tmp_path / "memslot.toml"
    path.write_text(text)
    assert load(["--config", str(path)], {}).rules


def test_the_unit_of_systemd(tmp_path: Path) -> None:
    """It starts the server by the settings file of its page, and makes the folders that are named there."""
    (page,) = [page for page in PAGES if page.name == "docs/operations.md"]
    (unit,) = [text for text in page.blocks("text") if "[Service]" in text]
    said = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    path = tmp_path / "memslot.toml"
    path.write_text(page.blocks("toml")[0])
    program, command, *words = shlex.split(said["ExecStart"])
    assert (program.rpartition("/")[2], command) == ("memslot", "serve")
    settings = load([word.replace("/etc/memslot.toml", str(path)) for word in words], {})
    assert said["ExecStartPost"].split()[-1] == settings.listen[0]
    assert str(settings.data_dir) == f"/var/lib/{said['StateDirectory']}"
    assert settings.listen == (f"unix:/run/{said['RuntimeDirectory']}/memslot.sock",)
    assert settings.audit_file == f"/var/log/{said['LogsDirectory']}/"


@each_page
def test_no_block_escapes(page: Page) -> None:
    """Each block of a page is run by a test, or is of a kind that holds no commands, and holds none."""
    blocks = BLOCK.findall(page.text)
    assert len(re.findall(r"^\s*(?:```|~~~)", page.text, re.MULTILINE)) == 2 * len(blocks)
    assert {kind for kind, _ in blocks} <= RUN | SHOWN
    shown = "\n".join(text for kind, text in blocks if kind in SHOWN)
    assert not re.findall(r"^(?:[$>#] |memslot |pip |make |curl |python |docker |kubectl ).*", shown, re.MULTILINE)
    for text in page.blocks("json"):
        json.loads(text)


def test_the_pages_have_all_kinds_of_blocks() -> None:
    """No test of blocks is empty."""
    assert {kind for page in PAGES for kind, _ in BLOCK.findall(page.text)} == RUN | SHOWN
    assert len(PAGES) > 5
    assert sum(any(map(runs_here, page.lines())) for page in PAGES) > 5
    assert len(EXAMPLES) > 5
