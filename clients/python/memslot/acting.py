"""What came of a model's output: actions, rejects, and what goes back to the model. No repr shows a body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memslot._core import histories
from memslot.enums import ActionOutcome, Origin
from memslot.errors import MemslotError
from memslot.results import Receipt, Slot


@dataclass(frozen=True, slots=True)
class FoundNames:
    """Names that a lookup or a search found, best first; ``more`` tells whether there are others."""

    names: tuple[str, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Action:
    """One memory action that was found in the output.

    ``span`` is where it stands, in characters of the output. ``repaired`` is what lenient reading mended. ``line`` is its receipt for the
    model. One of ``receipt`` (write, append, patch, forget), ``slot`` (read: the body is for the application) and ``found`` (lookup,
    search) is set when the outcome is DONE; ``error`` says why it was not executed.
    """

    action: str
    arguments_json: str = field(repr=False)
    span: tuple[int, int]
    outcome: ActionOutcome
    line: str
    repaired: tuple[str, ...] = ()
    call_id: str = ""
    shape: str = ""
    receipt: Receipt | None = None
    slot: Slot | None = None
    found: FoundNames | None = None
    error: MemslotError | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments; integers keep every digit."""
        decoded: dict[str, Any] = json.loads(self.arguments_json)
        return decoded

    @property
    def name(self) -> str:
        """The slot that it is about, as the model wrote it; empty for a lookup or a search."""
        name: str = self.arguments.get("slot", "")
        return name


@dataclass(frozen=True, slots=True)
class Reject:
    """What looked like an action and was not executed: why, where, and what to do about it."""

    reason: str
    span: tuple[int, int]
    hint: str
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class InjectedSlot:
    """A slot that an injection shows, whole or by its summary. ``characters`` are those with its delimiters."""

    name: str
    revision: int
    summarised: bool
    origin: Origin
    untrusted: bool
    injection_id: str
    characters: int


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of an output. False when it held nothing to execute and nothing that looked so.

    ``model_text`` is what the model is told, a line for each action and reject, without any body: the only part that is meant for the
    history. Where the output was a provider's message, ``tool_messages`` say the same in the provider's form and answer every call: for
    OpenAI a message for each, for Anthropic one with all results; :meth:`history` has them. ``user_text`` is the output without the
    actions, ``characters`` how long that output was. ``injection`` is, with ``on_read="show_once"``, what was read, for the tail of the next prompt and no other.
    """

    actions: tuple[Action, ...]
    rejects: tuple[Reject, ...]
    model_text: str
    tool_messages: tuple[dict[str, Any], ...]
    user_text: str = field(repr=False)
    injection: str = field(repr=False)
    injected: tuple[InjectedSlot, ...]
    revision: int
    characters: int

    @property
    def slots(self) -> Mapping[str, Slot]:
        """What was read, by name."""
        return {action.slot.name: action.slot for action in self.actions if action.slot is not None}

    def history(self, said: object) -> list[Any]:
        """Return what belongs into the history: ``said``, the output that was acted on, without the values that it stored, and its answers.

        A text becomes a message of the assistant, with what the model is told in one of the user behind it. A provider's message, or a
        list of them, stays as it is but for the ``value`` of each action that was done; the answers are ``tool_messages``. What was refused
        keeps its value, for the model to mend. Raises TypeError for another output.
        """
        return histories.kept(self, said)

    def __bool__(self) -> bool:
        return bool(self.actions or self.rejects)
