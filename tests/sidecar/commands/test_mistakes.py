"""What is told of a flag or word that a command does not know. No sidecar is asked."""

from __future__ import annotations

import pytest

from memslot_sidecar.cli import main


@pytest.mark.parametrize(
    ("arguments", "of", "unknown"),
    [
        ("namespaces set acme --wrong", "namespaces set", "--wrong"),
        ("namespaces set --wrong", "namespaces set", "--wrong"),
        ("namespaces set acme --wrong=3 --slot-limit 3", "namespaces set", "--wrong=3"),
        ("namespaces get acme --wrong", "namespaces get", "--wrong"),
        ("namespaces delete acme other", "namespaces delete", "other"),
        ("namespaces list --wrong", "namespaces list", "--wrong"),
        ("namespaces --wrong", "namespaces", "--wrong"),
        ("namespaces --wrong get acme", "namespaces", "--wrong"),
        ("audit schema --wrong", "audit schema", "--wrong"),
        ("audit reconcile --wrong", "audit reconcile", "--wrong"),
        ("audit reconcile --audit-file x --wrong", "audit reconcile", "--wrong"),
        ("audit --wrong schema", "audit", "--wrong"),
        ("read --wrong", "read", "--wrong"),
        ("read -x a", "read", "-x"),
        ("write a -- b c", "write", "c"),
        ("serve --wrong", "serve", "--wrong"),
    ],
)
def test_the_help_of_the_command_that_does_not_know_it_is_named(
    arguments: str, of: str, unknown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what is not known, also where something is missing as well, and whose help tells what there is."""
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"memslot {of}: unrecognized arguments: {unknown}; see 'memslot {of} --help'\n"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("serve --lisen unix:here", "--listen"),
        ("write a b --tll=1h", "--ttl"),
        ("namespaces set acme --slot-limt 4", "--slot-limit"),
    ],
)
def test_the_closest_flag_is_named(arguments: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is for variables and keys of a settings file."""
    with pytest.raises(SystemExit):
        main(arguments.split())
    assert f"(did you mean {meant}?); see 'memslot " in capsys.readouterr().err


def test_a_value_with_a_space_is_no_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever it begins with: what is told is the mistake that was made."""
    with pytest.raises(SystemExit):
        main(["write", "a", "--not a flag", "--ttl", "soon"])
    assert "soon" in capsys.readouterr().err
