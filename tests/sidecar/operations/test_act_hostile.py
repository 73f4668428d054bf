"""Act: outputs that were made to hurt. What is wrong is told as such, nothing takes long, and nothing is told that cannot be seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sidecar.operations.acts import NAMESPACE, act, lines, outcomes, stored, written
from tests.sidecar.services.served import StoreMaker, served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_service_pb2 import WriteRequest
from memslot_sidecar.errors import RequestIdReused
from memslot_sidecar.model import EffectiveSettings
from memslot_sidecar.operations.search import TEXT_LIMIT_BYTES

LARGE = EffectiveSettings(body_limit_bytes=3_900_000)


@pytest.mark.parametrize("tags", ["[" * 100_000, '["\\ud800"]', "[1]", '[["a"]]', "[" + "1" * 10_000 + "]"])
async def test_tags_that_are_no_list_of_texts(make: StoreMaker, tags: str) -> None:
    """Tags that were written as JSON in a text are refused for what they are, and no fault of the memory."""
    async with served(make) as run:
        assert await lines(run, written("mem_write", slot="a", value="x", tags=tags)) == [
            "not run: tags must be a list of texts"
        ]
        assert await stored(run, "a") is None


async def test_a_query_has_the_length_of_a_search(make: StoreMaker) -> None:
    """A query is as long as SlotService takes one, also where no words are indexed; a longer one is refused."""
    query = "a" * TEXT_LIMIT_BYTES
    async with served(make) as run:
        told = await lines(run, written("mem_search", query=query), written("mem_search", query=query + "a"))
        assert told[0].startswith("nothing found")
        assert (
            told[1]
            == f"not run: query has {TEXT_LIMIT_BYTES + 1} bytes, at most {TEXT_LIMIT_BYTES}: use what matters in it"
        )


async def test_finding_by_name_looks_for_few_words(make: StoreMaker) -> None:
    """Of a long query the first words count, so that no query holds up others."""
    words = ["first", *(f"w{number}" for number in range(1_000)), "last"]
    async with served(make) as run:
        told = await lines(
            run,
            written("mem_write", slot="first", value=1),
            written("mem_write", slot="last", value=1),
            written("mem_search", query=" ".join(words)),
        )
        assert told[-1].endswith("): first")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a\u200bb", '"a\\u200bb"'),
        ("a\u2061", '"a\\u2061"'),
        ("a\U000e0041", '"a\\udb40\\udc41"'),
        ("a\u200d", '"a\u200d"'),
    ],
)
async def test_a_receipt_hides_nothing(make: StoreMaker, name: str, told: str) -> None:
    """What cannot be seen in a name and can be read by a model is escaped, as it is in the card."""
    async with served(make) as run:
        reply = await act(run, written("mem_write", slot=name, value=1), written("mem_lookup"))
        assert reply.model_text == f"stored {told}\nnames: {told}"
        assert reply.actions[0].receipt.name == name


async def test_what_there_is_no_room_for_is_told_as_such(make: StoreMaker) -> None:
    """Where the reply is full, the model is not told that it wrote more actions than are allowed, but what else it may be."""
    async with served(make) as run:
        reply = await act(run, *[written("mem_lookup", limit=number % 9 + 1) for number in range(50)], "x" * 1_950_000)
        assert len(reply.actions) == 50
        ids = [{"id": "i" * 30_000 + str(number), "type": "function", "function": _lookup()} for number in range(14)]
        reply = await act(run, json.dumps({"role": "assistant", "content": None, "tool_calls": ids}))
        assert len(reply.tool_messages) == len(ids)
        assert reply.ByteSize() < 4_000_000


def _lookup() -> dict[str, Any]:
    return {"name": "mem_lookup", "arguments": "{}"}


async def test_the_largest_body_can_be_read_also_to_be_shown(make: StoreMaker) -> None:
    """A body that fills the reply is given to the application, whether or not there is room to show it."""
    async with served(make, LARGE) as run:
        body = b"z" * 3_890_000
        await run(WriteRequest(namespace=NAMESPACE, name="huge", body=body, content_type="text/plain"))
        for most in (0, 1, 2_000_000_000):
            reply = await act(
                run, written("mem_read", slot="huge"), on_read=pb.ON_READ_SHOW_ONCE, max_injected_chars=most
            )
            assert outcomes(reply) == ["DONE"]
            assert reply.actions[0].slot.body == body
            assert reply.model_text == "read huge: too long to be shown, given to the application"
            assert not reply.injection
            assert reply.ByteSize() < 4_000_000


async def test_what_is_shown_leaves_a_reply_that_can_be_sent(make: StoreMaker) -> None:
    """However many large bodies are read to be shown, and however long the output is."""
    async with served(make, LARGE) as run:
        for number in range(20):
            body = ("語" * 60_000).encode()
            await run(WriteRequest(namespace=NAMESPACE, name=f"m{number}", body=body, content_type="text/plain"))
        reads = [written("mem_read", slot=f"m{number}") for number in range(20)]
        for prose in ("", "語 " * 450_000):
            reply = await act(run, *reads, prose, on_read=pb.ON_READ_SHOW_ONCE, max_injected_chars=2_000_000_000)
            assert reply.injection
            assert reply.ByteSize() < 4_000_000


async def test_a_request_id_that_is_used_again_is_told_as_it_was_sent(make: StoreMaker) -> None:
    """The error names the id of the Act, not one that was derived from it."""
    request_id = "6f1c0b1e-7c5f-4c9b-9d0e-2f6f0d3c9a11"
    async with served(make) as run:
        await act(run, written("mem_write", slot="a", value=1), request_id=request_id)
        with pytest.raises(RequestIdReused, match=request_id):
            await act(run, written("mem_write", slot="a", value=2), request_id=request_id)
