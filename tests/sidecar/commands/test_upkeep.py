"""`memslot namespaces`, `stats`, `backup`, `restore` and `check`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.sidecar.commands.conftest import Command

import memslot


def test_a_namespace_is_configured_shown_and_deleted(cli: Command, namespace: str) -> None:
    """Set changes what is said, get shows it with where it was set, delete needs force when there are slots."""
    shown = cli(
        "namespaces", "set", namespace, "--slot-limit", "2", "--ttl-default", "7d", "--overflow", "evict-lowest-rank"
    )
    assert shown.code == 0
    settings = cli("namespaces", "get", namespace, "--json").json
    assert settings["settings"]["slot_limit"] == 2
    assert settings["effective_settings"]["ttl_default"] == 7 * 86_400
    assert settings["settings"]["overflow"] == "EVICT_LOWEST_RANK"
    assert settings["settings"]["body_limit_bytes"] is None
    table = cli("namespaces", "get", namespace).text
    assert "slot_limit" in table
    assert " 7d " in table
    assert "inherited" in table
    cli("namespaces", "set", namespace, "--inherit", "overflow", "--body-limit-bytes", "64KiB")
    settings = cli("namespaces", "get", namespace, "--json").json
    assert (settings["settings"]["overflow"], settings["settings"]["body_limit_bytes"]) == (None, 65_536)
    cli("write", "a", "x")
    assert cli("namespaces", "delete", namespace).code == 1
    assert "1 slot" in cli("namespaces", "delete", namespace, "--force").text
    assert cli("namespaces", "get", namespace).code == 1


def test_how_slots_are_found_is_configured(cli: Command, namespace: str) -> None:
    """The settings of finding are set by the words that people use, shown, and inherited again."""
    flags = {
        "--index-mode": "hybrid", "--embedder": "none", "--vector-index": "sqlite-vss", "--summary-mode": "extractive",
        "--summary-above-bytes": "4KiB", "--summary-below-rank": "-2.5",
    }  # fmt: skip
    assert cli("namespaces", "set", namespace, *[word for flag in flags.items() for word in flag]).code == 0
    told = cli("namespaces", "get", namespace, "--json").json["settings"]
    assert [told[flag[2:].replace("-", "_")] for flag in flags] == [
        "HYBRID", "none", "SQLITE_VSS", "EXTRACTIVE", 4096, -2.5,
    ]  # fmt: skip
    assert " -2.5 " in cli("namespaces", "get", namespace).text
    cli("namespaces", "set", namespace, *[word for flag in flags for word in ("--inherit", flag[2:])])
    told = cli("namespaces", "get", namespace, "--json").json["settings"]
    assert {told[flag[2:].replace("-", "_")] for flag in flags} == {None}
    refused = cli("namespaces", "set", namespace, "--embedder", "openai")
    assert (refused.code, "--openai-url" in refused.errors) == (2, True)


def test_namespaces_are_listed(cli: Command, namespace: str) -> None:
    """With and without the word list, whole or below a parent, as a table or as JSON."""
    cli("write", "a", "x")
    assert namespace in cli("namespaces").text
    assert namespace in cli("namespaces", "list", "--parent", "cli").text
    assert "at or below other" in cli("namespaces", "list", "--parent", "other").text
    listed = cli("namespaces", "--json").json["namespaces"]
    assert namespace in [one["name"] for one in listed]


def test_connection_flags_may_stand_before_the_action(command: Command, sidecar: SidecarProcess) -> None:
    """`memslot namespaces --target ADDR list` means what it says."""
    assert command("namespaces", "--target", sidecar.target, "list", "--json").json["namespaces"] is not None
    assert command("namespaces", "--target", sidecar.target, "--json", "list").json["namespaces"] is not None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["set", "cli/x"], 2),
        (["set", "cli/x", "--slot-limit", "many"], 2),
        (["set", "cli/x", "--slot-limit", "0"], 2),
        (["get", "cli/nowhere"], 1),
        (["delete", "cli/nowhere"], 1),
    ],
)
def test_wrong_requests_about_namespaces_are_told(cli: Command, arguments: list[str], code: int) -> None:
    """Exit codes tell wrong usage from a refusal."""
    done = cli("namespaces", *arguments)
    assert (done.code, done.raw) == (code, b"")
    assert done.errors


def test_stats_tell_what_is_stored_and_done(cli: Command) -> None:
    """As text and as JSON."""
    cli("write", "a", "x")
    assert "SlotService/Write" in cli("stats").text
    printed = cli("stats", "--json").json
    assert printed["stats"]["slots"] >= 1
    assert printed["server"]["store"] == "sqlite"


def test_a_backup_can_be_restored(cli: Command, tmp_path: Path, namespace: str) -> None:
    """The directory that restore makes is a store with the same slots and another identity."""
    cli("write", "a", "x", "--never")
    copy, data = tmp_path / "copy", tmp_path / "data"
    assert "saved" in cli("backup", str(copy)).text
    assert "serve --data-dir" in cli("restore", str(copy), "--data-dir", str(data)).text
    with memslot.embedded(data, namespace=namespace) as memory:
        assert memory.read("a").text == "x"
    assert cli("backup", str(copy)).code == 2
    assert cli("restore", str(copy), "--data-dir", str(data)).code == 2


@pytest.mark.parametrize("content", [None, b"", b"no database at all" * 100])
def test_what_is_no_backup_is_not_restored(cli: Command, tmp_path: Path, content: bytes | None) -> None:
    """A missing or damaged file is told, and no directory appears."""
    copy = tmp_path / "copy"
    if content is not None:
        copy.write_bytes(content)
    done = cli("restore", str(copy), "--data-dir", str(tmp_path / "data"))
    assert done.code == (2 if content is None else 1)
    assert str(copy) in done.errors
    assert not (tmp_path / "data").exists()


def test_a_sound_store_is_said_to_be_well(cli: Command) -> None:
    """Check ends with 0 and says how much it looked at."""
    cli("write", "a", "x")
    done = cli("check")
    assert (done.code, "all is well" in done.text) == (0, True)
    assert cli("check", "--json").json["problems"] == []
