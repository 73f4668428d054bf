"""Showing slots to a model: which of them, as what, and why not the others. For Inject, and for what a model asked to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.counters import Counter
from memslot_sidecar.edge.injection.delimiting import Delimited, Shown, delimit
from memslot_sidecar.edge.injection.room import Room, counted
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.notes import InjectionNote, TurnKey
from memslot_sidecar.errors import InjectionBudget, InvalidField, MemslotError, NotText, UntrustedOrigin
from memslot_sidecar.model import SlotRecord, StoredSlot
from memslot_sidecar.operations.batch_read import absent
from memslot_sidecar.operations.body import essence
from memslot_sidecar.operations.budget import REPLY_LIMIT_BYTES, status_bytes
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.summaries import AtHand, at_hand
from memslot_sidecar.said import said

CHARS_DEFAULT = 16_000
_TEXTUAL = frozenset({"application/json", "application/xml", "application/yaml", "application/toml"})
_FIXED_BYTES = 400
"""What a shown slot takes in a reply beside its name and text."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be shown, and what. ``max_tokens`` of 0 is no bound."""

    max_chars: int = CHARS_DEFAULT
    max_tokens: int = 0
    language: Language = Language.EN
    refuse_untrusted: bool = False
    summaries: bool = True


@dataclass(frozen=True, slots=True)
class Injected:
    """A slot that is shown, and how."""

    record: SlotRecord
    shown: Shown
    delimited: Delimited


@dataclass(slots=True)
class Injection:
    """What is shown, in order, and what is left out, each with the reason."""

    injected: list[Injected] = field(default_factory=list)
    left_out: list[tuple[str, MemslotError]] = field(default_factory=list)
    tokens: int = 0

    @property
    def text(self) -> str:
        """The text for the tail of one prompt."""
        return "".join(one.delimited.text for one in self.injected)


class Injector:
    """Puts slots of one namespace into an injection, as far as they fit. Each slot is shown whole or by its summary, or is left out.

    ``reply`` takes bytes of a reply that holds more than the injection, if there are so many left.
    """

    def __init__(
        self,
        ctx: Context,
        path: str,
        names: Sequence[str],
        limits: Limits,
        counter: Counter,
        reply: Callable[[int], bool] | None = None,
    ) -> None:
        self._ctx = ctx
        self._path = path
        self._names = names
        self._limits = limits
        self._counter = counter
        self._at_hand: AtHand | None = None
        most_bytes = REPLY_LIMIT_BYTES - sum(status_bytes(name) + _FIXED_BYTES for name in names)
        self._room = Room(limits.max_chars, limits.max_tokens, counter, most_bytes, reply)
        self.injection = Injection()

    async def add(self, name: str) -> StoredSlot | None:
        """Shows a slot as it is now; returns it if that was its body."""
        record = self._ctx.store.describe(self._path, name)
        if record is None:
            self._leave_out(name, absent(name))
            return None
        found = self._ctx.store.read(self._path, name) if self._room.may_hold(record.body_bytes) else None
        if found is None:
            await self._add_in_its_place(record, _over_budget(name))
            return None
        return found if await self.add_read(found) else None

    async def add_read(self, found: StoredSlot) -> bool:
        """Shows a slot that was read; whether its body is shown. Where it is not, its summary may be."""
        text, record = _text(found), found.record
        if text is None:
            await self._add_in_its_place(record, _not_text(record))
            return False
        shown = Shown(record.name, record.origin)
        if self._refused(shown):
            self._leave_out(record.name, _untrusted(record.name))
        elif await self._fits(record, shown, text):
            return True
        else:
            await self._add_in_its_place(record, _over_budget(record.name))
        return False

    async def finish(self) -> Injection:
        """The injection, counted as a whole; what is too much of it is left out from its end."""
        injection, most = self.injection, self._limits.max_tokens
        injection.tokens = await counted(self._counter, injection.text)
        while most and injection.tokens > most and injection.injected:
            name = injection.injected.pop().record.name
            self._leave_out(name, _over_budget(name))
            injection.tokens = await counted(self._counter, injection.text)
        return injection

    async def _add_in_its_place(self, record: SlotRecord, error: MemslotError) -> None:
        """Shows the summary that is at hand of a slot whose body is not shown, else leaves it out for ``error``."""
        if self._refused(Shown(record.name, record.origin)):
            self._leave_out(record.name, _untrusted(record.name))
        elif not (self._limits.summaries and await self._add_summary(record)):
            self._leave_out(record.name, error)

    async def _add_summary(self, record: SlotRecord) -> bool:
        if self._at_hand is None:
            self._at_hand = await at_hand(self._ctx, self._path, self._names)
        now = self._ctx.store.describe(self._path, record.name)
        summary = None if now is None else self._at_hand.of(now)
        if now is None or summary is None:
            return False
        shown = Shown(now.name, summary.origin, summarised=True)
        return not self._refused(shown) and await self._fits(now, shown, summary.text)

    def _refused(self, shown: Shown) -> bool:
        return shown.untrusted and self._limits.refuse_untrusted

    async def _fits(self, record: SlotRecord, shown: Shown, text: str) -> bool:
        delimited = delimit(text, shown, self._limits.language)
        if not await self._room.take(delimited.text):
            return False
        self.injection.injected.append(Injected(record, shown, delimited))
        return True

    def _leave_out(self, name: str, error: MemslotError) -> None:
        self.injection.left_out.append((name, error))


def note(ctx: Context, call: Call, turn: str, injection: Injection) -> None:
    """Books what is shown with the turn that it is for: of the request, or else of the call."""
    key = TurnKey(call.namespace, call.conversation, said(turn) or call.turn)
    now_ms = ctx.store.now_ms()
    notes = [
        InjectionNote(
            now_ms,
            one.delimited.injection_id,
            one.record.name,
            one.record.revision,
            one.shown.summarised,
            len(one.delimited.text),
        )
        for one in injection.injected
    ]
    if notes:
        ctx.ledger.note(key, *notes)


def limit(value: int, field_name: str, default: int = 0) -> int:
    """A bound of a request, 0 being the default. Raises InvalidField below 0."""
    if value < 0:
        raise InvalidField(f"{field_name} is {value}: give a positive bound, or 0 for the default", field=field_name)
    return value or default


def _text(found: StoredSlot) -> str | None:
    """The body as text; None where its content type or its bytes are no text."""
    kind = essence(found.record.content_type)
    textual = kind.startswith("text/") or kind in _TEXTUAL or kind.endswith(("+json", "+xml", "+yaml"))
    try:
        return found.body.decode() if textual else None
    except UnicodeDecodeError:
        return None


def _not_text(record: SlotRecord) -> NotText:
    return NotText(
        f"slot '{record.name}' holds no text ({record.content_type[:100]}), and has no summary",
        metadata={"name": record.name},
    )


def _untrusted(name: str) -> UntrustedOrigin:
    return UntrustedOrigin(f"slot '{name}' was not written by a user or the operator", metadata={"name": name})


def _over_budget(name: str) -> InjectionBudget:
    return InjectionBudget(
        f"slot '{name}' does not fit, and no summary of it: raise the budget, or name it earlier",
        metadata={"name": name},
    )
