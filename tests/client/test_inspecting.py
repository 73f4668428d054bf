"""memory.inspect_prompt: what is sent of a prompt, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.client.sidecar_process import SidecarProcess

import memslot
from memslot import Inspection, PromptFinding, aio

BODY = "The quick brown fox jumps over the lazy dog, and then over the fence."


class _Message:
    """An object of a provider's SDK."""

    def model_dump(self, **_: object) -> dict[str, object]:
        """As JSON."""
        return {"role": "user", "content": BODY}


def test_a_leak_is_told_with_its_place() -> None:
    """In a text and in messages, as dicts or objects; `leaked` is false when there is none."""
    with memslot.embedded() as memory:
        revision = memory.write("fox", BODY).revision
        inspection = memory.inspect_prompt(f"é {BODY}", token_counter="chars")
        assert (
            inspection.leaked
            == inspection.findings
            == (PromptFinding("fox", revision, 0, "", 2, 2 + len(BODY), len(BODY), len(BODY), whole=True),)
        )
        assert (inspection.slots, inspection.leaked_characters, inspection.incomplete) == (1, len(BODY), "")
        for messages in ([{"role": "user", "content": BODY}], [_Message()], {"role": "user", "content": BODY}):
            (found,) = memory.inspect_prompt(messages).leaked
            assert (found.message_index, found.field, found.allowed) == (0, "content", False)
        assert not memory.inspect_prompt([{"role": "user", "content": "nothing of it"}]).leaked
        assert not memory.inspect_prompt("half of a pair: \ud83d").leaked


def test_what_is_no_prompt_is_refused() -> None:
    """Where it can be told, before it is sent."""
    with memslot.embedded() as memory:
        with pytest.raises(memslot.InvalidRequest):
            memory.inspect_prompt("")
        with pytest.raises(TypeError, match="not object"):
            memory.inspect_prompt([object()])


def test_an_injection_of_the_turn_allows_its_body() -> None:
    """In that turn, and no other."""
    with memslot.embedded() as memory:
        memory.write("fox", BODY)
        with memory.turn("7"):
            text = memory.act('{"action": "mem_read", "slot": "fox"}', on_read="show_once").injection
            assert BODY in text
            inspection = memory.inspect_prompt(text)
            assert not inspection.leaked
            assert [found.allowed for found in inspection.findings] == [True]
        assert memory.inspect_prompt(text, turn="8").leaked
        assert not memory.inspect_prompt(text, turn="7").leaked


@pytest.mark.slow
async def test_it_is_the_same_through_grpc(tmp_path: Path) -> None:
    """Blocking and asyncio."""
    with SidecarProcess(tmp_path) as process, memslot.connect(process.target, namespace="ns") as memory:
        memory.write("fox", BODY)
        found = memory.inspect_prompt(json.dumps(BODY))
        assert isinstance(found, Inspection)
        async with aio.connect(process.target, namespace="ns") as other:
            assert await other.inspect_prompt(json.dumps(BODY)) == found
        assert [one.name for one in found.leaked] == ["fox"]


@pytest.mark.parametrize("given", [b"text", bytearray(b"text"), {"role": "user", "content": "text"}, 5, None])
def test_what_is_no_history_is_refused(given: Any) -> None:
    """Bytes, and one message in place of a list, are told, rather than taken for lists of numbers and of keys in which nothing is found."""
    with memslot.embedded() as memory:
        refusing = [lambda: memory.record_turn(given, turn="1"), lambda: memory.scrub(given)]
        if not isinstance(given, dict):
            refusing.append(lambda: memory.inspect_prompt(given))
        for call in refusing:
            with pytest.raises(TypeError, match="a list of messages, not "):
                call()
