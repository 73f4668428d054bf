"""`memslot replay` from the file to the table."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from tests.system.process import Served

import memslot
from memslot_sidecar.commands import replay
from memslot_sidecar.commands.connection import NotReached
from memslot_sidecar.errors import StartupError, UsageError

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/trace.jsonl"


@pytest.fixture(autouse=True)
def _no_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMSLOT_TARGET", raising=False)


def _replay(*argv: object) -> int:
    parser = argparse.ArgumentParser()
    replay.add_parser(parser.add_subparsers())
    args = parser.parse_args(["replay", *map(str, argv)])
    return int(args.run(args))


def test_without_a_sidecar_it_brings_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """With no target the runs are replayed through a store in this process, and the table says that it is gone."""
    assert _replay(EXAMPLE, "--namespace", "demo", "--visible-calls", "1") == 0
    told = capsys.readouterr()
    assert "lost-parcel" in told.out
    assert "Every result was read back as it was written." in told.out
    assert "in the RAM of this process" in told.out
    assert told.err == ""


def test_the_figures_of_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """The example's ratios are those that the documentation gives."""
    ratios = []
    for choices in ((), ("--visible-calls", "1"), ("--visible-calls", "1", "--cached-price", "0.1")):
        assert _replay(EXAMPLE, "--namespace", "demo", "--json", *choices) == 0
        ratios.append(json.loads(capsys.readouterr().out)["total"]["ratio"])
    assert [round(ratio, 2) for ratio in ratios] == [2.82, 2.2, 1.29]


@pytest.mark.parametrize("by_environment", [False, True])
def test_slots_stay_in_the_sidecar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, by_environment: bool
) -> None:
    """With a target, said by flag or environment, the results are in that sidecar, under the names that the receipts tell."""
    with Served("--data-dir", tmp_path, "--listen", f"unix:{tmp_path}/m.sock") as served:
        target = served.ready().addresses()[0]
        monkeypatch.setenv("MEMSLOT_TARGET", target if by_environment else "127.0.0.1:1")
        assert _replay(EXAMPLE, "--namespace", "demo", *([] if by_environment else ["--target", target])) == 0
        assert "memslot lookup --namespace 'demo/lost-parcel'" in capsys.readouterr().out
        with memslot.connect(target, namespace="demo/读者-1042") as memory:
            assert memory.read("search_catalogue-1").text.startswith('{"total": 7')
            assert [entry.name for entry in memory.lookup(order=memslot.Order.NAME)] == [
                "get_reader-2",
                "renew-4",
                "reserve-3",
                "search_catalogue-1",
            ]


@pytest.mark.parametrize(
    ("text", "argv", "says"),
    [
        (None, (), "trace.jsonl: No such file or directory"),
        ("{", (), "trace.jsonl: line 1: no JSON"),
        ('{"messages": []}', ("--target", "unix:/" + "x" * 200), "--target: "),
    ],
)
def test_wrong_input(tmp_path: Path, text: str | None, argv: tuple[str, ...], says: str) -> None:
    """A file that is none, or a target that cannot be, is wrong usage, told with what to mend."""
    path = tmp_path / "trace.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError) as caught:
        _replay(path, "--namespace", "demo", *argv)
    assert says in str(caught.value)


def test_a_sidecar_that_refuses(tmp_path: Path) -> None:
    """What the sidecar refuses ends the replay with its reason."""
    path = tmp_path / "trace.jsonl"
    path.write_text('{"messages": [{"role": "tool", "content": "x"}]}')
    with pytest.raises(StartupError, match="INVALID_NAME"):
        _replay(path, "--namespace", "a/../b")


def test_a_sidecar_that_does_not_answer_has_an_exit_code_of_its_own() -> None:
    """As for every other command, it is 6."""
    with pytest.raises(NotReached, match="memslot serve") as caught:
        _replay(EXAMPLE, "--namespace", "demo", "--target", "127.0.0.1:1")
    assert caught.value.exit_code == 6


@pytest.mark.parametrize(
    "argv",
    [("--visible-calls", "-1"), ("--visible-calls", "1.5"), ("--cached-price", "nan"), ("--cached-price", "1.1")],
)
def test_choices_are_checked(argv: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Visible calls are whole numbers from 0 on, a price lies between 0 and 1."""
    with pytest.raises(SystemExit) as caught:
        _replay(EXAMPLE, "--namespace", "demo", *argv)
    assert caught.value.code == 2
    assert argv[0] in capsys.readouterr().err
