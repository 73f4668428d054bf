"""GetPromptCard: how to use memory and which slots there are, the same bytes until it is renewed; and what changed since."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.counters import Counter, ready_counter
from memslot_sidecar.edge.card.drawing import Card, CardForm, Drawing
from memslot_sidecar.edge.card.keeping import CardKey
from memslot_sidecar.edge.card.tail import tail_of
from memslot_sidecar.edge.notes import CardNote, TurnKey
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.lookup import COUNT_LIMIT
from memslot_sidecar.stores.base import Query

CHARS_DEFAULT = 4000
CHARS_LEAST = 700
CHARS_MOST = 200_000
_PAGE = 100


@dataclass(frozen=True, slots=True)
class CardCommand:
    """Which card is wanted; in ``form`` 0 and empty are the defaults."""

    namespace: str
    form: CardForm
    renew: bool = False


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """A card, with what changed since it was made. ``slots`` is how many there are now."""

    card: Card
    tail: str
    slots: int
    renewed: bool
    tokens: int
    token_counter: str
    revision: int


async def prompt_card(ctx: Context, call: Call, command: CardCommand) -> CardAnswer:
    """The card that is kept for the conversation, or a new one.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, command.namespace)
    counter = await ready_counter(command.form.token_counter or ctx.token_counter)
    key = CardKey(path, call.conversation, _form(command.form, counter))
    changes = ctx.cards.watch(path, ctx.store.revision)
    card = None if command.renew else ctx.cards.get(key)
    renewed = card is None
    if card is None:
        made = await _made(ctx, path, key.form, counter)
        card = (None if command.renew else ctx.cards.get(key)) or made
        ctx.cards.put(key, card)
    slots = await _count(ctx, path)
    tail = tail_of(card, changes, partial(ctx.store.describe, path), ctx.store.now_ms())
    note = CardNote(ctx.store.now_ms(), card.revision, card.names, len(card.text))
    ctx.ledger.note(TurnKey(path, call.conversation, call.turn), note)
    call.outcome, call.count, call.revision = "LISTED", len(card.names), ctx.store.revision
    if counter.name not in card.tokens:
        card.tokens[counter.name] = counter.count(card.text)
    tokens = card.tokens[counter.name]
    return CardAnswer(card, tail, slots, renewed, tokens, counter.name, call.revision)


def _form(form: CardForm, counter: Counter) -> CardForm:
    """What is asked for, with its defaults, so that two ways to ask for one card are the same. Raises InvalidField."""
    max_chars = form.max_chars or CHARS_DEFAULT
    if max_chars < CHARS_LEAST:
        raise InvalidField(
            f"max_chars is {max_chars}: give at least {CHARS_LEAST}, which the instructions take, or 0 for {CHARS_DEFAULT}",
            field="max_chars",
        )
    if form.max_tokens < 0:
        raise InvalidField("max_tokens is negative: give a positive bound, or 0 for none", field="max_tokens")
    counted_by = counter.name if form.max_tokens else ""
    return replace(form, max_chars=min(max_chars, CHARS_MOST), token_counter=counted_by)


async def _made(ctx: Context, path: str, form: CardForm, counter: Counter) -> Card:
    """A card of what is stored now; a change meanwhile is told by its tail."""
    revision = ctx.store.revision
    drawing = Drawing(form, counter, await _count(ctx, path))
    async for record in _by_rank(ctx, path):
        if not drawing.add(record):
            break
    card, tokens = drawing.finish(revision)
    if tokens > form.max_tokens > 0:
        raise InvalidField(
            f"max_tokens is {form.max_tokens}: the instructions alone take {tokens} ({counter.name})",
            field="max_tokens",
        )
    return card


async def _by_rank(ctx: Context, path: str) -> AsyncIterator[SlotRecord]:
    """Live slots, highest rank first, a page at a time: whoever stops early has read no more than a page too much."""
    query = Query(namespace=path, limit=_PAGE, names_only=False)
    told: set[str] = set()
    while True:
        page = await ctx.store.lookup(query)
        for item in page.items:
            if item.record is not None and item.name not in told:
                told.add(item.name)
                yield item.record
        if not page.more or not page.items:
            return
        query = replace(query, after=page.items[-1].key)


async def _count(ctx: Context, path: str) -> int:
    """How many live slots there are. Above ten thousand some that have expired and were not swept yet may be among them."""
    page = await ctx.store.lookup(Query(namespace=path, limit=1, count_to=COUNT_LIMIT))
    counted = page.total or 0
    if counted <= COUNT_LIMIT:
        return counted
    record = ctx.store.namespace(path)
    return counted if record is None else max(counted, record.slot_count)
