"""`memslot write`, `read`, `forget`, `lookup` and `describe`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.sidecar.commands.conftest import Command

import memslot
from memslot import NEVER

NAMES = ["用户偏好", "a'b\"c", "50%_x", "😀", "a-b.c#d", "-dash"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "body", "content_type"),
    [
        (["likes windows"], b"", b"likes windows", "text/plain"),
        ([], "von Stdin é".encode(), "von Stdin é".encode(), "text/plain"),
        (["--file", "-"], b"\x00\xff", b"\x00\xff", "application/octet-stream"),
        (["--file", "FILE"], b"", b"from a file\n", "text/plain"),
        (["--content-type", "application/json", '{"a": 1}'], b"", b'{"a": 1}', "application/json"),
        ([""], b"", b"", "text/plain"),
    ],
)
def test_a_value_comes_from_an_argument_a_file_or_standard_input(
    cli: Command, tmp_path: Path, arguments: list[str], stdin: bytes, body: bytes, content_type: str
) -> None:
    """What was given is what is read again, byte for byte."""
    file = tmp_path / "value"
    file.write_bytes(b"from a file\n")
    given = [str(file) if argument == "FILE" else argument for argument in arguments]
    assert cli("write", "a", *given, stdin=stdin).code == 0
    assert cli("read", "a").raw == body
    assert cli("describe", "a", "--json").json["slots"][0]["info"]["content_type"] == content_type


def test_a_vector_and_a_summary_are_written(cli: Command, namespace: str, tmp_path: Path) -> None:
    """The summary is an argument, the vector a file of JSON; a slot tells that it has them."""
    file = tmp_path / "vector.json"
    file.write_text("[1, -2.5e-1]")
    refused = cli("write", "a", "x", "--vector", str(file))
    assert (refused.code, f"namespaces set '{namespace}' --index-mode hybrid" in refused.errors) == (1, True)
    cli("namespaces", "set", namespace, "--index-mode", "hybrid")
    assert cli("write", "a", "x", "--vector", str(file), "--summary", "short\nand good").code == 0
    info = cli("describe", "a", "--json").json["slots"][0]["info"]
    assert (info["has_vector"], info["has_summary"]) == (True, True)


@pytest.mark.parametrize("content", [None, "", "7", "[]", '["1"]', "[1, true]", "[[1]]", "{}"])
def test_a_file_that_is_no_vector_is_told(cli: Command, tmp_path: Path, content: str | None) -> None:
    """The error names the flag and what the file must hold."""
    file = tmp_path / "vector.json"
    if content is not None:
        file.write_text(content)
    done = cli("write", "a", "x", "--vector", str(file))
    assert done.code == 2
    assert "--vector" in done.errors
    assert ("a JSON array of numbers" if content is not None else "No such file") in done.errors


@pytest.mark.parametrize("name", NAMES)
def test_awkward_names_work_on_the_command_line(cli: Command, name: str) -> None:
    """Each command takes and shows a name as it is."""
    assert name in cli("write", "--", name, "x").text
    assert cli("read", "--", name).text == "x"
    assert cli("lookup", "--names").text == name + "\n"
    assert cli("lookup", "--json", "--", name[:1]).json["slots"][0]["name"] == name
    assert name in cli("lookup").text
    assert name in cli("describe", "--", name).text
    assert cli("forget", "--", name).text == f"forgotten {name}\n"


def test_write_says_when_the_slot_expires_and_how_to_keep_it_longer(cli: Command) -> None:
    """A person learns about the default, and is not told again after choosing."""
    default = cli("write", "a", "x").text
    assert "created a" in default
    assert "expires in 24h:" in default
    assert "--ttl 7d or --never" in default
    chosen = cli("write", "a", "y", "--ttl", "7d").text
    assert "expires in" in chosen
    assert "--never" not in chosen
    assert "does not expire" in cli("write", "a", "z", "--never").text


def test_write_says_what_it_did_to_programs_too(cli: Command, namespace: str) -> None:
    """--json prints the receipt."""
    printed = cli("write", "a", "x", "--json").json
    assert printed["namespace"] == namespace
    assert printed["receipt"]["outcome"] == "CREATED"
    assert printed["receipt"]["expire_time"].endswith("Z")


def test_write_appends_and_patches(cli: Command) -> None:
    """--append adds, --patch merges, and a patch that is no JSON is wrong usage."""
    cli("write", "log", "a\n")
    assert "appended log" in cli("write", "log", "--append", stdin=b"b\n").text
    assert cli("read", "log").text == "a\nb\n"
    cli("write", "doc", "--patch", '{"a": 1, "b": 2}')
    assert "patched doc" in cli("write", "doc", "--patch", '{"a": null}').text
    assert cli("read", "doc", "--json").json["value"] == {"b": 2}
    assert cli("write", "doc", "--patch", "{").code == 2


def test_what_is_said_about_a_slot_is_described(cli: Command) -> None:
    """Metadata from flags is shown by describe and found by lookup; describe shows no body."""
    cli(
        "write", "a", "secret", "--description", "a note", "--task-type", "chat", "--tag", "x", "--tag", "y",
        "--attribute", "n=3", "--attribute", "s='3'", "--importance", "0.5", "--pinned", "--origin", "tool",
    )  # fmt: skip
    info = cli("describe", "a", "--json").json["slots"][0]["info"]
    assert (info["description"], info["task_type"], info["tags"]) == ("a note", "chat", ["x", "y"])
    assert (info["attributes"], info["importance"], info["pinned"], info["origin"]) == (
        {"n": 3, "s": "3"},
        0.5,
        True,
        "TOOL",
    )
    shown = cli("describe", "a").text
    assert "a note" in shown
    assert 'n=3, s="3"' in shown
    assert "secret" not in shown


def test_lookup_filters_and_orders(cli: Command) -> None:
    """By prefix, tag, task type, time, namespaces below; in any order; never a body."""
    cli("write", "ab", "secret", "--tag", "x", "--tag", "y", "--task-type", "chat")
    cli("write", "aa", "secret secret", "--tag", "x")
    cli("write", "b", "s", "--description", "the third")

    def found(*arguments: str) -> list[str]:
        return cli("lookup", "--names", *arguments).text.split()

    assert found("--order", "name") == ["aa", "ab", "b"]
    assert found("--order", "name", "--reverse") == ["b", "ab", "aa"]
    assert found("--order", "size") == ["aa", "ab", "b"]
    assert found("a", "--order", "created") == ["ab", "aa"]
    assert found("--tag", "x", "--tag", "y") == ["ab"]
    assert found("--task-type", "chat") == ["ab"]
    assert set(found("--since", "1h")) == {"aa", "ab", "b"}
    assert found("--since", "2100-01-01") == []
    everything = cli("lookup").text + cli("lookup", "--json").text
    assert "the third" in everything
    assert "secret" not in everything


def test_lookup_goes_below_and_says_where(cli: Command, namespace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """--recursive lists the namespaces below with their paths."""
    cli("write", "a", "x")
    cli("write", "b", "x", "--namespace", f"{namespace}/below")
    assert cli("lookup", "--names").text == "a\n"
    lines = cli("lookup", "--names", "--recursive", "--order", "name").text.splitlines()
    assert lines == [f"{namespace}: a", f"{namespace}/below: b"]


def test_lookup_says_when_there_is_more(cli: Command) -> None:
    """A list that was cut tells so, in both forms."""
    for name in "abc":
        cli("write", name, "x")
    assert "and more" in cli("lookup", "--limit", "2").text
    assert cli("lookup", "--limit", "2", "--json").json["more"]
    assert "and more" not in cli("lookup", "--limit", "3").text
    assert len(cli("lookup", "--limit", "0", "--names").text.split()) == 3


def test_read_gives_values_to_programs(cli: Command, sidecar: SidecarProcess, namespace: str) -> None:
    """--json holds text, JSON of any size, or base64 of bytes; --output writes a file."""
    values: dict[str, Any] = {"text": "é", "doc": {"n": 10**700, "half": "\ud83d"}, "raw": b"\x00\xff"}
    with memslot.connect(sidecar.target, namespace=namespace) as memory:
        for name, value in values.items():
            memory.write(name, value, ttl=NEVER)
    assert cli("read", "text", "--json").json["value"] == "é"
    assert cli("read", "doc", "--json").json["value"] == values["doc"]
    assert cli("read", "raw", "--json").json["value_base64"] == "AP8="
    assert cli("read", "raw").raw == b"\x00\xff"


def test_read_writes_a_file(cli: Command, tmp_path: Path) -> None:
    """--output keeps the bytes from the terminal."""
    cli("write", "a", "x")
    assert cli("read", "a", "--output", str(tmp_path / "a")).text == ""
    assert (tmp_path / "a").read_bytes() == b"x"


def test_forget_takes_many_names_or_all_but_not_by_accident(cli: Command) -> None:
    """Several names at once; a prefix or all only with --yes; what is not there is no error."""
    for name in ("a1", "a2", "b", "c"):
        cli("write", name, "x")
    assert cli("forget", "c", "missing").text == "forgotten c\nabsent missing\n"
    assert cli("forget", "--prefix", "a").code == 2
    assert "2 slots" in cli("forget", "--prefix", "a", "--yes").text
    assert cli("forget", "--all", "--yes", "--erase", "--json").json["count"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["read", "missing"], 1, "no slot"),
        (["describe", "missing"], 1, "missing"),
        (["write", "there", "x", "--if-absent"], 1, "exists"),
        (["write", "there", "x", "--if-revision", "1000000"], 1, "revision"),
        (["write", "large", "x" * 5000], 2, "4096"),
        (["write", " edge", "x"], 2, "space"),
        (["write", "a", "x", "--ttl", "soon"], 2, "soon"),
        (["write", "a", "x", "--ttl", "1h", "--never"], 2, "not allowed"),
        (["write", "a", "x", "--attribute", "n"], 2, "KEY=VALUE"),
        (["write", "a", "--file", "/dev/zero"], 2, "split it"),
        (["write", "a", "--file", "/nonexistent"], 2, "/nonexistent"),
        (["write", "a", "x", "--file", "-"], 2, "not both"),
        (["write", "a", "x", "y"], 2, "unrecognized"),
        (["write", "--ttl", "1h"], 2, "NAME"),
        (["write", "a", "x", "--content-type", "application/json"], 2, "JSON"),
        (["lookup", "--order", "sideways"], 2, "sideways"),
        (["lookup", "--since", "whenever"], 2, "whenever"),
        (["forget"], 2, "name the slots"),
        (["forget", "a", "--all"], 2, "not both"),
        (["read", "a", "--timeout", "0"], 2, "positive"),
        (["read", "a", "--target", "127.0.0.1:1"], 6, "memslot serve"),
        (["read", "a", "--namespace", "../x"], 2, "segment"),
        (["read", "a", "--namespace", "acme//x"], 2, "empty segment"),
        (["write", "nowhere", "x", "--if-revision", "3"], 1, "does not exist, so it is not at revision 3"),
        (["read", "a", "--target", "http://127.0.0.1:7420"], 2, "host:port"),
    ],
)
def test_a_failure_is_told_to_a_person(cli: Command, arguments: list[str], code: int, said: str) -> None:
    """One line on standard error, nothing on standard output, and the documented exit code."""
    cli("write", "there", "x")
    done = cli(*arguments)
    assert done.code == code
    assert said in done.errors
    assert done.raw == b""
    assert "Traceback" not in done.errors


@pytest.mark.parametrize(
    "name",
    [
        "write",
        "read",
        "forget",
        "lookup",
        "search",
        "describe",
        "namespaces",
        "stats",
        "backup",
        "check",
        "reindex",
        "restore",
    ],
)
def test_help_tells_the_exit_codes(command: Command, name: str) -> None:
    """Every command documents what its exit code means."""
    done = command(name, "--help")
    assert done.code == 0
    assert "exit codes:" in " ".join(done.text.split())


def test_control_characters_do_not_reach_the_terminal(cli: Command, sidecar: SidecarProcess, namespace: str) -> None:
    """What a slot says about itself cannot forge a line."""
    with memslot.connect(sidecar.target, namespace=namespace) as memory:
        memory.write("a", "x", attributes={"k": "line\x1b[2J\nbreak"}, tags=["t"])
    assert "\x1b" not in cli("describe", "a").text
    assert len(cli("lookup").text.splitlines()) == 2
