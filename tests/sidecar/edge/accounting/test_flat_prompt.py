"""The promise of flat prompts, by real prompts: 50 turns with 1,000 memories of 200 characters."""

from __future__ import annotations

import pytest
from examples import flat_prompt

import memslot


@pytest.fixture(scope="module")
def report() -> memslot.TokenReport:
    """The report of the talk that the README shows."""
    return flat_prompt.run()


def test_prompts_stay_flat(report: memslot.TokenReport) -> None:
    """The prompt of the last turn is within 2 % of that of turn 5, in characters and in tokens."""
    assert len(report) == 50
    fifth, last = report[4].prompt, report[-1].prompt
    assert last.characters == pytest.approx(fifth.characters, rel=0.02)
    assert last.tokens == pytest.approx(fifth.tokens, rel=0.02)


def test_prompts_are_a_hundred_times_smaller(report: memslot.TokenReport) -> None:
    """Every prompt is at least 100 times smaller than with all memory inlined, and holds none of it."""
    for account in report:
        assert account.slots == 1_000
        assert account.body_bytes_outside == 200_000
        assert account.inlined.characters > 100 * account.prompt.characters
        assert account.inlined.tokens > 100 * account.prompt.tokens
        assert account.leaked == memslot.Amount()
        assert account.instruction.characters > 600
    assert all(account.receipts.characters > 100 for account in report[3:])
    assert report.verdict is memslot.Verdict.MEMSLOT_CHEAPER
    assert not report.problems


def test_command_prints_the_table(report: memslot.TokenReport, capsys: pytest.CaptureFixture[str]) -> None:
    """The example prints turns 1, 5, 10 to 50 and the verdict."""
    flat_prompt.show(report)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:12]] == ["001", *(f"{turn:03}" for turn in range(5, 51, 5))]
    assert lines[-1].startswith("memslot is cheaper here")
