"""The index of the served store: what stats tell of it, and making it anew."""

from __future__ import annotations

import pytest
from google.protobuf import text_format
from tests.client.fake_transport import FakeStream
from tests.client.scripted import scripted

from memslot import Memory, Reindexing
from memslot._core.binding import Binding, Session
from memslot._core.steps import Receive
from memslot.errors import IndexNotEnabled
from memslot.results import IndexStats
from memslot.v1.admin_service_pb2 import (
    GetServerInfoResponse,
    ReindexRequest,
    ReindexResponse,
    StatsRequest,
    StatsResponse,
)

STATS = """
indexes { namespace: "acme/a" documents: 9 vectors: 6 waiting: 3 indexed_revision: 41 vector_index: "hnsw" model: "e5" dimensions: 384
  problem: "no answer" truncated: 1 }
indexes { namespace: "acme/b" documents: 1 }
index_documents: 10 index_waiting: 3 index_bytes: 4096 summaries: 2 summary_bytes: 200
"""


def test_stats_tell_of_the_index_whole() -> None:
    """Every field of the contract reaches the caller, by namespace, and the sums."""
    memory, transport = scripted(text_format.Parse(STATS, StatsResponse()), StatsResponse())
    stats = memory.stats(namespace="acme/a")
    assert transport.requests[0] == StatsRequest(namespace="acme/a")
    assert list(stats.indexes) == ["acme/a", "acme/b"]
    assert stats.indexes["acme/a"] == IndexStats("acme/a", 9, 6, 3, 41, "hnsw", "e5", 384, 1, "no answer")
    assert (stats.index_documents, stats.index_waiting, stats.index_bytes) == (10, 3, 4096)
    assert (stats.summaries, stats.summary_bytes) == (2, 200)
    assert {field.name for field in StatsResponse.DESCRIPTOR.fields} == set(type(stats).__dataclass_fields__)
    assert memory.stats().indexes == {}


def test_the_server_tells_its_embedders() -> None:
    """What a namespace may be set to."""
    memory, _ = scripted(GetServerInfoResponse(embedders=["none", "e5"]))
    assert memory.server_info().embedders == ("none", "e5")


class _Recording(FakeStream):
    def perform(self, effect: Receive) -> None:  # type: ignore[override]
        self.received = effect
        super().perform(effect)


def _memory(*answers: ReindexResponse | Exception) -> tuple[Memory, _Recording]:
    transport = _Recording(answers)
    return Memory(Binding(Session(timeout_s=5), "acme"), transport), transport


def test_reindexing_tells_how_far_it_is_and_what_was_done() -> None:
    """Each message is progress, the last one is the result; by default all namespaces, and an hour."""
    memory, transport = _memory(
        ReindexResponse(done=0, total=5, namespace="a"), ReindexResponse(done=5, total=5, namespace="b", revision=9)
    )
    seen: list[Reindexing] = []
    done = memory.reindex(progress=seen.append)
    assert seen == [Reindexing(0, 5, "a", 0), Reindexing(5, 5, "b", 9)]
    assert done == seen[-1]
    assert transport.received.request == ReindexRequest()
    assert transport.received.timeout_s == 3600


def test_what_to_reindex_can_be_said() -> None:
    """One namespace and those below it, vectors too, within a time."""
    memory, transport = _memory(ReindexResponse())
    assert memory.reindex("acme/a", vectors=True, timeout=7) == Reindexing(0, 0, "", 0)
    assert transport.received.request == ReindexRequest(namespace="acme/a", vectors=True)
    assert transport.received.timeout_s == 7


def test_without_an_index_there_is_nothing_to_make_anew() -> None:
    """The server's refusal reaches the caller."""
    memory, _ = _memory(IndexNotEnabled("keeps none"))
    with pytest.raises(IndexNotEnabled):
        memory.reindex()
