"""What README.md and docs/ name amid their sentences is there: commands, flags, targets, extras, files."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from tests.project.pages import PAGES, README, ROOT, Page

from memslot_sidecar import cli
from memslot_sidecar.config import load

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NESTED = {"namespaces": ("list", "get", "set", "delete"), "audit": ("schema", "reconcile")}
COMMANDS = [(name,) for name in cli.COMMANDS] + [(name, deed) for name, deeds in NESTED.items() for deed in deeds]
BENCHMARKS = (ROOT / "tests/benchmarks/run.py").read_text(encoding="utf-8")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@lru_cache
def flags(command: tuple[str, ...]) -> frozenset[str]:
    """The flags that a command of memslot tells in its help."""
    return frozenset(re.findall(r"--[a-z][a-z-]*", help_of(command)))


def help_of(command: tuple[str, ...]) -> str:
    """What a command prints with --help."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), pytest.raises(SystemExit):
        cli.main([*command, "--help"])
    return told.getvalue()


def commands(page: Page, *beginnings: str) -> list[str]:
    """The commands of a page that begin so, in blocks and amid sentences."""
    return [text for text in [*page.lines(), *page.spans()] if text.startswith(beginnings)]


@each_page
def test_commands_and_flags_are_known(page: Page) -> None:
    """Each command of memslot exists, and takes the flags that stand behind it."""
    for text in commands(page, "memslot "):
        words = shlex.split(text.split(" | ")[0])[1:]
        if words[0] != "--help":
            command = tuple(words[:2]) if tuple(words[:2]) in COMMANDS else (words[0],)
            assert command in COMMANDS, text
            assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", text)) <= flags(command), text


@each_page
def test_flags_alone_are_known(page: Page) -> None:
    """A flag that stands alone is one of some command, or of the benchmarks."""
    known = frozenset().union(*map(flags, COMMANDS)) | set(re.findall(r'"(--[a-z-]+)"', BENCHMARKS))
    named = {flag for text in commands(page, "--") for flag in re.findall(r"(?<!\S)--[a-z][a-z-]*", text)}
    assert named <= known


@each_page
def test_servers_start_as_they_are_started_there(page: Page, tmp_path: Path) -> None:
    """Each `memslot serve` that is written out is one that the server takes."""
    (tmp_path / "memslot.toml").write_text("")
    for text in commands(page, "memslot serve"):
        words = [word.replace("memslot.toml", str(tmp_path / "memslot.toml")) for word in shlex.split(text)[2:]]
        if words != ["--help"] and not (len(words) == 1 and words[0].startswith("--")):
            load(words, {})


def test_defaults_are_those_of_the_server() -> None:
    """The table of the front page tells the defaults that `memslot serve --help` tells."""
    table = README.text.split("\n## Configuration\n")[1].split("\n## ")[0]
    told = " ".join(help_of(("serve",)).split())
    for flag in ("--listen", "--data-dir", "--slot-limit", "--body-limit-bytes", "--ttl-default", "--versions-kept"):
        (default,) = re.findall(rf" {flag} [A-Z].*?\(default: (?:[^()]*that is )?([^()]*)\)", told)
        (row,) = [line for line in table.splitlines() if f"| `{flag}`" in line]
        assert default in re.sub(r"[`, ]", "", row), row


def test_the_fields_of_an_event_are_those_of_the_schema() -> None:
    """An auditor finds each of them in the table, once."""
    (page,) = [page for page in PAGES if page.name == "docs/audit.md"]
    table = page.text.split("\n## The fields of an event\n")[1].split("\n## ")[0]
    told = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    schema = json.loads((ROOT / "sidecar/memslot_sidecar/audit/event.schema.json").read_text(encoding="utf-8"))
    assert sorted(told) == sorted(schema["properties"])


@each_page
def test_make_targets(page: Page) -> None:
    """Each `make` target exists, and each case that `make bench` is told to measure."""
    defined = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for text in commands(page, "make "):
        assert text.split()[1] in defined, text
    cases = set(re.findall(r'^    "([a-z-]+)": \w+\.run,$', BENCHMARKS, re.MULTILINE))
    assert len(cases) > 10
    named = " ".join(commands(page, "make bench", "--only "))
    assert {case for listed in re.findall(r"--only ([a-z,-]+)", named) for case in listed.split(",")} <= cases


@each_page
def test_extras_are_there(page: Page) -> None:
    """Each extra that a page says to install is one of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for listed in re.findall(r"(?:memslot|\.)\[([a-z0-9,-]+)\]", " ".join(commands(page, "pip ", "memslot["))):
        assert set(listed.split(",")) <= set(project["optional-dependencies"])


@each_page
def test_files_of_other_tools_are_there(page: Page) -> None:
    """What a page hands to docker, kubectl, python or bash is in the repository. (tests/deploy and CI run what is made of it.)"""
    for text in commands(page, "docker ", "kubectl ", "python ", "bash "):
        for word in shlex.split(text):
            if "/" in word:
                assert (ROOT / word).exists(), text
