"""Neither a body, nor what is known about it, nor a question leaves by Search, Reindex and what is around them, but where it is asked for."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.faults.asking import NAMESPACE, Failure, attempt, failure_of, write
from tests.faults.canaries import Canary
from tests.faults.trail import read_trail
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb

FAILING = Path(__file__).with_name("failing_memslot.py")
FLAGS = (
    *("--listen", "127.0.0.1:0", "--index-mode", "hybrid", "--embedder", "hashing", "--slot-limit", 1000),
    *("--body-limit-bytes", "64KiB"),
)
TOO_LONG = 8200


@pytest.fixture(params=["sqlite", "ram"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A sidecar on either store that makes vectors and summaries."""
    places = ("--store", request.param, "--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit.jsonl")
    with Served(*places, *FLAGS) as running:
        settings = spaces.NamespaceSettings(summary_mode=spaces.SUMMARY_MODE_EXTRACTIVE, summary_above_bytes=100)
        request_ = spaces.UpdateNamespaceRequest(namespace=NAMESPACE, settings=settings)
        running.ready().namespaces().UpdateNamespace(request_, timeout=PATIENCE_S)
        yield running


def fill(slots: Any, body: Canary, known: Canary) -> None:
    """Slots with a secret in the body, and another in what is known about them."""
    about = {"description": f"about {known.word}", "tags": [known.word], "task_type": "t", "never": True}
    slots.Write(write("text", body.text, **about), timeout=PATIENCE_S)
    slots.Write(write("long", b"One sentence is long enough. " * 40 + body.text, **about), timeout=PATIENCE_S)
    slots.Write(write("document", body.document, content_type="application/json", **about), timeout=PATIENCE_S)
    slots.Write(write("summed", body.text, summary=f"sum {body.word}", **about), timeout=PATIENCE_S)
    slots.Write(write("gone", body.text, **about), timeout=PATIENCE_S)
    slots.Forget(pb.ForgetRequest(namespace=NAMESPACE, name="gone"), timeout=PATIENCE_S)


def searches(body: Canary, known: Canary, asked: Canary) -> list[pb.SearchRequest]:
    """Searches that are answered."""
    texts = [body.word, known.word, asked.word, f'"{body.word} in"', f"{body.word[:12]}*", "text long document"]
    modes = [pb.SEARCH_MODE_AUTO, pb.SEARCH_MODE_FULLTEXT, pb.SEARCH_MODE_VECTOR]
    views = [pb.SEARCH_VIEW_NAMES, pb.SEARCH_VIEW_INFO]
    return [
        pb.SearchRequest(namespace=NAMESPACE, text=text, mode=mode, view=view, limit=1)
        for text in texts
        for mode in modes
        for view in views
    ]


def refused(asked: Canary) -> list[pb.SearchRequest]:
    """Searches that are not, each with a secret in the question."""
    text = f"what about {asked.word}?"
    fields: list[dict[str, Any]] = [
        {"text": text + "x" * TOO_LONG},
        {"text": text, "limit": -1},
        {"text": text, "mode": 99},
        {"text": text, "page_token": asked.word},
        {"text": text, "vector": [1.0, 0.0]},
        {"text": text, "neighbor_weight": 7.0},
        {"text": text, "filter": {}},
        {"text": text, "namespace": "//"},
        {"text": text, "min_revision": 2**50},
    ]
    return [pb.SearchRequest(**{"namespace": NAMESPACE, **given}) for given in fields]


def test_nothing_secret_leaves_by_searching(served: Served, tmp_path: Path) -> None:
    """No body in any reply of Search, Reindex or Stats, no question in any reply at all, and none of both, nor what is known about a slot, in
    an error, a line of the log, or the audit trail."""
    body, known, asked = Canary(), Canary(), Canary()
    slots, admins = served.slots(), served.admin()
    fill(slots, body, known)
    replies = [slots.Search(request, timeout=PATIENCE_S) for request in searches(body, known, asked)]
    assert any(reply.hits for reply in replies)
    tokens = [reply.next_page_token for reply in replies if reply.next_page_token]
    assert tokens
    failures = [attempt(slots.Search, request, 1) for request in refused(asked)]
    assert [type(failed) for failed in failures] == [Failure] * len(failures)
    told = [failed.text for failed in failures]
    told += list(admins.Reindex(admin.ReindexRequest(namespace=NAMESPACE, vectors=True), timeout=PATIENCE_S))
    told += [failure_of(lambda r, timeout: list(admins.Reindex(r, timeout=timeout)), _elsewhere(asked)).text]
    told += [admins.Stats(admin.StatsRequest(namespace=NAMESPACE), timeout=PATIENCE_S)]
    told += [admins.CheckIntegrity(admin.CheckIntegrityRequest(), timeout=PATIENCE_S)]
    seen = [one if isinstance(one, str) else one.SerializeToString() for one in told]
    assert not [one for one in seen if body.is_in(one) or known.is_in(one) or asked.is_in(one)]
    assert not [one for one in replies if body.is_in(one.SerializeToString()) or asked.is_in(one.SerializeToString())]

    summaries = pb.SearchRequest(namespace=NAMESPACE, text="summed", view=pb.SEARCH_VIEW_SUMMARY)
    assert body.is_in(slots.Search(summaries, timeout=PATIENCE_S).SerializeToString())
    assert served.stop() == 0
    trail = (tmp_path / "audit.jsonl").read_bytes()
    for canary in (body, known, asked):
        assert not canary.is_in(served.stderr)
        assert not canary.is_in(served.stdout)
        assert not canary.is_in(trail)


def _elsewhere(asked: Canary) -> admin.ReindexRequest:
    return admin.ReindexRequest(namespace=f"{asked.word}\n")


def test_each_search_and_each_reindex_leaves_one_event(served: Served, tmp_path: Path) -> None:
    """As many events as calls, answered, refused or given up, and each is valid."""
    body, known, asked = Canary(), Canary(), Canary()
    slots, admins = served.slots(), served.admin()
    fill(slots, body, known)
    wanted: Counter[str] = Counter()
    for request in searches(body, known, asked):
        slots.Search(request, timeout=PATIENCE_S)
        wanted["OK"] += 1
    for request in refused(asked):
        wanted[failure_of(slots.Search, request, 1).code] += 1
    for vectors in (False, True):
        list(admins.Reindex(admin.ReindexRequest(namespace=NAMESPACE, vectors=vectors), timeout=PATIENCE_S))
    assert failure_of(lambda r, timeout: list(admins.Reindex(r, timeout=timeout)), admin.ReindexRequest(namespace="no"))
    left = admins.Reindex(admin.ReindexRequest(), timeout=PATIENCE_S)
    next(left)
    left.cancel()
    assert served.stop() == 0
    events = read_trail(tmp_path / "audit.jsonl")
    schema = json.loads(resources.files("memslot_sidecar.audit").joinpath("event.schema.json").read_text())
    validator = Draft202012Validator(schema)
    assert not [error for event in events for error in validator.iter_errors(event)]
    assert Counter(event["code"] for event in events if event["operation"] == "Search") == wanted
    assert sum(event["operation"] == "Reindex" for event in events) == 4
    assert all(
        event["namespace"] == NAMESPACE for event in events if event["operation"] == "Search" and event["code"] == "OK"
    )


def test_what_nobody_foresaw_tells_no_body(tmp_path: Path) -> None:
    """A store that quotes bodies in what it raises, read by the index in the background: searches say that something is missing, and the body
    is in no reply, no line of the log, and no event."""
    canary = Canary()
    program = (sys.executable, FAILING)
    with Served("--data-dir", tmp_path, *FLAGS, program=program) as served:
        slots = served.ready().slots()
        slots.Write(write("fine", b"zebra"), timeout=PATIENCE_S)
        slots.Write(write("fail", canary.text), timeout=PATIENCE_S)
        asked = pb.SearchRequest(namespace=NAMESPACE, text="zebra", mode=pb.SEARCH_MODE_FULLTEXT)
        eventually(lambda: slots.Search(asked, timeout=PATIENCE_S).degraded, "it says so")
        replies = [slots.Search(asked, timeout=PATIENCE_S)]
        replies.append(served.admin().Stats(admin.StatsRequest(namespace=NAMESPACE), timeout=PATIENCE_S))
        replies.append(failure_of(slots.Search, pb.SearchRequest(namespace=NAMESPACE, text="a", limit=-1)).text)
        assert served.stop() == 0
    assert not [one for one in replies if canary.is_in(one if isinstance(one, str) else one.SerializeToString())]
    assert "LookupError" in served.stderr
    assert not canary.is_in(served.stderr)
    assert not canary.is_in((tmp_path / "audit.jsonl").read_bytes())
