"""Bodies as text for one prompt. No repr shows them."""

from __future__ import annotations

from dataclasses import dataclass

from memslot.acting import InjectedSlot
from memslot.errors import MemslotError


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A slot that was asked for and is not shown: SlotNotFound, InjectionBudget, UntrustedOrigin or NotText says why."""

    name: str
    error: MemslotError


class Injection(str):
    """The text for the tail of one prompt, empty when nothing could be shown; what it holds, and what it does not.

    ``injected`` are the slots that it shows, in its order, ``left_out`` those that it does not. ``tokens`` were counted by
    ``token_counter``.
    """

    __slots__ = ("injected", "left_out", "revision", "token_counter", "tokens")

    injected: tuple[InjectedSlot, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    token_counter: str
    revision: int

    def __repr__(self) -> str:
        names = ", ".join(repr(one.name) for one in self.injected)
        return f"<Injection of {names or 'nothing'}: {len(self)} characters, {len(self.left_out)} left out>"
