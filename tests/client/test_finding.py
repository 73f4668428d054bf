"""Slots are found: against a store in this process, and a served one, both with an index of words and vectors."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.client.waiting import wait_until
from tests.support.reply_proxy import ReplyProxy

import memslot
from memslot import IndexMode, Match, Memory, Origin, Reindexing, SearchMode, Summary, SummarySource, aio, where
from memslot.errors import DeadlineExceeded, DimensionMismatch, IndexBehind, IndexNotEnabled, NamespaceNotFound

EMBEDDED = {"index_mode": "hybrid", "embedder": "hashing", "slot_limit": 1000}
SERVED = ("--index-mode", "hybrid", "--embedder", "hashing", "--slot-limit", "1000")


@pytest.fixture(scope="module")
def finding_sidecar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SidecarProcess]:
    """A `memslot serve` that finds by words and by the vectors of the embedder `hashing`."""
    with SidecarProcess(tmp_path_factory.mktemp("finding"), *SERVED) as process:
        yield process


@pytest.fixture(params=["embedded", "served"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A client of either kind, in a namespace of this test's own."""
    path = memslot.namespace("acme", request.node.name[:60])
    if request.param == "served":
        target = request.getfixturevalue("finding_sidecar").target
        with memslot.connect(target, namespace=path) as connected:
            yield connected
    else:
        with memslot.embedded(tmp_path, namespace=path, settings=EMBEDDED) as embedded:
            yield embedded


def test_a_slot_is_found_by_the_words_of_the_write_that_was_just_answered(memory: Memory) -> None:
    """In its name, description, tags or body; and no more once it is forgotten."""
    memory.write("user_pref", "Likes seats at the window.", description="what she prefers", tags=["travel"])
    for text, by in [("pref", Match.NAME), ("windows", Match.BODY), ("traveling", Match.TAGS)]:
        (hit,) = memory.search(text, mode="fulltext", info=True)
        assert (hit.name, by in hit.matched_by) == ("user_pref", True)
        assert hit.info is not None
        assert hit.info.description == "what she prefers"
    memory.forget("user_pref")
    assert memory.search("window").names == ()


def test_vectors_are_waited_for_with_a_receipt(memory: Memory) -> None:
    """Then both were searched, as far as the write at least, and nothing was done without."""
    receipt = memory.write("a", "Likes seats at the window.")
    found = memory.search("seat at a window", min_revision=receipt)
    assert (found.names, found.mode, found.degraded) == (("a",), SearchMode.HYBRID, ())
    assert found.indexed_revision >= receipt.revision
    assert {Match.BODY, Match.VECTOR} <= set(found[0].matched_by)
    assert memory.search("window", mode=SearchMode.FULLTEXT).mode is SearchMode.FULLTEXT


def test_a_vector_of_the_callers_own_finds_those_of_the_writers(memory: Memory) -> None:
    """Nearest first, without any text; one of another size is refused with both sizes."""
    np = pytest.importorskip("numpy")
    memory.namespaces.update(embedder="none")
    axes = np.eye(3, dtype=np.float32)
    for name, vector in zip("abc", axes, strict=True):
        memory.write(name, name, vector=vector)
    found = memory.search(vector=axes[1] + 0.1 * axes[2], limit=2)
    assert (found.names, found.mode) == (("b", "c"), SearchMode.VECTOR)
    assert found[0].matched_by == (Match.VECTOR,)
    with pytest.raises(DimensionMismatch) as raised:
        memory.search(vector=[1, 0])
    assert (raised.value.expected, raised.value.given) == (3, 2)


def test_limits_and_pages_give_different_slots(memory: Memory) -> None:
    """A limit above a reply's is filled by several; page by page comes the same, each slot once, and conditions hold."""
    for number in range(130):
        memory.write(f"n{number}", "the same words", attributes={"n": number})
    assert len(set(memory.search("words", limit=120).names)) == 120
    few = where.attr("n") < 30
    found, token = list[str](), ""
    while not found or token:
        page = memory.search("words", where=few, limit=7, page_token=token)
        found.extend(page.names)
        token = page.next_page_token
    assert len(found) == 30
    assert set(found) == {f"n{number}" for number in range(30)}


def test_waiting_for_what_does_not_come_ends(memory: Memory) -> None:
    """At the call's deadline, and it is said how far the index is."""
    receipt = memory.write("a", "x")
    with pytest.raises(DeadlineExceeded) as raised:
        memory.search("x", min_revision=receipt.revision + 1000, timeout=0.5)
    assert isinstance(raised.value, IndexBehind)
    assert raised.value.indexed_revision >= receipt.revision


def test_a_namespace_of_names_alone_says_how_to_search_it(memory: Memory) -> None:
    """The error is of its own class, and names the setting."""
    there = memory.namespace(f"{memory.namespace_path}/keys")
    there.namespaces.update(index_mode=IndexMode.KEYS)
    there.write("a", "x")
    with pytest.raises(IndexNotEnabled, match="index_mode"):
        there.search("x")


def test_summaries_that_writers_send_come_when_they_are_asked_for(memory: Memory) -> None:
    """With hits, with what is known, and by name; short text stands for itself, and what is no text for nothing."""
    revision = memory.write("a", "x " * 1000, summary="many an x", origin=Origin.TOOL).revision
    expected = Summary("many an x", SummarySource.WRITER, Origin.TOOL, revision)
    (hit,) = memory.search("x", summaries=True)
    assert hit.summary == expected
    assert memory.search("x")[0].summary is None
    assert memory.describe("a").has_summary
    assert memory.describe("a", summaries=True).summary == expected
    assert memory.describe_many(["a"], summaries=True)["a"].summary == expected
    assert memory.summary("a") == expected
    memory.write("short", "to the point")
    short = memory.summary("short")
    assert short is not None
    assert short.text == "to the point"
    memory.write("picture", b"\xff\xd8\x00")
    assert memory.summary("picture") is None
    assert memory.describe("a").access_count == 0


def test_the_index_is_made_anew_and_stats_tell_of_it(memory: Memory) -> None:
    """With progress to the end; what was found before is found again."""
    receipt = [memory.write(name, f"words of {name}") for name in "abc"][-1]
    steps: list[Reindexing] = []
    done = memory.reindex(memory.namespace_path, vectors=True, progress=steps.append)
    assert (done.done, done.total, done) == (3, 3, steps[-1])
    assert done.revision >= receipt.revision
    assert set(memory.search("words", min_revision=receipt).names) == set("abc")
    stats = memory.stats(namespace=memory.namespace_path)
    index = stats.indexes[memory.namespace_path]
    assert (index.documents, index.vectors, index.waiting, index.problem) == (3, 3, 0, "")
    assert index.dimensions > 0
    assert "hashing" in index.model
    assert stats.index_documents >= 3
    assert "hashing" in memory.server_info().embedders
    with pytest.raises(NamespaceNotFound):
        memory.reindex("acme/nowhere")


def test_a_search_whose_answer_is_lost_is_repeated(finding_sidecar: SidecarProcess) -> None:
    """It changes nothing, so the client asks again by itself."""
    with (
        ReplyProxy(finding_sidecar.target) as proxy,
        memslot.connect(proxy.target, namespace="acme/far") as far,
        memslot.connect(finding_sidecar.target) as near,
        ThreadPoolExecutor() as pool,
    ):
        far.write("a", "x")
        before = _searches(near)
        proxy.lose_replies()
        search = pool.submit(far.search, "x")
        wait_until(lambda: _searches(near) > before, "the search")
        proxy.heal()
        assert search.result().names == ("a",)


def _searches(memory: Memory) -> int:
    return sum(call.count for call in memory.stats().calls if call.method == "SlotService/Search")


async def test_finding_is_awaited_alike(tmp_path: Path) -> None:
    """The async face of the embedded store searches, sums up and makes anew."""
    async with aio.embedded(tmp_path, settings=EMBEDDED) as memory:
        receipt = await memory.write("a", "Likes seats at the window.")
        assert (await memory.search("windows", min_revision=receipt)).names == ("a",)
        assert await memory.summary("a") is not None
        assert (await memory.reindex()).done == 1
