"""Prints what the sidecar and the extras that are named (separated by commas) need, a requirement a line, from the pyproject.toml here."""

from __future__ import annotations

import sys
from pathlib import Path

import tomllib


def main() -> None:
    """Prints. An extra that there is not ends the build with a sentence."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = ["sidecar", *(name.strip() for name in sys.argv[1].split(",") if name.strip())]
    for name in wanted:
        if name not in extras:
            raise SystemExit(f"there is no extra {name!r}; there are: {', '.join(extras)}")
    lines = [*project["dependencies"], *(line for name in wanted for line in extras[name])]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
