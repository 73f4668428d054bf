"""An agent with a scripted model: what it would put into its prompts, well done and badly done."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memslot

SYSTEM = "You are a helpful assistant that plans journeys and answers questions about them."


@contextmanager
def memory(path: Path | None = None, conversation: str = "c", **settings: Any) -> Iterator[memslot.EmbeddedMemory]:
    """A store of its own, whose calls belong to one conversation."""
    with memslot.embedded(path, namespace="n", conversation=conversation, settings=settings) as opened:
        yield opened


def writing(slot: str, value: str) -> str:
    """What a model says when it stores something."""
    return json.dumps({"action": "mem_write", "slot": slot, "value": value}, ensure_ascii=False)


def filler(characters: int, seed: int = 0) -> str:
    """Prose of a length, different for each seed."""
    rng = random.Random(seed)
    text = ""
    while len(text) < characters:
        text += " ".join("".join(rng.choices("aeioulmnrst", k=rng.randrange(3, 9))) for _ in range(8)) + ". "
    return text[:characters]
