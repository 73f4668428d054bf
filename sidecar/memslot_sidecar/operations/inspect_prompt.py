"""InspectPrompt: which stored bodies a prompt contains, where, and whether an injection of its turn allows it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.amounts import tokens_of
from memslot_sidecar.edge.accounting.counters import Counter, ready_counter
from memslot_sidecar.edge.inspection.findings import Found, Inspection, PromptText
from memslot_sidecar.edge.inspection.inspector import parts
from memslot_sidecar.edge.inspection.portions import portions
from memslot_sidecar.edge.inspection.texts import texts_of
from memslot_sidecar.edge.notes import FoundNote, InjectionNote, TurnKey
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.said import said

FINDINGS_MOST = 1_000
"""Of one reply; the longest ones."""
NOTED_MOST = 100
"""Of one turn, in the ledger."""
_NAMES_TOLD = 20
_TIME_S = 30.0
"""How long an inspection takes at most when its caller does not say how long he waits ..."""
_SHARE = 0.8
"""... and which part of the time that he waits is spent with comparing."""


@dataclass(frozen=True, slots=True)
class InspectCommand:
    """A prompt as one text, or as messages in JSON. ``turn`` and ``token_counter`` are empty for those of the call and the server."""

    namespace: str
    prompt: str
    messages_json: str
    turn: str = ""
    token_counter: str = ""


async def inspect_prompt(ctx: Context, call: Call, command: InspectCommand) -> Inspection:
    """Inspects a prompt. Raises InvalidName, InvalidField."""
    path, _ = about(call, command.namespace)
    if not command.prompt and not command.messages_json:
        raise InvalidField("neither prompt nor messages_json is set: send what is to be inspected", field="prompt")
    counter = await ready_counter(command.token_counter or ctx.token_counter)
    texts = await asyncio.to_thread(texts_of, command.prompt, command.messages_json)
    call.turn = said(command.turn) or call.turn
    key = TurnKey(path, call.conversation, call.turn)
    inspection = await inspect(ctx, path, texts, key, counter, call.deadline_s)
    call.outcome, call.count, call.revision = "INSPECTED", len(inspection.findings), inspection.revision
    call.names = tuple(dict.fromkeys(found.name for found in inspection.findings))[:_NAMES_TOLD]
    return inspection


async def inspect(
    ctx: Context,
    path: str,
    texts: Sequence[PromptText],
    key: TurnKey,
    counter: Counter,
    deadline_s: float | None = None,
) -> Inspection:
    """What of a namespace's bodies stands in texts, right for all that was answered before; findings are noted of the turn, if it has a name.

    ``deadline_s`` is when the caller gives up, on the clock of :func:`time.monotonic`: what cannot be compared in time is told in
    ``incomplete``. Reads bodies, and counts as no access.
    """
    now_s, revision = time.monotonic(), ctx.store.revision
    stop_s = now_s + (_TIME_S if deadline_s is None else max(deadline_s - now_s, 0) * _SHARE)
    compared = await asyncio.to_thread((await parts("comparison")).Comparison, texts, _allowed(ctx, key))
    suspects = await ctx.inspector.suspects(ctx.store, path, compared.prompt, stop_s)
    left = len(suspects)
    async with aclosing(portions(ctx.store, path, suspects)) as portion:
        async for bodies, read in portion:
            await asyncio.to_thread(compared.compare, bodies)
            left -= read
            if time.monotonic() >= stop_s:
                break
    there = {name for name in compared.names if ctx.store.describe(path, name) is not None}
    count = partial(tokens_of, counter=counter)
    findings, leaked, untold = await asyncio.to_thread(compared.told, there.__contains__, count, FINDINGS_MOST)
    _note(ctx, key, findings)
    return Inspection(
        findings=findings,
        characters=sum(len(text.text) for text in texts if not text.structure),
        leaked_characters=leaked,
        slots=max(await ctx.store.live_count(path) - left, 0),
        incomplete=_incomplete(left, untold),
        token_counter=counter.name,
        revision=max([revision, *(found.revision for found in findings)]),
    )


def _allowed(ctx: Context, key: TurnKey) -> Mapping[tuple[str, int], str]:
    """The bodies that injections of a turn show: a summary allows nothing but itself."""
    notes = (note for note in ctx.ledger.of(key) if isinstance(note, InjectionNote) and not note.summarised)
    return {(note.name, note.revision): note.injection_id for note in notes}


def _note(ctx: Context, key: TurnKey, findings: Sequence[Found]) -> None:
    """Notes the longest findings, those that were noted before left out."""
    if not key.turn:
        return
    now_ms = ctx.store.now_ms()
    noted = {_known(note) for note in ctx.ledger.of(key) if isinstance(note, FoundNote)}
    longest = sorted(findings, key=lambda found: -found.characters)[:NOTED_MOST]
    notes = [
        FoundNote(
            now_ms,
            found.name,
            found.revision,
            found.message_index,
            found.field,
            found.characters,
            found.whole,
            found.injection_id,
        )
        for found in longest
    ]
    ctx.ledger.note(key, *[note for note in notes if _known(note) not in noted][: NOTED_MOST - len(noted)])


def _known(note: FoundNote) -> tuple[str, int, int, str, int]:
    return note.name, note.revision, note.message_index, note.field, note.characters


def _incomplete(unread: int, untold: int) -> str:
    said = []
    if unread:
        said.append(f"{unread} slots were not compared for want of time: call again, or wait longer")
    if untold:
        said.append(f"{untold} more findings are not told, only the {FINDINGS_MOST} longest")
    return "; ".join(said)
