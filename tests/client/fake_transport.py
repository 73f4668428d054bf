"""A transport that answers from a script, so that the core can be tested without a server or a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.message import Message

from memslot._core.steps import Ask, Effect, Pause, Receive

Answer = Message | Exception | Callable[[Any], Message]


class FakeTransport:
    """Gives the answers in order (exceptions are raised) and keeps what was asked; ``pauses`` are not waited for."""

    def __init__(self, answers: Iterable[Answer] = ()) -> None:
        self.answers = list(answers)
        self.asked: list[Ask] = []
        self.pauses: list[float] = []
        self.closed = False

    def perform(self, effect: Effect) -> Any:
        """Answers a unary call."""
        if isinstance(effect, Pause):
            self.pauses.append(effect.seconds)
            return None
        assert isinstance(effect, Ask)
        request = type(effect.request)()
        request.CopyFrom(effect.request)
        self.asked.append(Ask(effect.method, request, effect.metadata, effect.timeout_s))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def close(self) -> None:
        """Notes it."""
        self.closed = True

    @property
    def requests(self) -> list[Any]:
        """What was asked, as messages."""
        return [ask.request for ask in self.asked]


class AsyncFakeTransport(FakeTransport):
    """The same, to be awaited."""

    async def perform(self, effect: Effect) -> Any:  # type: ignore[override]
        """Answers a unary call."""
        return super().perform(effect)

    async def close(self) -> None:  # type: ignore[override]
        """Notes it."""
        super().close()


class FakeStream(FakeTransport):
    """Answers a streaming call with its answers, all at once."""

    def perform(self, effect: Effect) -> Any:
        """Gives all answers to the consumer."""
        assert isinstance(effect, Receive)
        for answer in self.answers:
            if isinstance(answer, Exception):
                raise answer
            effect.consume(answer)
