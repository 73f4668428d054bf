"""How search, reindex, stats, read and describe show what the index gave."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
import threading
from collections.abc import Mapping
from datetime import datetime, timezone
from itertools import count
from pathlib import Path

import pytest
import tqdm
from google.protobuf import text_format
from google.protobuf.message import Message
from tests.sidecar.commands.canned import Canned, CannedSidecar
from tests.sidecar.commands.conftest import Command, Done

from memslot import where
from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import slot_service_pb2 as slots
from memslot.v1.slot_pb2 import SlotInfo, Summary

FOUND = """
hits { name: "prefs" score: 12.3456 matched_by: MATCH_NAME matched_by: MATCH_BODY matched_by: MATCH_VECTOR
  info { name: "prefs" namespace: "acme" description: "what she likes" has_summary: true }
  summary { text: "Likes windows.\\nAnd aisles." source: SUMMARY_SOURCE_EXTRACTIVE origin: ORIGIN_USER revision: 3 } }
hits { name: "用户" score: 0.0000012 matched_by: MATCH_NEIGHBOR info { name: "用户" namespace: "acme" description: "a \\033[2J b" } }
mode: SEARCH_MODE_FULLTEXT indexed_revision: 7 degraded: "only words were searched: no\\033 answer" revision: 9 next_page_token: "t"
"""
STATS = """
indexes { namespace: "acme/a" documents: 1234 vectors: 1000 waiting: 234 indexed_revision: 41 vector_index: "hnsw" model: "e5" dimensions: 384
  problem: "no answer" truncated: 1 }
indexes { namespace: "acme/b" documents: 1 }
index_documents: 1235 index_waiting: 234 index_bytes: 4096 summaries: 2 summary_bytes: 200 uptime { seconds: 5 }
"""


def _run(command: Command, answers: Mapping[str, Canned], *arguments: str) -> tuple[Done, list[Message]]:
    with CannedSidecar(answers) as sidecar:
        return command(*arguments, "--target", sidecar.target), sidecar.requests


def _search(command: Command, *arguments: str) -> tuple[Done, slots.SearchRequest]:
    found = text_format.Parse(FOUND, slots.SearchResponse())
    done, (request,) = _run(command, {"SlotService/Search": found}, "search", *arguments, "--namespace", "acme")
    assert isinstance(request, slots.SearchRequest)
    return done, request


def test_hits_are_a_table_and_what_was_done_without_is_a_note(command: Command) -> None:
    """Best first, with what matched; notes go to standard error, and nothing reaches the terminal that could steer it."""
    done, _ = _search(command, "window", "seat", "--limit", "2")
    assert done.code == 0
    head, first, second, more = done.text.splitlines()
    assert head.split() == ["NAME", "SCORE", "MATCHED", "DESCRIPTION"]
    assert first.split(None, 2) == ["prefs", "12.3", "name, body, vector  what she likes"]
    assert second.split(None, 2) == ["用户", "1.2e-06", "neighbor            a \\x1b[2J b"]
    assert more == "and more: raise --limit 2"
    assert done.errors == "memslot: only words were searched: no\\x1b answer\n"


def test_a_search_asks_for_what_the_flags_say(command: Command) -> None:
    """Words are one text; flags are the request's fields."""
    _, request = _search(
        command, "window", '"a seat"', "pref*", "--mode", "hybrid", "--tag", "x", "--task-type", "chat", "--since", "2026-11-30T00:00Z",
        "--limit", "2", "--neighbor-weight", "0.5", "--min-revision", "7",
    )  # fmt: skip
    assert request.text == 'window "a seat" pref*'
    assert (request.mode, request.limit) == (slots.SEARCH_MODE_HYBRID, 2)
    assert (request.neighbor_weight, request.min_revision) == (0.5, 7)
    assert request.view == slots.SEARCH_VIEW_INFO
    since = where.updated.since(datetime(2026, 11, 30, tzinfo=timezone.utc))
    assert request.filter == (where.tags.all("x") & (where.task_type == "chat") & since).to_proto()


def test_summaries_take_the_place_of_descriptions(command: Command) -> None:
    """In one line, and where there is none the description stays."""
    done, request = _search(command, "x", "--summaries", "--limit", "2")
    assert request.view == slots.SEARCH_VIEW_SUMMARY
    head, first, second, _ = done.text.splitlines()
    assert head.endswith("SUMMARY")
    assert first.endswith("Likes windows. And aisles.")
    assert second.endswith("b")


def test_names_alone_are_one_a_line(command: Command) -> None:
    """For other commands to read; nothing more is asked for."""
    done, request = _search(command, "x", "--names", "--limit", "2")
    assert done.text == "prefs\n用户\n"
    assert request.view == slots.SEARCH_VIEW_NAMES


def test_programs_get_hits_as_json(command: Command) -> None:
    """All of the result, enums by name."""
    done, _ = _search(command, "x", "--summaries", "--limit", "2", "--json")
    printed = done.json
    assert (printed["mode"], printed["indexed_revision"], printed["revision"], printed["more"]) == (
        "FULLTEXT",
        7,
        9,
        True,
    )
    assert printed["degraded"] == ["only words were searched: no\x1b answer"]
    first = printed["hits"][0]
    assert (first["name"], first["score"], first["matched_by"]) == ("prefs", 12.3456, ["NAME", "BODY", "VECTOR"])
    assert first["info"]["summary"]["source"] == "EXTRACTIVE"
    assert done.errors == ""


def test_a_search_without_hits_says_so(command: Command) -> None:
    """That is an answer, no failure; as names it is nothing."""
    answers = {"SlotService/Search": slots.SearchResponse()}
    done, _ = _run(command, answers, "search", "x", "--namespace", "acme/a")
    assert (done.code, done.text) == (0, "no slot of namespace acme/a matches\n")
    assert _run(command, answers, "search", "x", "--names")[0].text == ""


def test_stats_show_the_index_of_each_namespace(command: Command) -> None:
    """Sums among the rest, then a line for each namespace that was asked for or that waits."""
    answers = {
        "AdminService/Stats": text_format.Parse(STATS, admin.StatsResponse()),
        "AdminService/GetServerInfo": admin.GetServerInfoResponse(embedders=["none", "e5"]),
    }
    done, requests = _run(command, answers, "stats", "--namespace", "acme/a")
    assert requests[-1] == admin.StatsRequest(namespace="acme/a")
    lines = done.text.splitlines()
    assert "index         1,235 slots, 234 wait for a vector, 4,096 B" in lines
    assert "embedders     none, e5" in lines
    assert "summaries     2 of 200 B" in lines
    first, second = [line for line in lines if line.startswith("acme/")]
    cells = ["acme/a", "1,234", "1,000 (1 truncated)", "234", "41", "e5, 384 numbers", "hnsw", "no answer"]
    assert [cell.strip() for cell in first.split("  ") if cell.strip()] == cells
    assert second.split() == ["acme/b", "1", "none", "0", "0"]
    done, _ = _run(command, answers, "stats", "--namespace", "acme/c")
    assert "namespace acme/c has no index" in done.text


STEPS = [
    admin.ReindexResponse(done=0, total=0),
    admin.ReindexResponse(done=1000, total=2000, namespace="acme/a"),
    admin.ReindexResponse(done=2000, total=2000, namespace="acme/b", revision=41),
]


def test_reindex_says_what_was_done(command: Command) -> None:
    """For a person and for a program; without a terminal there is no bar."""
    answers = {"AdminService/Reindex": STEPS}
    done, requests = _run(command, answers, "reindex", "--namespace", "acme", "--vectors")
    assert (done.code, done.text, done.errors) == (0, "indexed 2,000 slots at revision 41\n", "")
    assert requests == [admin.ReindexRequest(namespace="acme", vectors=True)]
    done, requests = _run(command, answers, "reindex", "--json")
    assert done.json == {"slots": 2000, "revision": 41}
    assert requests == [admin.ReindexRequest()]


def test_reindex_shows_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    """How far it is and where, as soon as it takes longer than a moment: here each look at the clock is one second."""
    monkeypatch.setattr("tqdm.std.time", count(1.0).__next__)
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    shown, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    output = bytearray()
    reader = threading.Thread(target=_drain, args=(shown, output))
    reader.start()
    with os.fdopen(terminal, "w") as error:
        monkeypatch.setattr(sys, "stderr", error)
        done, _ = _run(command, {"AdminService/Reindex": STEPS}, "reindex")
        monkeypatch.undo()
    reader.join()
    os.close(shown)
    assert done.text == "indexed 2,000 slots at revision 41\n"
    assert b"acme/b" in output
    assert b"2000/2000" in output


def _drain(terminal: int, output: bytearray) -> None:
    try:
        while data := os.read(terminal, 4096):
            output.extend(data)
    except OSError:
        return


SUMMARY = Summary(text="Likes windows.\nAnd aisles.", source=3, origin=2, revision=3)  # type: ignore[arg-type]


def test_a_summary_is_read_in_place_of_a_body(command: Command, tmp_path: Path) -> None:
    """As it is, as JSON with where it comes from, or into a file."""
    answers = {"SlotService/Read": slots.ReadResponse(summary=SUMMARY)}
    done, (request,) = _run(command, answers, "read", "a", "--summary", "--namespace", "acme")
    assert request == slots.ReadRequest(namespace="acme", name="a", view=slots.READ_VIEW_SUMMARY)
    assert done.text == "Likes windows.\nAnd aisles."
    done, _ = _run(command, answers, "read", "a", "--summary", "--json")
    assert done.json["summary"] == {"text": SUMMARY.text, "source": "MODEL", "origin": "MODEL", "revision": 3}
    _run(command, answers, "read", "a", "--summary", "--output", str(tmp_path / "a"))
    assert (tmp_path / "a").read_text() == SUMMARY.text


def test_what_has_no_summary_is_told(command: Command) -> None:
    """A body that is no text is summed up by nothing; a version has no summary of its own."""
    done, _ = _run(command, {"SlotService/Read": slots.ReadResponse()}, "read", "a", "--summary")
    assert (done.code, done.raw) == (1, b"")
    assert "no text" in done.errors
    assert command("read", "a", "--summary", "--revision", "3").code == 2


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        (
            ["--summaries"],
            ["summary          Likes windows. And aisles.", "summary made     model, origin model, revision 3"],
        ),
        ([], ["summary          at hand: show it with --summaries"]),
    ],
)
def test_describe_shows_summaries_that_are_asked_for(command: Command, flags: list[str], shown: list[str]) -> None:
    """And says that there is one otherwise."""
    result = slots.DescribeResult(info=SlotInfo(name="a", has_summary=True), summary=SUMMARY if flags else None)
    answers = {
        "SlotService/Describe": slots.DescribeResponse(results=[result]),
        "SlotService/ListVersions": slots.ListVersionsResponse(),
    }
    done, requests = _run(command, answers, "describe", "a", *flags)
    assert isinstance(requests[0], slots.DescribeRequest)
    assert requests[0].summaries is bool(flags)
    assert [line for line in done.text.splitlines() if line.startswith("summary")] == shown
