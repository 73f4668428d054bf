"""Slots of any shape that can be stored, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from memslot_sidecar.model import Lifetime, Origin, SlotRecord

LAST_MS = 253_402_300_799_999
MOMENTS = st.integers(0, LAST_MS)
COUNTS = st.integers(0, 2**63 - 1)
LABELS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=32)
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=160)
SCALARS = st.one_of(
    LABELS,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.booleans(),
)


def records() -> st.SearchStrategy[SlotRecord]:
    """Slot records within the limits of the contract."""
    return st.builds(
        SlotRecord,
        namespace=st.lists(LABELS, min_size=1, max_size=8).map("/".join),
        name=LABELS,
        revision=COUNTS,
        version=COUNTS,
        content_type=st.sampled_from(["text/plain", "application/json", "x/y; charset=utf-8"]),
        body_bytes=COUNTS,
        description=LINES,
        task_type=LABELS | st.just(""),
        tags=st.lists(LABELS, max_size=32, unique=True).map(tuple),
        attributes=st.dictionaries(LABELS, SCALARS, max_size=32),
        importance=st.floats(0, 1),
        pinned=st.booleans(),
        origin=st.sampled_from(Origin),
        written_by=LABELS,
        rank=st.floats(-1e6, 1e6),
        access_count=COUNTS,
        created_revision=COUNTS,
        created_ms=MOMENTS,
        updated_ms=MOMENTS,
        accessed_ms=st.none() | MOMENTS,
        expire_ms=st.none() | MOMENTS,
        lifetime=st.sampled_from(Lifetime),
        ttl_ms=st.none() | st.integers(1, 10**12),
        vector_bytes=st.sampled_from([0, 4, 16_384]),
        summary_bytes=st.sampled_from([0, 1, 8_000]),
    )
