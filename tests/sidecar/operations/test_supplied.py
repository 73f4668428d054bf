"""Vectors and summaries that writers send: what they belong to, and which are taken."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import pytest
from google.protobuf.duration_pb2 import Duration
from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.operations.requests import commit, configure, describe, forget, new_id, read, update, versions, write
from tests.sidecar.services.served import Served, StoreMaker, served

from memslot.v1.namespace_service_pb2 import INDEX_MODE_FULLTEXT, INDEX_MODE_HYBRID
from memslot.v1.slot_pb2 import ORIGIN_MODEL, ORIGIN_USER, Outcome, SlotInfo
from memslot.v1.slot_service_pb2 import WRITE_MODE_APPEND, WRITE_MODE_MERGE_PATCH, ReadVersionRequest, WriteRequest
from memslot_sidecar.errors import DimensionMismatch, IndexNotEnabled, RequestIdReused, StoreFull
from memslot_sidecar.model import EffectiveSettings, IndexMode, Supplied
from memslot_sidecar.operations.vectors import unit_vector
from memslot_sidecar.rules import Limits

HYBRID = EffectiveSettings(index_mode=IndexMode.HYBRID)
EAST, NORTH = [1.0, 0.0], [0.0, 1.0]


async def outcome(run: Served, request: WriteRequest) -> str:
    """The short name of what a write did."""
    return Outcome.Name((await run(request)).receipt.outcome).removeprefix("OUTCOME_")


def kept(run: Served, name: str = "a") -> tuple[list[float], str]:
    """The vector and the summary that the store holds for a slot."""
    found = run.store.supplied("ns", name) or Supplied()
    return array("f", found.vector or b"").tolist(), found.summary or ""


async def info(run: Served, name: str = "a") -> SlotInfo:
    """What is told of a slot."""
    found: SlotInfo = (await run(describe(name))).results[0].info
    return found


async def test_a_vector_is_kept_at_length_one(make: StoreMaker) -> None:
    """Its direction is what counts: any length is taken and brought to 1; the slot tells that it has one."""
    async with served(make, defaults=HYBRID) as run:
        await run(write(vector=[3.0, -4.0], summary="line 1\nline 2"))
        vector, summary = kept(run)
        assert vector == pytest.approx([0.6, -0.8])
        assert summary == "line 1\nline 2"
        told = await info(run)
        assert (told.has_vector, told.has_summary, told.body_bytes) == (True, True, 1)
        await run(write("plain"))
        told = await info(run, "plain")
        assert (told.has_vector, told.has_summary) == (False, False)
        assert (await run(read())).slot.info.has_vector


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=64).filter(any))
def test_any_direction_has_length_one(numbers: Sequence[float]) -> None:
    """However large or small the numbers, the stored vector has their direction and length 1."""
    stored = array("f", unit_vector(numbers)).tolist()
    assert math.hypot(*stored) == pytest.approx(1, abs=1e-6)
    largest = max(map(abs, numbers))
    assert stored == pytest.approx(
        [n / largest / math.hypot(*(m / largest for m in numbers)) for n in numbers], abs=1e-6
    )


async def test_what_is_sent_decides_the_outcome(make: StoreMaker) -> None:
    """The same body with the same vector and summary, or with none, is UNCHANGED; another one of either is a new revision; what is not
    sent for the same body stays."""
    async with served(make, defaults=HYBRID) as run:
        steps = [
            (write(vector=EAST, summary="s"), "CREATED", 1, (EAST, "s")),
            (write(), "UNCHANGED", 1, (EAST, "s")),
            (write(vector=EAST, summary="s"), "UNCHANGED", 1, (EAST, "s")),
            (write(vector=[7.0, 0.0]), "UNCHANGED", 1, (EAST, "s")),
            (write(summary="s"), "UNCHANGED", 1, (EAST, "s")),
            (write(vector=NORTH), "OVERWRITTEN", 2, (NORTH, "s")),
            (write(summary="t"), "OVERWRITTEN", 3, (NORTH, "t")),
            (write(vector=EAST, summary="u"), "OVERWRITTEN", 4, (EAST, "u")),
            (write(body=b"", mode=WRITE_MODE_APPEND), "UNCHANGED", 4, (EAST, "u")),
            (write(body=b"", mode=WRITE_MODE_APPEND, vector=NORTH), "APPENDED", 5, (NORTH, "u")),
            (write(tags=["t"]), "OVERWRITTEN", 6, (NORTH, "u")),
            (write(body=b"y", vector=EAST), "OVERWRITTEN", 7, (EAST, "")),
            (write(body=b"z"), "OVERWRITTEN", 8, ([], "")),
        ]
        for request, *wanted in steps:
            receipt = (await run(request)).receipt
            name = Outcome.Name(receipt.outcome).removeprefix("OUTCOME_")
            assert [name, receipt.revision, kept(run)] == wanted, request
        assert (await info(run)).version == 8
        assert (await run.store.check()).problems == []


@pytest.mark.parametrize(
    ("body", "change", "mode"),
    [(b"a", b"b", WRITE_MODE_APPEND), (b'{"a":1}', b'{"a":2}', WRITE_MODE_MERGE_PATCH)],
)
async def test_a_body_that_changes_drops_what_was_sent(
    make: StoreMaker, body: bytes, change: bytes, mode: object
) -> None:
    """An append and a patch drop vector and summary, unless they bring new ones."""
    kind = "application/json" if mode == WRITE_MODE_MERGE_PATCH else ""
    async with served(make, defaults=HYBRID) as run:
        await run(write(body=body, content_type=kind, vector=EAST, summary="s"))
        await run(write(body=change, mode=mode))
        assert kept(run) == ([], "")
        change = change.replace(b"2", b"3")
        await run(write(body=change, mode=mode, summary="new"))
        assert kept(run) == ([], "new")
        assert not (await info(run)).has_vector


async def test_metadata_and_renewals_leave_what_was_sent(make: StoreMaker) -> None:
    """Updating information and renewing the expiry keep vector and summary."""
    async with served(make, defaults=HYBRID) as run:
        await run(write(vector=EAST, summary="s"))
        await run(update(mask=["pinned"], info=SlotInfo(pinned=True)))
        await run(write(ttl=Duration(seconds=9)))
        assert kept(run) == (EAST, "s")


async def test_a_new_summary_does_not_inherit_trust(make: StoreMaker) -> None:
    """Who words a summary anew for the same body, and does not say who they are, takes the slot's origin away; a vector does not."""
    async with served(make, defaults=HYBRID) as run:
        await run(write(summary="s", origin=ORIGIN_USER))
        await run(write(vector=EAST, summary="s"))
        assert (await info(run)).origin == ORIGIN_USER
        await run(write(summary="t"))
        assert (await info(run)).origin == 0
        await run(write(summary="u", origin=ORIGIN_MODEL))
        assert (await info(run)).origin == ORIGIN_MODEL


async def test_an_earlier_version_has_none(make: StoreMaker) -> None:
    """Vector and summary are of the present body alone."""
    async with served(make, defaults=EffectiveSettings(index_mode=IndexMode.HYBRID, versions_kept=3)) as run:
        await run(write(body=b"1", vector=EAST, summary="s"))
        await run(write(body=b"2", vector=NORTH))
        assert len((await run(versions())).versions) == 2
        told = []
        for revision in (1, 2):
            found = await run(ReadVersionRequest(namespace="ns", name="a", version_revision=revision))
            told.append((found.slot.info.has_vector, found.slot.info.has_summary))
        assert told == [(False, False), (True, False)]


async def test_what_is_sent_counts(make: StoreMaker) -> None:
    """Vectors and summaries are part of the stored bytes, of the namespace and of the store's bound."""
    async with served(make, defaults=HYBRID, limits=Limits(store_limit_bytes=20)) as run:
        await run(write(body=b"12345", vector=EAST, summary="ü"))
        assert run.store.usage().stored_bytes == 5 + 8 + 2
        with pytest.raises(StoreFull):
            await run(write("b", b"", vector=EAST))
        await run(write("b", b"12345"))
        await run(forget())
        assert run.store.usage().stored_bytes == 5


@pytest.mark.parametrize("mode", [None, INDEX_MODE_FULLTEXT])
async def test_a_vector_needs_a_namespace_that_keeps_vectors(make: StoreMaker, mode: object) -> None:
    """Elsewhere it is refused with a word on how to enable them, by inheritance too; a summary is kept in any mode."""
    async with served(make) as run:
        if mode is not None:
            await run(configure(index_mode=mode))
        await run(write(summary="s"))
        for request in (write(vector=EAST), commit(write("b"), write("c", vector=EAST))):
            with pytest.raises(IndexNotEnabled, match="namespaces set 'ns' --index-mode hybrid") as refused:
                await run(request)
        assert refused.value.field == "operations[1].write.vector"
        assert refused.value.metadata["op_index"] == "1"
        await run(configure(index_mode=INDEX_MODE_HYBRID))
        await run(write(vector=EAST))
        await run(WriteRequest(namespace="ns/below", name="a", vector=EAST))
        assert kept(run) == (EAST, "s")


async def test_vectors_of_a_namespace_have_one_dimension(make: StoreMaker) -> None:
    """The first one decides; the error tells both sizes; other namespaces are their own; the last one that goes sets free."""
    async with served(make, defaults=HYBRID) as run:
        await run(write("a", vector=EAST))
        with pytest.raises(DimensionMismatch) as refused:
            await run(write("b", vector=[1, 2, 3]))
        assert (refused.value.field, refused.value.metadata) == ("vector", {"expected": "2", "given": "3"})
        await run(WriteRequest(namespace="ns/below", name="a", vector=[1, 2, 3]))
        await run(write("b", vector=NORTH))
        with pytest.raises(DimensionMismatch):
            await run(write("a", b"new", vector=[1, 2, 3]))
        await run(write("a", b"new"))
        await run(write("b", b"x", vector=[1, 2, 3]))
        assert await outcome(run, write("a", b"new", vector=[3, 2, 1])) == "OVERWRITTEN"
        for name in "ab":
            await run(forget(name))
        await run(write("a", vector=EAST))
        assert (await run.store.check()).problems == []


async def test_an_expired_vector_does_not_decide(make: StoreMaker) -> None:
    """A slot that nobody sees any more, though it was not swept, does not hold up another model."""
    async with served(make, defaults=HYBRID) as run:
        await run(write("a", vector=EAST, ttl=Duration(seconds=1)))
        run.clock.forward(1_000)
        await run(write("b", vector=[1, 2, 3]))
        assert await outcome(run, write("c", vector=[3, 2, 1])) == "CREATED"


async def test_vectors_of_a_commit_fit_together(make: StoreMaker) -> None:
    """What counts is the namespace afterwards: new vectors must agree with each other and with those that stay, not with those that go."""
    long = [1.0, 2.0, 3.0]
    async with served(make, defaults=HYBRID) as run:
        with pytest.raises(DimensionMismatch) as refused:
            await run(commit(write("a", vector=EAST), write("b"), write("c", vector=long)))
        assert refused.value.field == "operations[2].write.vector"
        assert refused.value.metadata == {"expected": "2", "given": "3", "op_index": "2"}
        await run(commit(write("a", vector=EAST), write("b", vector=NORTH), write("c")))
        with pytest.raises(DimensionMismatch) as refused:
            await run(commit(forget("a"), write("c", vector=long)))
        assert refused.value.metadata["op_index"] == "1"
        await run(commit(forget("a"), write("b", b"new"), write("c", vector=long)))
        assert kept(run, "b") == ([], "")
        await run(commit(write("b", vector=EAST), write("c", b"x", vector=NORTH)))
        assert (await run.store.check()).problems == []


async def test_a_request_id_covers_what_is_sent(make: StoreMaker) -> None:
    """The same id with another vector or summary is another request."""
    async with served(make, defaults=HYBRID) as run:
        said = new_id()
        first = await run(write(vector=EAST, summary="s", request_id=said))
        assert await run(write(vector=EAST, summary="s", request_id=said)) == first
        for fields in ({"vector": NORTH, "summary": "s"}, {"vector": EAST, "summary": "t"}, {"vector": EAST}):
            with pytest.raises(RequestIdReused):
                await run(write(request_id=said, **fields))
