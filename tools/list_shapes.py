"""List the shapes that a model may write in README.md: one row a shape, made of the outputs that the tests hold the parser to.

`python tools/list_shapes.py` writes the table between its markers; the tests fail when it is not the one that this makes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memslot_sidecar.parsing import parse

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "sidecar" / "parsing" / "data"
CORPUS, MORE = DATA / "model_outputs.jsonl", DATA / "more_outputs.jsonl"
README = ROOT / "README.md"
BEGIN, END = "<!-- The shapes: made by tools/list_shapes.py -->\n", "<!-- The end of the shapes -->\n"
WIDTH = 96
SHOWN = {
    "prose": "prose-002-mention_in_chinese",
    "think": "think-008-thinking_tag_variant",
    "truncated": "truncated-001-cut_inside_value_string",
}
"""Outputs that show their shape better than the shortest one that runs."""

Case = dict[str, Any]


def table() -> str:
    """The table, one row a shape in alphabetical order."""
    corpus = read(CORPUS)
    every = corpus + read(MORE)
    shapes = sorted({case["family"] for case in corpus})
    heading = ["| shape | one of its outputs | strict | lenient | lenient mends |", "|---|---|---|---|---|"]
    return "\n".join(heading + [_row(shape, corpus, every) for shape in shapes]) + "\n"


def with_table(text: str) -> str:
    """The text of README.md with the table between the markers."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


def read(path: Path) -> list[Case]:
    """The outputs of a file."""
    return [json.loads(line) for line in path.read_text(encoding="ascii").split("\n") if line]


def _row(shape: str, corpus: list[Case], every: list[Case]) -> str:
    ours = [case for case in every if case["family"] == shape]
    strict = [case for case in ours if _expected(case, "strict")]
    lenient = [case for case in ours if _expected(case, "lenient")]
    actions = [action for case in ours for action in parse(case["output"], lenient=True).actions]
    marks = sorted({mark.replace("_", " ") for action in actions for mark in action.repaired})
    shown = _code(_shown(shape, [case for case in corpus if case["family"] == shape])["output"])
    return f"| {shape} | {shown} | {len(strict)} of {len(ours)} | {len(lenient)} of {len(ours)} | {', '.join(marks)} |"


def _expected(case: Case, mode: str) -> list[Any]:
    expect = case["expect"]
    actions: list[Any] = (expect if mode == "lenient" or case["strict"] else expect["strict_mode"])["actions"]
    return actions


def _shown(shape: str, cases: list[Case]) -> Case:
    if shape in SHOWN:
        return next(case for case in cases if case["id"] == SHOWN[shape])
    running = [case for case in cases if _expected(case, "strict")] or cases
    return min(running, key=lambda case: (case["defect"] != "none", len(case["output"])))


def _code(output: str) -> str:
    short = " ".join(output.split())
    short = short if len(short) <= WIDTH else short[: WIDTH - 1] + "…"
    return f"`` {short} ``".replace("|", "\\|")


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
