"""The faces of memslot: how each one's driver is started, and what it takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.places import http_missing

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Face:
    """One way to memslot. ``missing`` tells in a sentence what has to be installed, or nothing."""

    name: str
    command: Sequence[str]
    missing: Callable[[], str]
    door: str = "tcp"
    partial: bool = False
    """It has no idiomatic layer of its own, and may say so."""

    def environment(self) -> dict[str, str]:
        """What its driver is started with: nothing that says where memslot is."""
        return {key: value for key, value in os.environ.items() if not key.startswith("MEMSLOT_")}


def _python_module(name: str) -> list[str]:
    return [sys.executable, "-m", f"tests.conformance.{name}"]


def _script(language: str) -> list[str]:
    return [str(ROOT / "clients" / language / "driver")]


def _nothing() -> str:
    return ""


def _tools(
    language: str, wanted: str, minimum: tuple[int, int], *others: str, version: Sequence[str]
) -> Callable[[], str]:
    """What is missing for a client whose tools are named; ``version`` is the command that prints the first one's."""

    def missing() -> str:
        if not (ROOT / "clients" / language / "driver").exists():
            return f"clients/{language}/driver is not there"
        if any(shutil.which(tool) is None for tool in (version[0], *others)) or _told(version) < minimum:
            return f"the {language} face needs {wanted}"
        return ""

    return missing


def _told(command: Sequence[str]) -> tuple[int, int]:
    """The first version, major and minor, in what a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)(?:\.(\d+))?", done.stdout + done.stderr)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


FACES = (
    Face("python", _python_module("python_driver"), _nothing),
    Face("http", _python_module("http_driver"), http_missing, door="http", partial=True),
    Face(
        "go",
        _script("go"),
        _tools("go", "Go 1.26 or newer (https://go.dev/doc/install)", (1, 26), version=("go", "version")),
    ),
    Face(
        "typescript",
        _script("typescript"),
        _tools(
            "typescript",
            "Node 20.19 or newer with npm (https://nodejs.org, or Debian's packages nodejs and npm)",
            (20, 19),
            "npm",
            version=("node", "--version"),
        ),
    ),
    Face(
        "java",
        _script("java"),
        _tools(
            "java",
            "a JDK 17 or newer and Maven (Debian's packages openjdk-17-jdk-headless and maven)",
            (17, 0),
            "mvn",
            version=("javac", "-version"),
        ),
    ),
)
