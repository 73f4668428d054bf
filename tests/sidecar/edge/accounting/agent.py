"""An agent with a scripted model: what it would put into its prompts, well done and badly done."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memslot
from memslot._core.binding import Binding
from memslot._core.face import method
from memslot._core.methods import Method
from memslot._core.pending import ask
from memslot._core.steps import Steps
from memslot.v1 import agent_service_pb2 as pb

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


def carded(mem: memslot.Memory, language: int) -> pb.GetPromptCardResponse:
    """The prompt card of the conversation, by the RPC itself."""
    request = pb.GetPromptCardRequest(max_chars=900, language=pb.Language.ValueType(language))
    return _asked(mem, Method("AgentService/GetPromptCard", type(request), pb.GetPromptCardResponse), request)


def injected(mem: memslot.Memory, name: str, turn: str) -> str:
    """A slot as an injection of a turn, by the RPC itself."""
    request = pb.InjectRequest(names=[name], turn=turn)
    text: str = _asked(mem, Method("AgentService/Inject", type(request), pb.InjectResponse), request).text
    return text


@method
def _asked(at: Binding, rpc: Method[Any], request: Any) -> Steps[Any]:
    request.namespace = at.namespace
    return (yield from ask(at, rpc, request, None))
