"""What turns cost: the books of each, and the report on many. Sizes only, never a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, overload

from memslot.enums import MissingSaving, Verdict


@dataclass(frozen=True, slots=True)
class Amount:
    """How many characters (code points) and tokens of something there are."""

    characters: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider said that a call used; None where it did not say. ``cached_tokens`` are part of ``prompt_tokens``."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None

    @classmethod
    def of(cls, said: object) -> Usage:
        """Return what a provider's ``usage`` says: OpenAI's (both APIs), Anthropic's or Gemini's, as a dict or as an object of its SDK.

        Raises TypeError for what is neither.
        """
        if isinstance(said, cls):
            return said
        told = _mapping(said)
        if "promptTokenCount" in told or "prompt_token_count" in told:
            return _gemini(told)
        if any(name.startswith("cache_") for name in told):
            return _anthropic(told)
        details = _mapping(told.get("prompt_tokens_details") or told.get("input_tokens_details") or {})
        cached = details.get("cached_tokens", told.get("cached_tokens"))
        return cls(
            _first(told, "prompt_tokens", "input_tokens"), cached, _first(told, "completion_tokens", "output_tokens")
        )


@dataclass(frozen=True, slots=True)
class TurnAccount:
    """The books of one turn.

    ``prompt`` is the whole, schemas included, and contains ``instruction`` (card and schemas), ``receipts``, ``injected`` (what injections
    of the turn show) and ``leaked`` (bodies that nothing allows). ``actions`` are those that the model wrote in this turn. ``inlined`` is
    what the prompt would be with all live bodies in it and without anything of memslot's. ``slots`` are the live ones at that time, with
    ``body_bytes_outside`` in their bodies. ``token_counter`` counted all tokens but those of ``usage``, which are the provider's.
    """

    turn: str
    conversation: str
    time: datetime
    prompt: Amount
    output: Amount
    instruction: Amount
    actions: Amount
    receipts: Amount
    injected: Amount
    leaked: Amount
    inlined: Amount
    slots: int
    body_bytes_outside: int
    usage: Usage
    token_counter: str


@dataclass(frozen=True, slots=True)
class SavingProblem:
    """Something that is in the way of a (larger) saving: in ``text`` with figures and a remedy. ``turns`` are those where it shows."""

    cause: MissingSaving
    text: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenReport(Sequence[TurnAccount]):
    """What the latest recorded turns cost: a sequence of their accounts, oldest first.

    ``saved`` is what memslot saved against inlining every live body, its own cost taken off; ``ratio`` is the size of the inlined prompts
    over that of those that were sent. With ``mixed_counters`` tokens cannot be added, and the sums have none. ``total`` is None when
    nothing was recorded.
    """

    turns: tuple[TurnAccount, ...]
    total: TurnAccount | None
    saved: Amount
    ratio: float
    verdict: Verdict
    verdict_text: str
    problems: tuple[SavingProblem, ...]
    mixed_counters: bool
    revision: int

    @overload
    def __getitem__(self, index: int) -> TurnAccount: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TurnAccount, ...]: ...
    def __getitem__(self, index: int | slice) -> TurnAccount | tuple[TurnAccount, ...]:
        return self.turns[index]

    def __len__(self) -> int:
        return len(self.turns)

    def __iter__(self) -> Iterator[TurnAccount]:
        return iter(self.turns)


def _gemini(told: Mapping[str, Any]) -> Usage:
    """Thoughts are paid as output, and counted apart."""
    answered = _first(told, "candidatesTokenCount", "candidates_token_count")
    thought = _first(told, "thoughtsTokenCount", "thoughts_token_count")
    return Usage(
        _first(told, "promptTokenCount", "prompt_token_count"),
        _first(told, "cachedContentTokenCount", "cached_content_token_count"),
        answered if thought is None else thought + (answered or 0),
    )


def _anthropic(told: Mapping[str, Any]) -> Usage:
    """``input_tokens`` are only those that are neither read from the cache nor written into it."""
    read, written = told.get("cache_read_input_tokens"), told.get("cache_creation_input_tokens")
    fresh = told.get("input_tokens")
    prompt = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(prompt, read, told.get("output_tokens"))


def _first(told: Mapping[str, Any], *names: str) -> Any:
    return next((told[name] for name in names if told.get(name) is not None), None)


def _mapping(said: object) -> Mapping[str, Any]:
    if isinstance(said, Mapping):
        return said
    dump = getattr(said, "model_dump", None)
    if callable(dump):
        dumped: Mapping[str, Any] = dump(mode="json")
        return dumped
    if hasattr(said, "__dict__"):
        return vars(said)
    raise TypeError(f"usage is a provider's usage, not {type(said).__name__}")
