"""`memslot act`: outputs from a file or standard input, with a sidecar or without."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.commands.conftest import Command

WRITE = '{"action": "mem_write", "slot": "user_pref", "value": {"tea": "secret", "n": 12345678901234567890123}}'
READ = '{"action": "mem_read", "slot": "user_pref"}'


def test_an_output_is_executed(cli: Command, tmp_path: Path) -> None:
    """Receipts are printed, a line each, and no body; the slots are in the sidecar."""
    file = tmp_path / "output.txt"
    file.write_text(f"Noted.\n{WRITE}\n{READ}")
    done = cli("act", str(file))
    assert (done.code, done.text) == (0, "stored user_pref\nread user_pref: given to the application\n")
    assert cli("read", "user_pref", "--json").json["value"]["n"] == 12345678901234567890123
    assert cli("act", stdin=b"Hello!").text == "no memory action\n"


def test_a_program_is_told_everything(cli: Command) -> None:
    """With --json: arguments, results and errors of each action, rejects, and the texts."""
    done = cli("act", "--json", "-", stdin=f"{WRITE}{READ} {READ[:-13]}".encode())
    assert done.code == 1
    write, read = done.json["actions"]
    assert (write["outcome"], write["receipt"]["outcome"]) == ("DONE", "CREATED")
    assert write["arguments"]["value"]["n"] == 12345678901234567890123
    assert read["slot"]["value"]["tea"] == "secret"
    assert done.json["rejects"][0]["reason"] == "TRUNCATED"
    assert "secret" not in done.json["model_text"]


@pytest.mark.parametrize("output", [READ, READ[:-2], '{"action": "mem_write", "slot": "x", "value": 1, "colour": 2}'])
def test_what_was_not_done_is_in_the_exit_code(cli: Command, output: str) -> None:
    """1 when something was not found, rejected or refused, so that scripts notice."""
    assert cli("act", stdin=output.encode()).code == 1


def test_validating_and_lenience(cli: Command) -> None:
    """--validate-only executes nothing; --lenient takes what strict reading only reports; receipts come in Chinese too."""
    assert cli("act", "--validate-only", stdin=WRITE.encode()).text == "valid: mem_write user_pref\n"
    assert cli("lookup", "--json").json["slots"] == []
    bent = WRITE.replace('"', "'").encode()
    assert cli("act", "--validate-only", stdin=bent).code == 1
    assert cli("act", "--lenient", "--language", "zh", stdin=bent).text == "已保存 user_pref\n"


def test_what_is_read_can_be_shown(cli: Command) -> None:
    """--on-read show_once prints the injection below the receipts."""
    printed = cli("act", "--on-read", "show_once", stdin=f"{WRITE}{READ}".encode()).text
    receipts, _, injection = printed.partition("\n\n")
    assert "secret" not in receipts
    assert "secret" in injection
    assert injection.startswith("[memslot begin ")


def test_without_a_sidecar(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--in-process has a store in RAM, --data-dir one that stays; neither needs a server."""
    monkeypatch.delenv("MEMSLOT_TARGET", raising=False)
    assert command("act", "--in-process", stdin=f"{WRITE}{READ}".encode()).code == 0
    assert command("act", "--data-dir", str(tmp_path / "data"), stdin=WRITE.encode()).code == 0
    assert command("act", "--data-dir", str(tmp_path / "data"), stdin=READ.encode()).code == 0
    assert "secret" not in (tmp_path / "data/audit.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("missing.txt",), b"", "missing.txt"),
        ((), b"\xff", "not UTF-8 at byte 0"),
        (("--in-process", "--target", "x:1"), b"", "choose one"),
        (("--in-process", "--data-dir", "x"), b"", "choose one"),
        (("--on-read", "twice"), b"", "invalid choice"),
    ],
)
def test_wrong_usage(cli: Command, arguments: tuple[str, ...], stdin: bytes, said: str) -> None:
    """Exit code 2, with a sentence that names what is wrong."""
    done = cli("act", *arguments, stdin=stdin)
    assert done.code == 2
    assert said in done.errors
