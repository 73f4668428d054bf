"""Slots as messages: nothing is lost, nothing is larger than was reckoned."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.sidecar.services.records import LABELS, MOMENTS, SCALARS, records
from tests.sidecar.services.served import START_MS

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_index.ranking import Decay
from memslot_sidecar import model
from memslot_sidecar.model import Outcome, Receipt, SlotRecord, StoredSlot
from memslot_sidecar.operations.batch_read import absent, over_budget
from memslot_sidecar.operations.budget import info_bytes, status_bytes
from memslot_sidecar.services.scalars import to_scalars
from memslot_sidecar.services.slot_memo import SlotMemo
from memslot_sidecar.services.slot_messages import Clocked, fill_receipt, fill_static
from memslot_sidecar.status import to_status

CLOCKED = Clocked(Decay(), START_MS)


@given(records())
def test_a_slots_information_arrives_whole(record: SlotRecord) -> None:
    """Every field of a slot is told as it is stored, the kinds of attributes and the lack of a time included."""
    info = slot_pb2.SlotInfo()
    CLOCKED.fill_info(info, record)
    info = slot_pb2.SlotInfo.FromString(info.SerializeToString())
    told = replace(
        record,
        **{
            name: getattr(info, name)
            for name in (
                "namespace", "name", "revision", "version", "content_type", "body_bytes", "description",
                "task_type", "importance", "pinned", "origin", "access_count", "written_by",
            )
        },
        tags=tuple(info.tags),
        attributes=to_scalars(info.attributes, ""),
        created_ms=info.create_time.ToMilliseconds(),
        updated_ms=info.update_time.ToMilliseconds(),
        accessed_ms=info.access_time.ToMilliseconds() if info.HasField("access_time") else None,
        expire_ms=info.expire_time.ToMilliseconds() if info.HasField("expire_time") else None,
    )  # fmt: skip
    assert told == record
    assert [type(value) for value in told.attributes.values()] == [
        type(record.attributes[key]) for key in told.attributes
    ]
    assert (info.has_vector, info.has_summary) == (record.vector_bytes > 0, record.summary_bytes > 0)
    assert info.rank_score == CLOCKED.decay.score(record.rank, START_MS)


@given(records())
def test_no_slot_is_larger_than_was_reckoned(record: SlotRecord) -> None:
    """A slot takes at most the bytes that the budget of a reply reckons with, its frame and rank included."""
    found = pb.BatchReadResponse()
    CLOCKED.fill_slot(found.results.add().slot, StoredSlot(record, b"x" * 1000))
    assert found.ByteSize() <= info_bytes(record) + 1000


@given(LABELS)
def test_no_status_of_many_is_larger_than_was_reckoned(name: str) -> None:
    """A thousand statuses fit into a reply, whatever the names."""
    name = name.encode()[:128].decode(errors="ignore") or "n"
    for error in (absent(name), over_budget(name)):
        found = pb.DescribeResponse()
        found.results.add().status.CopyFrom(to_status(error))
        assert found.ByteSize() <= status_bytes(name)


@given(st.lists(records(), min_size=1, max_size=4), st.lists(st.integers(0, 3), max_size=12))
def test_a_slot_read_again_is_told_as_the_first_time(pool: list[SlotRecord], order: list[int]) -> None:
    """The memo tells each record as it is, also when another record of the same name came in between."""
    pool = [replace(record, namespace="n", name="same") if i % 2 else record for i, record in enumerate(pool)]
    memo = SlotMemo()
    for record in (pool[i % len(pool)] for i in order):
        plain = pb.ReadResponse(revision=7)
        fill_static(plain.slot.info, record)
        plain.slot.info.rank_score = 1.5
        plain.slot.body = b"body"
        rest = pb.ReadResponse(revision=7, slot=slot_pb2.Slot(info=slot_pb2.SlotInfo(rank_score=1.5), body=b"body"))
        assert pb.ReadResponse.FromString(memo.beginning(record) + rest.SerializeToString()) == plain


@given(
    st.builds(
        Receipt,
        name=LABELS,
        outcome=st.sampled_from(Outcome),
        revision=st.integers(0, 2**63 - 1),
        version=st.integers(0, 2**63 - 1),
        previous_revision=st.integers(0, 2**63 - 1),
        expire_ms=st.none() | MOMENTS,
        evicted=st.lists(LABELS, max_size=3).map(tuple),
        warnings=st.lists(st.sampled_from(model.Warning), unique=True).map(tuple),
    )
)
def test_a_receipt_arrives_whole(receipt: Receipt) -> None:
    """Every field of a receipt is told as the operation said it."""
    message = slot_pb2.Receipt()
    fill_receipt(message, receipt)
    message = slot_pb2.Receipt.FromString(message.SerializeToString())
    told = Receipt(
        message.name,
        Outcome(message.outcome),
        message.revision,
        message.version,
        message.previous_revision,
        message.expire_time.ToMilliseconds() if message.HasField("expire_time") else None,
        tuple(message.evicted),
        tuple(map(model.Warning, message.warnings)),
    )
    assert told == receipt


@given(st.dictionaries(LABELS, SCALARS))
def test_a_scalar_keeps_its_kind(values: dict[str, object]) -> None:
    """1, 1.0, true and "1" stay four values."""
    info = slot_pb2.SlotInfo()
    fill_static(info, replace(EMPTY, attributes=values))  # type: ignore[arg-type]
    back = to_scalars(info.attributes, "")
    assert {key: (type(value), value) for key, value in back.items()} == {
        key: (type(value), value) for key, value in values.items()
    }


EMPTY = SlotRecord(
    "n", "s", 1, 1, "text/plain", 0, "", "", (), {}, 0.0, False, 0, "x", 0.0, 0, 1, 0, 0, None, None, 0, None  # type: ignore[arg-type]
)  # fmt: skip
