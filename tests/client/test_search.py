"""Searches: what is asked, and what comes of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import text_format
from tests.client.fake_transport import AsyncFakeTransport
from tests.client.scripted import scripted

import memslot
from memslot import Match, Origin, SearchMode, SummarySource, aio, where
from memslot._core.binding import Binding, Session
from memslot.enums import _Known
from memslot.errors import EmbedderUnavailable, IndexUnavailable, Unavailable
from memslot.results import Committed, Receipt
from memslot.v1 import slot_pb2, slot_service_pb2
from memslot.v1.slot_service_pb2 import SearchHit, SearchRequest, SearchResponse

WHOLE = """
hits { name: "a" score: 1.5 matched_by: MATCH_NAME matched_by: MATCH_VECTOR
  info { name: "a" namespace: "acme" revision: 4 has_summary: true }
  summary { text: "secret summary" source: SUMMARY_SOURCE_EXTRACTIVE origin: ORIGIN_TOOL revision: 4 } }
hits { name: "b" score: 0.5 matched_by: MATCH_NEIGHBOR }
mode: SEARCH_MODE_HYBRID indexed_revision: 7 degraded: "only words were searched" revision: 9 next_page_token: "t"
"""


def _page(*names: str, token: str = "", **fields: Any) -> SearchResponse:
    hits = [SearchHit(name=name, score=1 / (1 + position)) for position, name in enumerate(names)]
    return SearchResponse(hits=hits, next_page_token=token, **fields)


def _names(first: int, last: int) -> list[str]:
    return [f"n{number}" for number in range(first, last)]


def test_a_search_says_all_that_was_asked_for() -> None:
    """Every argument is in the request, and what was left out is left to the server."""
    memory, transport = scripted(_page(), _page())
    memory.search(
        "two words", vector=[1, 0.5], mode=SearchMode.HYBRID, where=where.tags.any("t"), limit=7, min_revision=12,
        neighbor_weight=0.5, info=True, page_token="t",
    )  # fmt: skip
    memory.search("x")
    asked, plain = transport.requests
    expected = SearchRequest(
        namespace="acme", text="two words", vector=[1, 0.5], mode=SearchMode.HYBRID, filter=where.tags.any("t").to_proto(),
        limit=7, page_token="t", min_revision=12, neighbor_weight=0.5, view=slot_service_pb2.SEARCH_VIEW_INFO,
    )  # fmt: skip
    assert asked == expected
    assert plain == SearchRequest(namespace="acme", text="x", mode=SearchMode.AUTO, limit=10, view=1)  # type: ignore[arg-type]
    assert not plain.HasField("neighbor_weight")


def test_a_result_is_decoded_whole() -> None:
    """Hits are a sequence, best first, with what matched, and information and summary where they came; the rest says how complete it is."""
    memory, transport = scripted(text_format.Parse(WHOLE, SearchResponse()))
    found = memory.search("x", summaries=True, limit=2)
    assert transport.requests[0].view == slot_service_pb2.SEARCH_VIEW_SUMMARY
    first, second = found
    assert (first.name, first.score, first.matched_by) == ("a", 1.5, (Match.NAME, Match.VECTOR))
    assert first.info is not None
    assert (first.info.revision, first.info.has_summary) == (4, True)
    assert first.summary == memslot.Summary("secret summary", SummarySource.EXTRACTIVE, Origin.TOOL, 4)
    assert (second.matched_by, second.info, second.summary) == ((Match.NEIGHBOR,), None, None)
    assert (found.mode, found.indexed_revision, found.revision) == (SearchMode.HYBRID, 7, 9)
    assert (found.degraded, found.next_page_token) == (("only words were searched",), "t")
    assert (found.names, len(found), found[1], found[:1]) == (("a", "b"), 2, second, (first,))
    assert first in found


def test_a_summary_is_in_no_repr() -> None:
    """Summaries are made of bodies, so logs and tracebacks that print results hold none."""
    memory, _ = scripted(text_format.Parse(WHOLE, SearchResponse()))
    assert "secret" not in repr(memory.search("x", summaries=True, limit=2))


def test_more_hits_than_a_reply_holds_come_from_several() -> None:
    """A large limit is filled page by page; the whole is as complete as its least complete part, and leads on."""
    memory, transport = scripted(
        _page(*_names(0, 100), token="t1", indexed_revision=9, degraded=["one"]),
        _page(*_names(100, 200), token="t2", indexed_revision=8, degraded=["one", "two"], revision=11),
        _page(*_names(200, 250), token="t3", indexed_revision=10, revision=12),
    )
    found = memory.search("x", limit=250)
    assert found.names == tuple(_names(0, 250))
    assert [(request.limit, request.page_token) for request in transport.requests] == [
        (100, ""),
        (100, "t1"),
        (50, "t2"),
    ]
    assert (found.indexed_revision, found.degraded, found.revision) == (8, ("one", "two"), 12)
    assert found.next_page_token == "t3"


def test_a_search_ends_where_there_is_no_more() -> None:
    """Neither a last page nor an empty one is asked beyond."""
    memory, transport = scripted(_page(*_names(0, 100), token="t"), _page(*_names(100, 120)))
    assert len(memory.search("x", limit=500)) == 120
    memory, transport = scripted(_page(token="t"))
    assert not memory.search("x")
    assert len(transport.asked) == 1


def test_no_slot_is_in_a_result_twice() -> None:
    """A slot that moved to a later page meanwhile is shown once, and another takes its place."""
    memory, transport = scripted(
        _page(*_names(0, 100), token="t1"), _page("n99", "n100", token="t2"), _page("n101", token="t3")
    )
    assert memory.search("x", limit=102).names == tuple(_names(0, 102))
    assert [request.limit for request in transport.requests] == [100, 2, 1]


@pytest.mark.parametrize("mode", [SearchMode.VECTOR, "vector"])
def test_a_mode_is_said_by_name_or_number(mode: Any) -> None:
    """Either way the same is asked."""
    memory, transport = scripted(_page())
    memory.search("x", mode=mode)
    assert transport.requests[0].mode == slot_service_pb2.SEARCH_MODE_VECTOR


@pytest.mark.parametrize("least", [12, Receipt("a", memslot.Outcome.CREATED, revision=12), Committed([], revision=12)])
def test_what_was_just_written_can_be_waited_for(least: Any) -> None:
    """A revision, or the answer to a change, stands for itself."""
    memory, transport = scripted(_page())
    memory.search("x", min_revision=least)
    assert transport.requests[0].min_revision == 12


class _Tensor:
    """An array of another library: one dimension, and numbers of a type of its own."""

    ndim = 1

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __iter__(self) -> Any:
        return map(_Number, self.values)


class _Number:
    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value


@pytest.mark.parametrize(
    "vector",
    [[1, 0.5], (1.0, 0.5), array("d", [1, 0.5]), iter([1, 0.5]), memoryview(array("f", [1, 0.5])), _Tensor([1.0, 0.5])],
    ids=["list", "tuple", "array", "iterator", "memoryview", "tensor"],
)
def test_any_row_of_numbers_is_a_vector(vector: Any) -> None:
    """No library has to be imported, and none is preferred."""
    memory, transport = scripted(_page())
    memory.search(vector=vector)
    assert list(transport.requests[0].vector) == [1, 0.5]


def test_numpy_arrays_are_vectors() -> None:
    """Of any number type, but of one dimension."""
    np = pytest.importorskip("numpy")
    memory, transport = scripted(_page(), _page())
    memory.search(vector=np.array([1, 0.5], dtype=np.float16))
    memory.search(vector=np.array([1, 2], dtype=np.int64))
    assert [list(request.vector) for request in transport.requests] == [[1, 0.5], [1, 2]]
    for shape in [(1, 2), (2, 1), ()]:
        with pytest.raises(TypeError, match="vector is several numbers"):
            memory.search(vector=np.ones(shape))


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda m: m.search(), ValueError, "a text, a vector, or both"),
        (lambda m: m.search(5), TypeError, "text is a str"),
        (lambda m: m.search(None, vector=[1]), TypeError, "text is a str"),
        (lambda m: m.search(vector="1.0"), TypeError, "vector is several numbers"),
        (lambda m: m.search(vector=b"abcd"), TypeError, "vector is several numbers"),
        (lambda m: m.search(vector={1: 2}), TypeError, "vector is several numbers"),
        (lambda m: m.search(vector=["1"]), TypeError, "vector is several numbers"),
        (lambda m: m.search(vector=0.5), TypeError, "vector is several numbers"),
        (lambda m: m.search("x", vector=[]), ValueError, "vector is empty"),
        (lambda m: m.search("x", mode="words"), ValueError, "mode is one of auto, fulltext, vector, hybrid"),
        (lambda m: m.search("x", limit=0), ValueError, "limit is 0"),
        (lambda m: m.search("x", where="name"), TypeError, "where is a condition"),
        (lambda m: m.search("x", min_revision="latest"), TypeError, "min_revision is a revision or a receipt"),
        (lambda m: m.search("x", min_revision=True), TypeError, "min_revision is a revision or a receipt"),
        (lambda m: m.search("x", neighbor_weight="half"), TypeError, "neighbor_weight is a number"),
    ],
)
def test_a_search_that_cannot_be_meant_is_refused(
    call: Callable[[Any], Any], error: type[Exception], said: str
) -> None:
    """The error names the argument and what it takes, and nothing is sent."""
    memory, transport = scripted()
    with pytest.raises(error, match=said):
        call(memory)
    assert transport.asked == []


def test_an_index_that_cannot_answer_is_an_unavailable_sidecar() -> None:
    """Who catches the general case catches the special one."""
    memory, _ = scripted(EmbedderUnavailable("no answer"))
    with pytest.raises(IndexUnavailable) as raised:
        memory.search("x", mode="vector")
    assert isinstance(raised.value, Unavailable)
    assert raised.value.pending is None


async def test_a_search_is_awaited_alike() -> None:
    """The async face asks page by page too."""
    transport = AsyncFakeTransport([_page(*_names(0, 100), token="t"), _page("last")])
    memory = aio.Memory(Binding(Session(), "acme"), transport)  # type: ignore[arg-type]
    assert (await memory.search("x", limit=101)).names[-1] == "last"


@pytest.mark.parametrize(
    ("known", "contract"),
    [
        (Match, slot_service_pb2.Match),
        (SearchMode, slot_service_pb2.SearchMode),
        (SummarySource, slot_pb2.SummarySource),
    ],
)
def test_closed_sets_are_those_of_the_contract(known: type[_Known], contract: Any) -> None:
    """Same names, same numbers; one of a newer server is UNSPECIFIED."""
    prefix = contract.keys()[0].removesuffix("UNSPECIFIED")
    assert {prefix + one.name: int(one) for one in known} == dict(contract.items())
    assert known(1000) is known(0)
