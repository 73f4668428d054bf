"""The command line's entry."""

from __future__ import annotations

from importlib import metadata

import pytest

from memslot_sidecar import cli


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`memslot --help` names each command that there is."""
    with pytest.raises(SystemExit) as caught:
        cli.main(["--help"])
    assert caught.value.code == 0
    told = capsys.readouterr().out
    assert all(command in told for command in cli.COMMANDS)


@pytest.mark.parametrize(
    ("argv", "remedy"),
    [
        ([], "'memslot --help'"),
        (["no-such-command"], "'memslot --help'"),
        (["serve", "--no-such-flag"], "'memslot serve --help'"),
        (["namespaces", "set"], "'memslot namespaces set --help'"),
    ],
)
def test_wrong_usage_ends_with_2(argv: list[str], remedy: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing or not known ends with 2 and one line, which says whose help to read."""
    try:
        code: object = cli.main(argv)
    except SystemExit as caught:
        code = caught.code
    told = capsys.readouterr().err
    assert code == 2
    assert told.count("\n") == 1
    assert remedy in told


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """`memslot --version` prints the version of the package."""
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"memslot {metadata.version('memslot')}\n"


def test_failed_start_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A start that fails is told in one line, with the exit code of its kind."""
    assert cli.main(["serve", "--store", "ram", "--listen", "0.0.0.0:1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
