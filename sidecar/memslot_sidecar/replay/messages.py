"""A recorded run, as far as a replay needs it. Sizes are characters (Unicode code points) unless they say bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_RESULT_ROLES = frozenset({"tool", "function"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that the model asked for; ``arguments`` is the text that it wrote."""

    id: str
    function: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the history; ``text`` is all text of its content.

    ``name`` and ``tool_call_id`` say what a tool result answers; either may be empty.
    """

    role: str
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    name: str = ""
    tool_call_id: str = ""

    @property
    def size(self) -> int:
        """Length of the content plus, for each tool call, of the function's name and of the arguments."""
        return len(self.text) + sum(len(call.function) + len(call.arguments) for call in self.tool_calls)

    @property
    def is_model_call(self) -> bool:
        """Whether a model wrote this, seeing all messages before it."""
        return self.role == "assistant"

    @property
    def is_tool_result(self) -> bool:
        """Whether this is what a tool returned."""
        return self.role in _RESULT_ROLES


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded run; ``where`` says for people where it was found."""

    trace_id: str
    messages: Sequence[Message]
    where: str = ""
