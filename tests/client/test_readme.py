"""The client's README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memslot

README = Path(__file__).resolve().parents[2] / "clients/python/README.md"


def test_the_example_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """What a reader copies works."""
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(README), "exec"), {})
    printed = capsys.readouterr().out
    assert "['log', 'customer'] pro" in printed or "['customer', 'log'] pro" in printed
    assert "somebody else was faster" in printed


@pytest.mark.parametrize("kind", [memslot.Memory, memslot.aio.Memory])
def test_the_table_has_each_method_once(kind: type) -> None:
    """Whoever looks for a method finds it there, and finds none that is not."""
    table = README.read_text(encoding="utf-8").split("| methods | for |\n|---|---|\n")[1]
    listed = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(listed) == [name for name in dir(kind) if not name.startswith("_")]
