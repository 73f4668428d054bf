"""The client's README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "clients/python/README.md"


def test_the_example_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """What a reader copies works."""
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(README), "exec"), {})
    printed = capsys.readouterr().out
    assert "['log', 'customer'] pro" in printed or "['customer', 'log'] pro" in printed
    assert "somebody else was faster" in printed
