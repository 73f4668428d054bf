"""What the books of many turns say together: sums, what was saved, and what is in the way of saving more."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memslot_sidecar.edge.accounting.amounts import difference, total
from memslot_sidecar.edge.notes import AccountNote, Amount, TurnKey, Usage

SHARE = 1 / 3
"""Instruction or actions that cost more than this part of what could be saved are in the way."""


class Verdict(enum.IntEnum):
    """Whether memory outside the prompt pays (values as in the contract)."""

    UNSPECIFIED = 0
    MEMSLOT_CHEAPER = 1
    INLINING_CHEAPER = 2


class Cause(enum.IntEnum):
    """Why a saving is missing or smaller than it could be (values as in the contract)."""

    RESULTS_IN_HISTORY = 1
    INSTRUCTION_TOO_LONG = 2
    MANY_FULL_ACTIONS = 3


@dataclass(frozen=True, slots=True)
class Booked:
    """A turn and its books."""

    key: TurnKey
    account: AccountNote


@dataclass(frozen=True, slots=True)
class Problem:
    """A cause, what it costs over all turns, and the turns where it shows."""

    cause: Cause
    cost: Amount
    turns: Sequence[str]


@dataclass(frozen=True, slots=True)
class Report:
    """``sparable`` is what would be saved if memslot itself cost nothing; tokens are 0 in all sums with ``mixed_counters``."""

    turns: Sequence[Booked]
    total: AccountNote | None
    saved: Amount
    sparable: Amount
    ratio: float
    verdict: Verdict
    problems: Sequence[Problem]
    mixed_counters: bool


_SUMMED = ("prompt", "output", "instruction", "actions", "receipts", "injected", "leaked", "inlined")


def report_of(turns: Sequence[Booked]) -> Report:
    """The report on turns, oldest first."""
    accounts = [turn.account for turn in turns]
    mixed = len({account.token_counter for account in accounts}) > 1
    if not accounts:
        return Report((), None, Amount(), Amount(), 0.0, Verdict.UNSPECIFIED, (), mixed_counters=False)
    summed = _total(accounts, mixed=mixed)
    gain = saved(summed)
    cheaper = _weight(gain, mixed=mixed) > 0
    return Report(
        turns=turns,
        total=summed,
        saved=gain,
        sparable=sparable(summed),
        ratio=summed.inlined.characters / max(summed.prompt.characters, 1),
        verdict=Verdict.MEMSLOT_CHEAPER if cheaper else Verdict.INLINING_CHEAPER,
        problems=_problems(turns, summed, mixed=mixed),
        mixed_counters=mixed,
    )


def saved(account: AccountNote) -> Amount:
    """What memslot saved: the prompt with all bodies in it, less the prompt that was sent and the actions that the model had to write."""
    return difference(account.inlined, account.prompt, account.actions)


def sparable(account: AccountNote) -> Amount:
    """The same if memslot's own texts and what came back of bodies cost nothing."""
    own = (account.instruction, account.actions, account.receipts, account.injected, account.leaked)
    return total((saved(account), *own))


def _total(accounts: Sequence[AccountNote], *, mixed: bool) -> AccountNote:
    def summed(name: str) -> Amount:
        found = total(getattr(account, name) for account in accounts)
        return Amount(found.characters, 0) if mixed else found

    last = accounts[-1]
    return AccountNote(
        time_ms=last.time_ms,
        **{name: summed(name) for name in _SUMMED},
        slots=last.slots,
        body_bytes_outside=last.body_bytes_outside,
        usage=_usage([account.usage for account in accounts]),
        token_counter="" if mixed else last.token_counter,
    )


def _usage(said: Sequence[Usage]) -> Usage:
    """Sums of what providers said; nothing where none did."""

    def summed(values: Sequence[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return Usage(
        summed([usage.prompt_tokens for usage in said]),
        summed([usage.cached_tokens for usage in said]),
        summed([usage.completion_tokens for usage in said]),
    )


_COSTS: Sequence[tuple[Cause, Callable[[AccountNote], Amount]]] = (
    (Cause.RESULTS_IN_HISTORY, lambda account: account.leaked),
    (Cause.INSTRUCTION_TOO_LONG, lambda account: account.instruction),
    (Cause.MANY_FULL_ACTIONS, lambda account: account.actions),
)


def _problems(turns: Sequence[Booked], summed: AccountNote, *, mixed: bool) -> Sequence[Problem]:
    problems = []
    for cause, cost in _COSTS:
        if _hinders(cause, summed, cost, mixed=mixed):
            where = tuple(turn.key.turn for turn in turns if _hinders(cause, turn.account, cost, mixed=mixed))
            problems.append(Problem(cause, cost(summed), where))
    return problems


def _hinders(cause: Cause, account: AccountNote, cost: Callable[[AccountNote], Amount], *, mixed: bool) -> bool:
    """Bodies in the history always do; the rest when it is a large part of what could be saved."""
    weight = _weight(cost(account), mixed=mixed)
    least = 0.0 if cause is Cause.RESULTS_IN_HISTORY else SHARE * _weight(sparable(account), mixed=mixed)
    return weight > max(least, 0.0)


def _weight(amount: Amount, *, mixed: bool) -> int:
    return amount.characters if mixed else amount.tokens
