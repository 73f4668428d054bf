"""RecordTurn: the books of one call of the model, by what its prompt is made of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.amounts import amount_of, total
from memslot_sidecar.edge.accounting.counters import Counter, ready_counter
from memslot_sidecar.edge.accounting.live_bodies import BodyCounts
from memslot_sidecar.edge.accounting.prompt import Known, Parts, Sent, holds, taken_apart
from memslot_sidecar.edge.accounting.sent_schemas import ours
from memslot_sidecar.edge.inspection.findings import Found, PromptText
from memslot_sidecar.edge.inspection.texts import texts_of
from memslot_sidecar.edge.notes import AccountNote, ActionNote, Amount, InjectionNote, Note, TurnKey, Usage
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.inspect_prompt import inspect
from memslot_sidecar.said import said


@dataclass(frozen=True, slots=True)
class RecordCommand:
    """One call of the model. ``turn`` and ``token_counter`` are empty where the call or the server says them."""

    namespace: str
    turn: str = ""
    prompt: str = ""
    messages_json: str = ""
    output: str = ""
    schemas_json: str = ""
    card: str = ""
    usage: Usage = Usage()
    token_counter: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was booked for which turn."""

    key: TurnKey
    account: AccountNote
    revision: int


async def record_turn(ctx: Context, call: Call, command: RecordCommand, counts: BodyCounts) -> Recorded:
    """Counts, compares and books a turn; one that was booked before is booked anew. Nothing of its texts is kept.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, command.namespace)
    key = _key(call, path, command.turn)
    texts = await asyncio.to_thread(texts_of, command.prompt, command.messages_json)
    cards = _card(command.card, texts) or [card.text for card in ctx.cards.of(path, key.conversation)]
    own_schemas = await asyncio.to_thread(ours, command.schemas_json) if command.schemas_json else ""
    sent = Sent(texts, command.schemas_json, own_schemas, cards)
    counter = await ready_counter(command.token_counter or ctx.token_counter)
    inspection = await inspect(ctx, path, texts, key, counter, call.deadline_s)
    bodies = await counts.of(path, counter)
    known = _known(ctx, key, inspection.findings)
    parts, output = await asyncio.to_thread(_counted, sent, known, command.output, counter)
    account = AccountNote(
        time_ms=ctx.store.now_ms(),
        prompt=parts.prompt,
        output=output,
        instruction=parts.instruction,
        actions=_actions(ctx.ledger.of(key), output, parts.prompt),
        receipts=parts.receipts,
        injected=parts.injected,
        leaked=parts.leaked,
        inlined=total((parts.rest, bodies.amount)),
        slots=bodies.slots,
        body_bytes_outside=bodies.body_bytes,
        usage=command.usage,
        token_counter=counter.name,
    )
    ctx.ledger.note(key, account)
    call.outcome, call.revision = "RECORDED", ctx.store.revision
    return Recorded(key, account, call.revision)


def _key(call: Call, path: str, turn: str) -> TurnKey:
    call.turn = said(turn) or call.turn
    if not call.turn:
        raise InvalidField(
            "turn is not said: name it in the request, or in the metadata memslot-turn (in Python: with memory.turn(...))",
            field="turn",
        )
    return TurnKey(path, call.conversation, call.turn)


def _card(card: str, texts: Sequence[PromptText]) -> Sequence[str]:
    """The card that was sent; nothing when none was told. Raises InvalidField when the prompt does not hold it."""
    if not card.strip():
        return ()
    if not holds(texts, card):
        raise InvalidField(
            "card does not stand in the prompt: send the prompt as the model got it, with its system message",
            field="card",
        )
    return (card,)


def _known(ctx: Context, key: TurnKey, found: Sequence[Found]) -> Known:
    """What the ledger knows of the conversation, and of this turn's injections."""
    turns = ctx.ledger.turns(key.namespace, key.conversation)
    notes: list[Note] = [note for turn in turns for note in ctx.ledger.of(turn)]
    shown = {note.injection_id for note in ctx.ledger.of(key) if isinstance(note, InjectionNote)}
    return Known(notes, shown, found)


def _counted(sent: Sent, known: Known, output: str, counter: Counter) -> tuple[Parts, Amount]:
    return taken_apart(sent, known, counter), amount_of(output, counter)


def _actions(notes: Sequence[Note], output: Amount, prompt: Amount) -> Amount:
    """What the model wrote as actions: characters as Act noted them, and tokens as dense as those of the output around them."""
    characters = sum(note.characters for note in notes if isinstance(note, ActionNote))
    dense = output if output.characters else prompt
    return Amount(characters, round(characters * dense.tokens / max(dense.characters, 1)))
