"""Save a name, change the subject, ask for the name: `python examples/save_a_name.py`. Needs no model: a script speaks in its place.

It uses the sidecar that MEMSLOT_TARGET names, else a memory of its own in RAM, which ends with it. The loop is that of local_agent.py;
whatever the model says about its memory, `memory.act` does.
"""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager

from local_agent import chat

import memslot

QUESTIONS = ("Hello! My name is Ada.", "How far is the moon?", "Do you still know my name?")


def model(prompt: list[dict[str, str]]) -> str:
    """What a model would say that follows the card. It knows nothing but what stands in the prompt."""
    told = [message["content"] for message in prompt]
    asked = max(index for index, text in enumerate(told) if text in QUESTIONS)
    since = "\n".join(told[asked:])
    if told[asked] == QUESTIONS[1]:
        return "About 384,000 km."
    if told[asked] == QUESTIONS[0]:
        save = {"action": "mem_write", "slot": "user_name", "value": "Ada", "description": "the user's name"}
        return "Nice to meet you, Ada." if "stored user_name" in since else json.dumps(save)
    if "read user_name" not in since:
        return json.dumps({"action": "mem_read", "slot": "user_name"})
    return "Of course: you are Ada." if "Ada" in since else "I do not know your name."


def memory() -> AbstractContextManager[memslot.Memory]:
    """Where the name is kept."""
    said = {"namespace": "examples/save-a-name", "conversation": "example"}
    return memslot.connect(**said) if os.environ.get("MEMSLOT_TARGET") else memslot.embedded(**said)


def main() -> None:
    """Has the conversation and prints it, with what went through the history instead of bodies."""
    history: list[dict[str, str]] = []
    with memory() as slots:
        for question in QUESTIONS:
            history.append({"role": "user", "content": question})
            print(f"user:   {question}")
            seen = len(history)
            chat(model, slots, history)
            for message in history[seen:]:
                who = "memory" if message["role"] == "user" else "agent"
                print(f"{who + ':':7} {message['content']}")


if __name__ == "__main__":
    main()
