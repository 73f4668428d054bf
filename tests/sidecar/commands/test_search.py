"""`memslot search` and `reindex` against a sidecar, as a person uses them."""

from __future__ import annotations

import pytest
from tests.sidecar.commands.conftest import Command


@pytest.fixture
def found(cli: Command, namespace: str) -> Command:
    """The command line, with a namespace that is found by words and holds three slots."""
    cli("namespaces", "set", namespace, "--index-mode", "fulltext")
    cli(
        "write",
        "user_pref",
        "secret window",
        "--description",
        "what she likes",
        "--tag",
        "travel",
        "--task-type",
        "chat",
    )
    cli("write", "flight", "a secret window seat", "--tag", "travel")
    cli("write", "bill", "secret numbers")
    return cli


def test_words_find_slots_and_show_no_body(found: Command) -> None:
    """By body, by a part of the name, by phrase and by prefix; narrowed as a lookup is."""
    table = found("search", "window").text
    assert {line.split()[0] for line in table.splitlines()[1:]} == {"user_pref", "flight"}
    assert "what she likes" in table
    assert "secret" not in table

    def names(*arguments: str) -> list[str]:
        return sorted(found("search", "--names", *arguments).text.split())

    assert names("pref") == ["user_pref"]
    assert names('"window seat"') == ["flight"]
    assert names("num*", "seat") == ["bill", "flight"]
    assert names("secret", "--tag", "travel") == ["flight", "user_pref"]
    assert names("secret", "--tag", "travel", "--task-type", "chat") == ["user_pref"]
    assert names("secret", "--since", "2100-01-01") == []
    assert len(names("secret", "--limit", "2")) == 2


def test_programs_are_told_what_matched(found: Command) -> None:
    """And by what was searched."""
    printed = found("search", "window", "--json", "--limit", "1").json
    assert (printed["mode"], printed["more"], printed["degraded"]) == ("FULLTEXT", True, [])
    assert printed["hits"][0]["matched_by"] == ["BODY"]
    assert printed["hits"][0]["info"]["body_bytes"] > 0


def test_the_index_is_made_anew(found: Command, namespace: str) -> None:
    """And finds what it found before; stats show it."""
    assert found("reindex", "--namespace", namespace).text.startswith("indexed 3 slots at revision ")
    assert found("reindex", "--namespace", namespace, "--json").json["slots"] == 3
    assert found("search", "pref", "--names").text == "user_pref\n"
    (line,) = [
        line for line in found("stats", "--namespace", namespace).text.splitlines() if line.startswith(namespace)
    ]
    assert line.split()[1] == "3"


def test_a_summary_is_shown_where_it_is_asked_for(found: Command) -> None:
    """In place of a description, in place of a body, and beside what is known."""
    found("write", "long", "secret " * 100, "--summary", "what it is about", "--origin", "tool")
    assert "what it is about" in found("search", "long", "--summaries").text
    assert "what it is about" not in found("search", "long").text
    assert found("read", "long", "--summary").text == "what it is about"
    assert "summary made" in found("describe", "long", "--summaries").text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["search"], 2, "WORD"),
        (["search", "x", "--mode", "sideways"], 2, "sideways"),
        (["search", "x", "--limit", "0"], 2, "limit is 0"),
        (["search", "x", "--neighbor-weight", "2"], 2, "neighbor_weight"),
        (["search", "x", "--mode", "vector"], 1, "--index-mode hybrid"),
        (["search", "x", "--min-revision", "1000000000", "--timeout", "0.5"], 1, "1000000000"),
        (["search", "x", "--namespace", "cli/keys"], 1, "--index-mode fulltext"),
        (["search", "x", "--target", "127.0.0.1:1"], 6, "memslot serve"),
        (["reindex", "--namespace", "cli/nowhere"], 1, "cli/nowhere"),
        (["reindex", "--namespace", "../x"], 2, "segment"),
        (["stats", "--namespace", "../x"], 2, "segment"),
        (["read", "missing", "--summary"], 1, "no slot"),
    ],
)
def test_a_search_that_fails_is_told_to_a_person(found: Command, arguments: list[str], code: int, said: str) -> None:
    """One line on standard error, nothing on standard output, and the documented exit code."""
    done = found(*arguments)
    assert (done.code, done.raw) == (code, b"")
    assert said in done.errors
    assert "Traceback" not in done.errors
