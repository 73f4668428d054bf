"""The pages that users read first: README.md and all of docs/. Whatever is put into docs/ is held to the same tests."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
SPAN = re.compile(r"(`+) ?(.+?) ?\1", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A text in Markdown."""

    path: Path

    @property
    def name(self) -> str:
        """Where it is in the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        """All of it."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def prose(self) -> str:
        """What is no block of code."""
        return BLOCK.sub("", self.text)

    def blocks(self, language: str) -> list[str]:
        """Its blocks of code in a language, in order."""
        return [text for kind, text in BLOCK.findall(self.text) if kind == language]

    def lines(self) -> list[str]:
        """The commands of its shell blocks, in order; one that goes on in the next line is one."""
        whole = "".join(self.blocks("sh")).replace("\\\n", " ")
        return [line for line in whole.splitlines() if line.strip()]

    def spans(self) -> list[str]:
        """The code amid its sentences, without what is folded away."""
        return [" ".join(code.split()) for _, code in SPAN.findall(FOLDED.sub("", self.prose))]

    def links(self) -> list[str]:
        """Where its links lead."""
        return LINK.findall(SPAN.sub("", self.prose))

    def anchors(self) -> set[str]:
        """Its headings, as links name them."""
        told: set[str] = set()
        for heading in HEADING.findall(self.prose):
            kept = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            told.add(next(name for name in [kept, *(f"{kept}-{again}" for again in range(1, 99))] if name not in told))
        return told


def written(pattern: str) -> list[Path]:
    """The files that git tracks or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", pattern]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


README = Page(ROOT / "README.md")
PAGES = [README, *(Page(path) for path in sorted((ROOT / "docs").rglob("*.md")))]
