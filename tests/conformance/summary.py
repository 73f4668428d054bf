"""Prints the table at the end of a run of pytest, wherever its items ran."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from tests.conformance.table import KEY, rendered, write

FOLDER = Path(__file__).parents[2] / "build" / "conformance"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Every item of the conformance run has left its place in the table and its verdict."""
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for reports in terminalreporter.stats.values():
        for report in reports:
            for key, value in getattr(report, "user_properties", ()):
                if key == KEY:
                    scenario, face, verdict = value
                    table[scenario][face] = verdict
    if table:
        write(table, FOLDER)
        terminalreporter.section("conformance: what each scenario came to on each face")
        terminalreporter.write_line(rendered(table))
