"""Consecutive prompts of one conversation share all bytes up to the tail."""

from __future__ import annotations

import time
from typing import Any

import pytest

import memslot


def rendered(messages: list[dict[str, Any]]) -> str:
    """Messages as a prompt."""
    return "".join(f"<{message['role']}>{message['content']}\n" for message in messages)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_prompts_of_fifty_turns_share_every_byte_up_to_the_previous_tail(language: Any) -> None:
    """With writes, expiries and injections in every turn, a prompt is the one before without its tail, and more behind it; no body is in
    what they share, and the tail stays short."""
    with memslot.embedded(namespace="acme/chat", conversation="c", settings={"slot_limit": 1000}) as memory:
        for number in range(100):
            memory.write(f"old {number}", f"body {number} " * 20, importance=0.5, description=f"the {number}th")
        memory.write("short-lived", "x", ttl=0.05)
        card = memory.prompt_card(language=language)
        history: list[dict[str, Any]] = [{"role": "system", "content": card.text}]
        before, tails = "", []
        for turn in range(50):
            with memory.turn(str(turn)):
                history.append({"role": "user", "content": f"question {turn}"})
                now = memory.prompt_card(language=language)
                assert now.text == card.text
                messages = [*history, {"role": "user", "content": now.tail}]
                with memory.injected(f"old {turn}", into=messages, language=language):
                    prompt = rendered(messages)
                shared = rendered(history)
                assert prompt.startswith(shared)
                assert prompt.startswith(before)
                before = shared
                tails.append(len(now.tail))
                output = f'noted {{"action":"mem_write","slot":"new {turn}","value":"body of {turn} {"y" * 100}"}}'
                acted = memory.act(output, language=language)
                history.append({"role": "assistant", "content": acted.user_text})
                history.append({"role": "user", "content": acted.model_text})
        assert "yyyy" not in before
        assert "body 3" not in before
        assert max(tails) < 400
        # A slot that expires between the making of a card and its tail is told in the tail.
        while list(memory.lookup("short-lived")):
            time.sleep(0.01)
        assert memory.prompt_card(language=language, renew=True).tail == ""
