"""The command line's entry."""

from __future__ import annotations

import pytest

from memslot_sidecar import cli


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`memslot --help` names each command that there is."""
    with pytest.raises(SystemExit) as caught:
        cli.main(["--help"])
    assert caught.value.code == 0
    told = capsys.readouterr().out
    assert all(command in told for command in cli.COMMANDS)


@pytest.mark.parametrize("argv", [[], ["no-such-command"], ["serve", "--no-such-flag"]])
def test_wrong_usage_ends_with_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command or flag that does not exist ends with 2 and the usage."""
    with pytest.raises(SystemExit) as caught:
        cli.main(argv)
    assert caught.value.code == 2
    assert "usage: memslot" in capsys.readouterr().err


def test_failed_start_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A start that fails is told in one line, with the exit code of its kind."""
    assert cli.main(["serve", "--store", "ram", "--listen", "0.0.0.0:1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
