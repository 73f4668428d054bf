"""Mutations that got no answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from tests.client.scripted import scripted, slot, written

from memslot import Batch, Memory, Outcome, OutcomeUnknown
from memslot.errors import (
    DeadlineExceeded,
    ErasePending,
    InternalError,
    MemslotError,
    RevisionMismatch,
    StoreUnavailable,
    Unavailable,
    Unreachable,
)

MUTATIONS: dict[str, Callable[[Memory], object]] = {
    "write": lambda memory: memory.write("a", "secret"),
    "append": lambda memory: memory.append("a", "secret"),
    "patch": lambda memory: memory.patch("a", {"b": "secret"}),
    "update_info": lambda memory: memory.update_info("a", pinned=True),
    "forget": lambda memory: memory.forget("a"),
    "forget_matching": lambda memory: memory.forget_matching(everything=True),
    "commit": lambda memory: memory.commit(Batch().write("a", "secret")),
    "namespaces.update": lambda memory: memory.namespaces.update(slot_limit=3),
    "namespaces.delete": lambda memory: memory.namespaces.delete(),
}


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
def test_every_mutation_has_a_fresh_uuid(mutate: Callable[[Memory], object]) -> None:
    """Two logical calls carry two different request ids."""
    memory, transport = scripted(Unavailable("gone"), Unavailable("gone"))
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            mutate(memory)
    first, second = (uuid.UUID(request.request_id) for request in transport.requests)
    assert first != second


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
@pytest.mark.parametrize(
    "failure", [Unavailable("gone"), DeadlineExceeded(), MemslotError("reset", code="UNKNOWN")], ids=repr
)
def test_a_mutation_without_an_answer_has_an_unknown_outcome(
    mutate: Callable[[Memory], object], failure: MemslotError
) -> None:
    """The error names the request id and how to go on, and holds no body."""
    memory, transport = scripted(failure)
    with pytest.raises(OutcomeUnknown, match=r"memory\.retry") as raised:
        mutate(memory)
    assert raised.value.request_id == transport.requests[0].request_id
    assert raised.value.code == failure.code
    assert raised.value.__cause__ is failure
    assert "secret" not in f"{raised.value!r} {raised.value} {raised.value.pending!r}"


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
def test_retry_repeats_the_very_same_request(mutate: Callable[[Memory], object]) -> None:
    """After an unknown outcome the same bytes are sent under the same request id, also from another namespace's client."""
    memory, transport = scripted(Unavailable("gone"), Unavailable("still gone"))
    with pytest.raises(OutcomeUnknown) as raised:
        mutate(memory)
    with pytest.raises(OutcomeUnknown):
        memory.namespace("other").retry(raised.value)
    assert transport.requests[0] == transport.requests[1]
    assert transport.asked[0].method is transport.asked[1].method


def test_retry_returns_what_the_call_would_have() -> None:
    """A settled outcome is the receipt of the first call."""
    memory, _ = scripted(Unavailable("gone"), written(outcome=1, revision=7))
    with pytest.raises(OutcomeUnknown) as raised:
        memory.write("a", "b")
    receipt = memory.retry(raised.value)
    assert (receipt.outcome, receipt.revision) == (Outcome.CREATED, 7)


@pytest.mark.parametrize(
    "error", [ErasePending("wait"), StoreUnavailable("full"), Unreachable("refused"), InternalError("x")], ids=repr
)
def test_an_answer_is_no_unknown_outcome(error: MemslotError) -> None:
    """What the server said itself is raised as it is, and so is a connection that never came about."""
    memory, transport = scripted(error)
    with pytest.raises(type(error)) as raised:
        memory.write("a", "b")
    assert raised.value.request_id == transport.requests[0].request_id


def test_a_read_without_an_answer_is_just_unavailable() -> None:
    """Only mutations have outcomes."""
    memory, _ = scripted(Unavailable("gone"))
    with pytest.raises(Unavailable) as raised:
        memory.read("a")
    assert not isinstance(raised.value, OutcomeUnknown)
    assert raised.value.request_id == ""
    with pytest.raises(ValueError, match="not about a mutation"):
        memory.retry(raised.value)


def test_a_request_id_of_the_callers_own_is_kept() -> None:
    """A caller that was restarted can repeat its call."""
    memory, transport = scripted(written(), slot(b""))
    memory.write("a", "b", request_id="0b0e0f6e-1c6e-4f7c-9d53-3f6a8d1f0001")
    assert transport.requests[0].request_id == "0b0e0f6e-1c6e-4f7c-9d53-3f6a8d1f0001"


def test_a_lost_compare_and_set_is_an_answer() -> None:
    """ABORTED says that nothing happened."""
    memory, _ = scripted(RevisionMismatch("no", metadata={"current_revision": "9"}))
    with pytest.raises(RevisionMismatch) as raised:
        memory.write("a", "b", if_revision=3)
    assert raised.value.current_revision == 9
