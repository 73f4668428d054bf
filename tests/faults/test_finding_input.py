"""What anybody may send to Search, over the wire: answered or refused with a reason, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import math
import random
import string
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from tests.faults.asking import NAMESPACE, Failure, attempt, failure_of, write
from tests.faults.in_process import InProcess, in_process
from tests.system.process import PATIENCE_S, Served, eventually

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import filter_pb2
from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb

FLAGS = ("--listen", "127.0.0.1:0", "--index-mode", "hybrid", "--embedder", "hashing", "--slot-limit", 100_000)
LONGEST = 4096


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A sidecar with a few slots."""
    directory = tmp_path_factory.mktemp("input")
    with Served("--data-dir", directory, *FLAGS) as running:
        slots = running.ready().slots()
        for index in range(50):
            slots.Write(write(f"n{index}", f"zebra {index}".encode()))
        yield running
        assert running.stop() == 0
        assert "error_id" not in running.stderr


def search(**fields: Any) -> pb.SearchRequest:
    """A search of the namespace of these tests."""
    return pb.SearchRequest(**{"namespace": NAMESPACE, **fields})


TEXTS = {
    "quotes": '"' * 8192,
    "stars": "*" * 8192,
    "stars after letters": "ab* " * 2048,
    "NUL": "\0zebra\0" * 1000,
    "operators": "NEAR( AND OR NOT ^ : { } + - " * 250,
    "columns": 'name:"zebra" body : zebra {name body}: zebra - {body}: zebra ' * 100,
    "injection": "'); DROP TABLE documents; -- \" OR rowid > 0 " * 100,
    "one long word": "z" * 8192,
    "one long name": "aB3" * 2700,
    "Chinese": "的我是" * 900,
    "marks": "e" + "\u0301" * 4000,
    "joiners": "\u200d\ufe0f" * 1300,
    "emoji": "😀" * 2000,
    "flags": "🇩🇪" * 1000,
    "private": "\ue000\U0010ffff" * 1000,
    "control": "".join(map(chr, range(32))) * 250,
    "right to left": "\u202ezebra\u202c" * 500,
    "blank": " \t\n\u3000" * 1000,
    "random": "".join(random.Random(1).choices(string.printable, k=8192)),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("mode", [pb.SEARCH_MODE_AUTO, pb.SEARCH_MODE_FULLTEXT])
def test_no_text_is_an_error(served: Served, text: str, mode: int) -> None:
    """Eight thousand bytes of anything are answered."""
    reply = attempt(served.slots().Search, search(text=text, mode=mode))
    assert not isinstance(reply, Failure), reply
    assert len({hit.name for hit in reply.hits}) == len(reply.hits)


def test_half_a_character_is_refused_as_no_text(served: Served) -> None:
    """Bytes that are no UTF-8 are INVALID_ARGUMENT, whatever field they stand in."""
    call = served.channel().unary_unary("/memslot.v1.SlotService/Search")
    for field in (b"\x12", b"\x0a", b"\x32"):
        raw = search().SerializeToString() + field + b"\x03\xed\xa0\x80"
        assert failure_of(call, raw).code == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": "z" * 8193}, "text"),
        ({"text": "é" * 4097}, "text"),
        ({"text": "z", "limit": -(2**31)}, "limit"),
        ({"text": "z", "min_revision": -(2**63)}, "min_revision"),
        ({"text": "z", "neighbor_weight": math.nan}, "neighbor_weight"),
        ({"text": "z", "neighbor_weight": math.inf}, "neighbor_weight"),
        ({"text": "z", "neighbor_weight": -0.0001}, "neighbor_weight"),
        ({"text": "z", "mode": 5}, "mode"),
        ({"text": "z", "view": 17}, "view"),
        ({"text": "z", "page_token": "A" * 100_000}, "page_token"),
        ({"text": "z", "page_token": "\U0001f600"}, "page_token"),
        ({"vector": [1.0] * (LONGEST + 1)}, "vector"),
        ({"vector": [0.0] * 256}, "vector"),
        ({"vector": [1e-46] * 256}, "vector"),
        ({"vector": [math.nan] * 256}, "vector"),
        ({"vector": [1.0, math.inf] * 128}, "vector"),
        ({"vector": [-math.inf] * 256}, "vector"),
        ({"vector": [1.0] * LONGEST}, "vector"),
        ({"text": "z", "vector": [1.0] * 255}, "vector"),
        ({}, "text"),
        ({"namespace": "//", "text": "z"}, "namespace"),
        ({"namespace": "", "text": "z"}, "namespace"),
    ],
)
def test_what_cannot_work_names_its_field(served: Served, fields: dict[str, Any], field: str) -> None:
    """INVALID_ARGUMENT, with the field to blame."""
    failed = failure_of(served.slots().Search, search(**fields))
    assert failed.code == "INVALID_ARGUMENT", failed
    assert field in failed.text


@pytest.mark.parametrize("number", [1e-45, 1e-38, 3.4e38, -3.4e38], ids=["denormal", "tiny", "huge", "minus"])
def test_vectors_of_any_length_have_a_direction(served: Served, number: float) -> None:
    """The smallest and the largest numbers are searched for as they point."""
    reply = served.slots().Search(search(vector=[number] * 256, limit=100), timeout=PATIENCE_S)
    assert all(math.isfinite(hit.score) for hit in reply.hits)


def test_filters_as_large_as_they_may_be(served: Served) -> None:
    """A hundred and eighty conditions of 256 values each are honoured; more than may be are refused."""
    values = [f"tag {index}" for index in range(256)]
    nodes = [filter_pb2.Filter(tags_none=filter_pb2.StringSet(values=values)) for _ in range(60)]
    third = filter_pb2.Filter(all_of=filter_pb2.FilterList(filters=nodes))
    everything = filter_pb2.Filter(all_of=filter_pb2.FilterList(filters=[third] * 3))
    slots = served.slots()
    assert len(slots.Search(search(text="zebra", filter=everything, limit=100), timeout=PATIENCE_S).hits) == 50
    everything = filter_pb2.Filter(all_of=filter_pb2.FilterList(filters=[third] * 5))
    assert failure_of(slots.Search, search(text="zebra", filter=everything)).code == "INVALID_ARGUMENT"
    assert failure_of(slots.Search, search(text="zebra", filter=filter_pb2.Filter())).code == "INVALID_ARGUMENT"


def test_a_page_token_of_another_search_or_store_is_refused(served: Served, tmp_path: Path) -> None:
    """A token is bound to text, vector, mode, filter, weight and namespace, and to the store."""
    slots = served.slots()
    asked = search(text="zebra", limit=10)
    token = slots.Search(asked, timeout=PATIENCE_S).next_page_token
    assert slots.Search(search(text="zebra", limit=100, page_token=token), timeout=PATIENCE_S).hits
    condition = {"name_prefix": "n"}
    for other in [
        {"text": "zebras"},
        {"text": "zebra", "mode": pb.SEARCH_MODE_FULLTEXT},
        {"text": "zebra", "vector": [1.0] * 256},
        {"text": "zebra", "neighbor_weight": 0.5},
        {"text": "zebra", "filter": condition},
        {"text": "zebra", "namespace": f"{NAMESPACE}/x"},
    ]:
        assert failure_of(slots.Search, search(page_token=token, **other)).reason == "INVALID_PAGE_TOKEN"
    with Served("--data-dir", tmp_path, *FLAGS) as another:
        slots = another.ready().slots()
        slots.Write(write("n", b"zebra"))
        assert failure_of(slots.Search, search(text="zebra", page_token=token)).reason == "STORE_REPLACED"


def test_a_revision_to_come_is_waited_for_until_the_deadline(served: Served) -> None:
    """It is INDEX_BEHIND or DEADLINE_EXCEEDED in time, and is answered when the revision comes."""
    slots = served.slots()
    revision = slots.Lookup(pb.LookupRequest(namespace=NAMESPACE)).revision
    for ahead in (1, 2**62):
        failed = failure_of(slots.Search, search(text="zebra", min_revision=revision + ahead), 0.5)
        assert failed.code == "DEADLINE_EXCEEDED"
    waiting = slots.Search.future(search(text="heron", min_revision=revision + 1), timeout=PATIENCE_S)
    slots.Write(write("heron", b"heron"), timeout=PATIENCE_S)
    assert "heron" in [hit.name for hit in waiting.result().hits]
    slots.Forget(pb.ForgetRequest(namespace=NAMESPACE, name="heron"), timeout=PATIENCE_S)


@pytest.mark.slow
def test_searches_that_nobody_waits_for_leave_nothing(tmp_path: Path) -> None:
    """A thousand searches cancelled or out of time, many of them for revisions that never come: tasks, threads, connections and memory are as
    before, and the next search is answered."""
    with Served("--data-dir", tmp_path, *FLAGS) as served:
        slots, admins = served.ready().slots(), served.admin()
        for index in range(200):
            slots.Write(write(f"n{index}", f"zebra heron otter {index}".encode() * 20))
        process = psutil.Process(served.pid)
        _abandon(slots, 1000)
        before = _footprint(process)
        _abandon(slots, 1000)
        eventually(lambda: _quiet(admins), "all calls have ended")
        after = _footprint(process)
        assert after[0] - before[0] < 15_000_000
        assert after[1] <= before[1] + 2
        assert after[2] <= before[2] + 2
        assert slots.Search(search(text="zebra", limit=5), timeout=PATIENCE_S).hits
        assert served.stop() == 0
        assert "never retrieved" not in served.stderr
        assert "error_id" not in served.stderr


def _abandon(slots: Any, calls: int) -> None:
    chance = random.Random()
    running = []
    for number in range(calls):
        fields = chance.choice(
            [
                {"text": "zebra heron otter 1* 2* 3*", "limit": 100},
                {"text": "zebra", "min_revision": 2**40},
                {"vector": [chance.gauss(0, 1) for _ in range(256)]},
                {"text": f"words {number}", "mode": pb.SEARCH_MODE_VECTOR},
            ]
        )
        running.append(slots.Search.future(search(**fields), timeout=chance.uniform(0.002, 0.1)))
        if number % 2 == 0:
            running.pop(chance.randrange(len(running))).cancel()
        if len(running) > 50:
            running.pop(0).exception()
    for call in running:
        if not call.cancelled():
            call.exception()


def _footprint(process: psutil.Process) -> tuple[int, int, int]:
    return process.memory_info().rss, process.num_threads(), process.num_fds()


def _quiet(admins: Any) -> bool:
    first, second = (
        sum(c.count for c in admins.Stats(admin.StatsRequest(), timeout=PATIENCE_S).calls) for _ in range(2)
    )
    return bool(second - first == 1)


async def test_cancelled_searches_leave_no_task_and_nobody_who_waits(tmp_path: Path) -> None:
    """Whoever is cancelled while it waits for a revision, for vectors, or for the index, is forgotten at once."""
    async with in_process("sqlite", tmp_path, index_mode="hybrid", embedder="hashing") as run:
        await run(write("n", b"zebra"))
        await run(search(text="zebra"))
        before = asyncio.all_tasks()
        for number in range(300):
            await _cancelled(run, number)
        while asyncio.all_tasks() - before:
            await asyncio.sleep(0.01)
        running = run.sidecar.finder._running
        assert running is not None
        assert not running.follower._waiters


async def _cancelled(run: InProcess, number: int) -> None:
    fields = [{"text": "zebra", "min_revision": 10**9}, {"text": f"zebra {number}"}, {"vector": [1.0] * 256}]
    call = asyncio.ensure_future(run(search(**fields[number % 3])))
    for _ in range(number % 7):
        await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)


BROAD = " ".join(f"{first}{second}*" for first in "abcdefghij" for second in "abcdefghij")


@pytest.mark.slow
def test_a_broad_search_ends_with_its_caller_and_holds_up_no_other(tmp_path: Path) -> None:
    """Over fifty thousand slots, searches for all words that begin in a hundred ways: each ends at its deadline, frees its thread soon after,
    and others are answered meanwhile."""
    with Served("--data-dir", tmp_path, *FLAGS, "--index-mode", "fulltext") as served:
        slots = served.ready().slots()
        _fill(slots, 50_000)
        slots.Search(search(text="needle"), timeout=PATIENCE_S)
        alone_s = _slowest(slots, 20)
        broad = search(text=BROAD, limit=100)
        ending = threading.Event()
        with ThreadPoolExecutor(4) as pool:
            others = [pool.submit(_again_and_again, served.slots(), broad, ending) for _ in range(4)]
            eventually(lambda: any(one.running() for one in others), "they search")
            beside_s = _slowest(slots, 20)
            ending.set()
            ended = [code for one in others for code in one.result()]
        assert set(ended) <= {"DEADLINE_EXCEEDED", "OK"}
        assert "DEADLINE_EXCEEDED" in ended
        # Without an end to them, each would hold one of two threads for seconds.
        assert beside_s < alone_s + 2.0
        eventually(lambda: _slowest(slots, 1) < alone_s + 0.5, "the threads are free again")


def _again_and_again(slots: Any, request: Any, ending: threading.Event) -> list[str]:
    codes = []
    while not ending.is_set():
        try:
            slots.Search(request, timeout=0.2)
            codes.append("OK")
        except grpc.RpcError as error:
            codes.append(error.code().name)
    return codes


def _slowest(slots: Any, times: int) -> float:
    slowest = 0.0
    for _ in range(times):
        began_s = time.perf_counter()
        assert slots.Search(search(text="needle"), timeout=PATIENCE_S).hits
        slowest = max(slowest, time.perf_counter() - began_s)
    return slowest


def _fill(slots: Any, count: int) -> None:
    chance = random.Random(1)
    vocabulary = ["".join(chance.choices("abcdefghij", k=chance.randint(3, 8))) for _ in range(20_000)]
    for start in range(0, count, 128):
        commit = pb.CommitRequest(namespace=NAMESPACE)
        for index in range(start, min(start + 128, count)):
            words = " ".join(chance.choices(vocabulary, k=40))
            text = f"{words} needle" if index == 7 else words
            commit.operations.add(write=pb.WriteRequest(name=f"n{index}", body=text.encode()))
        slots.Commit(commit, timeout=PATIENCE_S)


def test_switching_a_backend_that_is_not_there_degrades(tmp_path: Path) -> None:
    """A vector index whose server does not answer: searches are answered, exactly and slowly, and say so."""
    with Served("--data-dir", tmp_path, *FLAGS, "--chroma", "127.0.0.1:9") as served:
        slots, namespaces = served.ready().slots(), served.namespaces()
        settings = spaces.NamespaceSettings(vector_index=spaces.VECTOR_INDEX_KIND_CHROMA)
        namespaces.UpdateNamespace(spaces.UpdateNamespaceRequest(namespace=NAMESPACE, settings=settings))
        receipt = slots.Write(write("n", b"zebra")).receipt
        asked = search(text="zebra", mode=pb.SEARCH_MODE_VECTOR, min_revision=receipt.revision)
        eventually(lambda: slots.Search(asked, timeout=PATIENCE_S).degraded, "it says so")
        assert [hit.name for hit in slots.Search(asked, timeout=PATIENCE_S).hits] == ["n"]
        stats = served.admin().Stats(admin.StatsRequest(namespace=NAMESPACE), timeout=PATIENCE_S)
        assert "chroma" in stats.indexes[0].problem
        assert served.stop() == 0
