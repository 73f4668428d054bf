"""`memslot report` against a sidecar: a table, JSON, and pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.sidecar.commands.conftest import Command

import memslot

CANARY = "CANARY-5d1e " * 40


@pytest.fixture
def recorded(cli: Command, sidecar: SidecarProcess, namespace: str) -> Command:
    """The command line, with a namespace in which three turns were recorded."""
    with memslot.connect(sidecar.target, namespace=namespace, conversation="c") as memory:
        for number in range(20):
            memory.write(f"s{number}", CANARY + str(number))
        for turn in range(1, 4):
            memory.record_turn("What now? " * turn, "This.", turn=f"t{turn}", usage=memslot.Usage(10 * turn, turn))
    return cli


def test_table(recorded: Command) -> None:
    """A line a turn and one for all, what counted them, and the verdict; no body."""
    lines = recorded("report").text.splitlines()
    assert lines[0].split() == [
        *("TURN", "PROMPT", "INLINED", "SLOTS", "INSTRUCTION", "RECEIPTS"),
        *("INJECTED", "LEAKED", "OUTPUT", "ACTIONS", "PROVIDER", "CACHED"),
    ]
    assert [line.split()[0] for line in lines[1:5]] == ["t1", "t2", "t3", "total"]
    assert lines[4].split()[-2:] == ["60", "6"]
    assert "by estimate" in lines[5]
    assert lines[6].startswith("memslot is cheaper here")
    assert "CANARY" not in "\n".join(lines)
    assert "counted in characters" in recorded("report", "--characters").text
    assert "这里用 memslot 更省" in recorded("report", "--language", "zh").text


def test_json(recorded: Command) -> None:
    """The whole report as one JSON object, also of one conversation and of the latest turns."""
    report = recorded("report", "--json", "--limit", "2", "--conversation", "c").json
    assert [turn["turn"] for turn in report["turns"]] == ["t2", "t3"]
    assert report["total"]["prompt"]["characters"] == 50
    assert report["verdict"] == "MEMSLOT_CHEAPER"
    assert recorded("report", "--json", "--conversation", "other").json["turns"] == []


@pytest.mark.parametrize(("ending", "beginning"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_picture(recorded: Command, tmp_path: Path, ending: str, beginning: bytes) -> None:
    """The picture is of the format that its name asks for, and holds no body."""
    pytest.importorskip("matplotlib")
    path = tmp_path / f"saving.{ending}"
    done = recorded("report", "--plot", str(path))
    assert done.code == 0
    assert path.read_bytes().startswith(beginning)
    assert b"CANARY" not in path.read_bytes()


def test_the_title_says_which_is_larger(recorded: Command, tmp_path: Path) -> None:
    """Also where inlining is cheaper, no prompt is called "0.1 times smaller"."""
    matplotlib = pytest.importorskip("matplotlib")
    path = tmp_path / "saving.svg"
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        assert recorded("report", "--plot", str(path)).code == 0
    larger = recorded("report", "--json").json["ratio"] < 1
    assert ("times larger than inlined" in path.read_text()) == larger
    assert ("times smaller than inlined" in path.read_text()) != larger


def test_what_cannot_be_drawn_is_told(recorded: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another ending, a place that is not there and a missing package are told in a sentence; without --plot nothing is imported."""
    done = recorded("report", "--plot", "saving.gif")
    assert (done.code, "end it in .png or .svg" in done.errors) == (2, True)
    done = recorded("report", "--plot", str(tmp_path / "none" / "saving.png"))
    assert (done.code, "cannot be written" in done.errors) == (1, True)
    monkeypatch.delitem(sys.modules, "memslot_sidecar.commands.report_plot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = recorded("report", "--plot", str(tmp_path / "saving.png"))
    assert (done.code, "pip install 'memslot[report]'" in done.errors) == (1, True)
    assert recorded("report").code == 0


def test_nothing_recorded(cli: Command, tmp_path: Path) -> None:
    """A namespace without recorded turns says how to record them, and draws nothing."""
    assert "memory.record_turn" in cli("report").text
    assert cli("report", "--plot", str(tmp_path / "saving.png")).code == 2
