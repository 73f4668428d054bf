"""Act: a model's raw output in, its memory actions executed in order, receipts out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from memslot_sidecar.call import Call
from memslot_sidecar.edge.acting.answering import Answer, Told, answers
from memslot_sidecar.edge.acting.lines import Lines
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.notes import ActNote, Note, TurnKey
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations import injecting, kept
from memslot_sidecar.operations.acting import Done, Executor
from memslot_sidecar.operations.acting_deeds import Doer
from memslot_sidecar.operations.acting_notes import Fences, action_note, reject_note
from memslot_sidecar.operations.acting_room import Room, not_run, told_rejects
from memslot_sidecar.operations.acting_shown import showing
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.injecting import Injection
from memslot_sidecar.operations.inner import Inner
from memslot_sidecar.operations.once import Once
from memslot_sidecar.parsing import Action, Parsed, Reject, parse
from memslot_sidecar.said import said

OUTPUT_LIMIT_BYTES = 2_000_000
PREFIX_LIMIT = 16
PREFIX_LIMIT_CHARACTERS = 64
_ASIDE_CHARACTERS = 100_000
"""A longer output is parsed in a thread, so that other calls go on meanwhile."""


@dataclass(frozen=True, slots=True)
class ActCommand:
    """What Act is asked for. ``content`` is the request without its id, for telling a repeat from another request."""

    namespace: str
    output: str
    lenient: bool = False
    validate_only: bool = False
    turn: str = ""
    show_once: bool = False
    request_id: str = ""
    content: bytes = b""
    language: Language = Language.EN
    own_prefixes: Sequence[str] = ()
    max_injected_chars: int = 0


@dataclass(frozen=True, slots=True)
class Acted:
    """The answer. ``model_text`` has a line for each action and reject, in the order of the output."""

    actions: Sequence[Done]
    rejects: Sequence[Reject]
    model_text: str
    answers: Sequence[Answer]
    user_text: str
    injection: Injection
    revision: int


@dataclass(slots=True)
class _Turn:
    """What is told of one output while its actions run."""

    lines: Lines
    done: list[Done] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)

    def told(self) -> list[tuple[int, Told]]:
        """Each line with where it stands, in the order of the output."""
        told = [(one.action.start, Told(one.action.call_id, one.line, one.failed)) for one in self.done]
        told += [(one.start, Told(one.call_id, self.lines.rejected(one), failed=True)) for one in self.rejects]
        return sorted(told, key=lambda one: one[0])


async def act(ctx: Context, call: Call, command: ActCommand, inner: Inner) -> Acted:
    """Executes what a model's output asks for. What one action raises is told in its receipt, and the others go on.

    Raises InvalidName, InvalidField, RequestIdReused.
    """
    path, _ = about(call, command.namespace)
    _check(command)
    call.turn = said(command.turn) or call.turn
    call.request_id = command.request_id
    once = Once(command.request_id, command.content, kept.encode) if command.request_id else None
    parsed = await _parsed(command)
    rejects = list(told_rejects(parsed.rejects))
    room = Room(parsed, rejects)
    turn = _Turn(Lines(command.language), rejects=rejects)
    shown = None
    if command.show_once and not command.validate_only:
        shown = await showing(ctx, path, parsed.actions, command.max_injected_chars, command.language, room.take)
    executor = Executor(ctx, call, Doer(ctx, path, room), turn.lines, inner, once, shown)
    async with ctx.in_flight.alone(call, once):
        try:
            await _run(executor, turn, room, parsed.actions, validate_only=command.validate_only)
        finally:
            _note(ctx, call, command, turn)
    injection = Injection() if shown is None else await shown.finish()
    injecting.note(ctx, call, command.turn, injection)
    told = turn.told()
    return Acted(
        actions=turn.done,
        rejects=turn.rejects,
        model_text="\n".join(one.line for _, one in told),
        answers=answers(parsed.replies_to, (one for _, one in told), turn.lines.unanswered),
        user_text=parsed.user_text,
        injection=injection,
        revision=call.revision,
    )


def _check(command: ActCommand) -> None:
    size = len(command.output) if command.output.isascii() else len(command.output.encode("utf-8", "surrogatepass"))
    if size > OUTPUT_LIMIT_BYTES:
        raise InvalidField(f"output has {size} bytes, at most {OUTPUT_LIMIT_BYTES} are read: split it", field="output")
    injecting.limit(command.max_injected_chars, "max_injected_chars")
    if len(command.own_prefixes) > PREFIX_LIMIT:
        raise InvalidField(f"own_prefixes has more than {PREFIX_LIMIT} entries: drop some", field="own_prefixes")
    for position, prefix in enumerate(command.own_prefixes):
        if not 0 < len(prefix) <= PREFIX_LIMIT_CHARACTERS:
            field = f"own_prefixes[{position}]"
            raise InvalidField(f"{field} must have 1 to {PREFIX_LIMIT_CHARACTERS} characters", field=field)


async def _parsed(command: ActCommand) -> Parsed:
    work = partial(parse, command.output, lenient=command.lenient, own_prefixes=tuple(command.own_prefixes))
    return await asyncio.to_thread(work) if len(command.output) > _ASIDE_CHARACTERS else work()


async def _run(executor: Executor, turn: _Turn, room: Room, actions: Sequence[Action], *, validate_only: bool) -> None:
    """Each action in order. Those that there is no room to answer are not run, and told in one reject."""
    for position, action in enumerate(actions):
        if not room.take_action(action):
            turn.rejects.append(not_run(actions[position:]))
            return
        turn.done.append(executor.validated(action) if validate_only else await executor.executed(action))


def _note(ctx: Context, call: Call, command: ActCommand, turn: _Turn) -> None:
    """Tells the audit event and the ledger what was found and done, also where the caller went away meanwhile."""
    done = turn.done
    call.outcome = "VALIDATED" if command.validate_only else "ACTED"
    call.names = tuple(dict.fromkeys(one.name for one in done if one.name))
    call.count = len(done)
    call.repeated = any(one.repeated for one in done)
    call.revision = max([ctx.store.revision, *(one.revision for one in done)])
    now_ms = ctx.store.now_ms()
    fences = Fences(command.output)
    placed: list[tuple[int, Note]] = [(one.action.start, action_note(one, now_ms, fences)) for one in done]
    placed += [(one.start, reject_note(one, len(turn.lines.rejected(one)), now_ms)) for one in turn.rejects]
    head = ActNote(now_ms, len(command.output), command.lenient, command.validate_only)
    key = TurnKey(call.namespace, call.conversation, call.turn)
    ctx.ledger.note(key, head, *(note for _, note in sorted(placed, key=lambda one: one[0])))
