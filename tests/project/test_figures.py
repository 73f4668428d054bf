"""What README.md and docs/ tell that examples save is what the commands beside it print. (Times are measured by `make bench` alone.)"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from examples import flat_prompt
from tests.project.pages import PAGES, README, ROOT

ROW = "`examples/trace.jsonl`"


@pytest.mark.parametrize(
    ("column", "flags"),
    [(2, ""), (3, "--visible-calls 1"), (4, "--visible-calls 1 --cached-price 0.1")],
)
def test_replayed_runs(column: int, flags: str) -> None:
    """The row of the recorded example has the ratios of `memslot replay`."""
    command = ["-m", "memslot_sidecar", "replay", "examples/trace.jsonl", "--namespace", "demo", "--json"]
    done = subprocess.run([sys.executable, *command, *flags.split()], cwd=ROOT, capture_output=True, check=True)
    runs = json.loads(done.stdout)["runs"]
    plain, kept = (sum(run[f"prompt_characters_{way}"] for run in runs) for way in ("traditional", "memslot"))
    (row,) = [line for line in README.text.splitlines() if line.startswith(f"| {ROW}")]
    assert float(row.split("|")[column]) == round(plain / kept, 2)


def test_flat_prompts() -> None:
    """The prompts of `python -m examples.flat_prompt` have the sizes that the pages tell."""
    report = flat_prompt.run()
    inlined, prompts = (sum(getattr(turn, way).characters for turn in report) for way in ("inlined", "prompt"))
    (row,) = [line for line in README.text.splitlines() if line.startswith("| an agent with 1,000 memories")]
    assert int(row.split("|")[2]) == round(inlined / prompts)
    (costs,) = [page.text for page in PAGES if page.name == "docs/costs.md"]
    for turn in (1, 5, 50):
        told = report[turn - 1]
        amounts = [told.prompt.characters, told.prompt.tokens, told.inlined.characters, told.inlined.tokens]
        assert f"| {turn} | {' | '.join(f'{amount:,}' for amount in amounts)} |" in costs
