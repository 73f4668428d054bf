"""DiagnoseTurn: the five steps of a turn, a verdict for each, and the first that broke."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from memslot_sidecar import names
from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.counters import ready_counter
from memslot_sidecar.edge.diagnosis import output_step, parse_step, prompt_step, store_step, token_step
from memslot_sidecar.edge.diagnosis.comparing import says_nothing_of
from memslot_sidecar.edge.diagnosis.evidence import Answer, Evidence, Finding, Step, Turn, Verdict
from memslot_sidecar.edge.inspection.findings import Found, PromptText
from memslot_sidecar.edge.inspection.texts import texts_of
from memslot_sidecar.edge.notes import InjectionNote, TurnKey
from memslot_sidecar.errors import InvalidField, TurnNotFound
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.inspect_prompt import inspect
from memslot_sidecar.operations.slot_history import history, nearest_names
from memslot_sidecar.parsing import Parsed, parse
from memslot_sidecar.said import said

_AROUND = 200
"""How many turns before and behind are looked at."""
_SUBJECTS = 20
_OUTPUT_LIMIT = 2_000_000
_FINDINGS_MOST = 200
"""Of a step: the worst ones are told."""
_STEPS = {
    Step.OUTPUT: output_step.look,
    Step.PARSE: parse_step.look,
    Step.STORE: store_step.look,
    Step.PROMPT: prompt_step.look,
    Step.TOKENS: token_step.look,
}


@dataclass(frozen=True, slots=True)
class DiagnoseCommand:
    """Which turn, and what is known of it besides; empty texts are not known."""

    namespace: str
    turn: str = ""
    conversation: str = ""
    name: str = ""
    output: str = ""
    prompt: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings of each step. ``first_broken`` is None when none broke."""

    turn: str
    steps: Sequence[tuple[Step, Sequence[Finding]]]
    revision: int

    @property
    def first_broken(self) -> Step | None:
        """The first step that broke."""
        return next((step for step, found in self.steps if verdict_of(found) is Verdict.BROKEN), None)

    @property
    def worst(self) -> Finding | None:
        """The first finding of the first step that broke; else the first warning."""
        every = [finding for _, found in self.steps for finding in found]
        for verdict in (Verdict.BROKEN, Verdict.WARNING):
            found = next((finding for finding in every if finding.verdict is verdict), None)
            if found is not None:
                return found
        return None


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The worst of a step's findings."""
    return max((finding.verdict for finding in findings), default=Verdict.UNKNOWN)


async def diagnose_turn(ctx: Context, call: Call, command: DiagnoseCommand) -> Diagnosis:
    """Looks at one turn. Raises InvalidName, InvalidField, TurnNotFound (nothing is known of it, and no output is given)."""
    path, _ = about(call, command.namespace)
    name = names.slot_name(command.name) if command.name else ""
    if len(command.output) > _OUTPUT_LIMIT:
        raise InvalidField(f"output has more than {_OUTPUT_LIMIT} characters: cut it", field="output")
    conversation = said(command.conversation) or call.conversation
    turn, before, after = _turns(ctx, path, conversation, said(command.turn) or call.turn, command)
    strict, lenient = await asyncio.to_thread(_parsed, command.output)
    subjects = _subjects(turn, name, strict)
    slots = {one: record for one in subjects if (record := ctx.store.describe(path, one)) is not None}
    events, all_told = await history(ctx, path, subjects, turn)
    found, uncompared = await _found(ctx, call, path, command, (turn, *after[:1]))
    evidence = Evidence(
        turn=turn,
        before=before,
        after=after,
        names=subjects if name or not turn.actions() else [],
        slots=slots,
        events=events,
        all_told=all_told,
        nearest=await nearest_names(ctx, path, [one for one in subjects if one not in slots]),
        strict=strict,
        lenient=lenient,
        found=found,
        uncompared=uncompared,
        answer=await _answer(ctx, path, command.answer, slots),
        asked=bool(name),
    )
    call.outcome, call.names = "DIAGNOSED", tuple(subjects)
    call.revision = ctx.store.revision
    steps = [(step, _bounded(look(evidence))) for step, look in _STEPS.items()]
    return Diagnosis(turn.key.turn, steps, call.revision)


def _turns(
    ctx: Context, path: str, conversation: str, wanted: str, command: DiagnoseCommand
) -> tuple[Turn, Sequence[Turn], Sequence[Turn]]:
    """The turn in question, and those around it in its conversation. Raises TurnNotFound."""
    keys = list(ctx.ledger.turns(path, conversation or None))
    at = next((index for index in reversed(range(len(keys))) if keys[index].turn == wanted or not wanted), None)
    if at is None:
        if not (command.output or command.prompt or command.answer):
            known = ", ".join(key.turn for key in keys[-5:] if key.turn)
            which = f"turn '{wanted}'" if wanted else "any turn here"
            raise TurnNotFound(
                f"nothing is known of {which}{f' (the latest are {known})' if known else ''}: give its output, "
                "or run Act and RecordTurn with turn and conversation",
                field="turn",
                metadata={"turn": wanted},
            )
        return Turn(TurnKey(path, conversation, wanted), ()), (), ()
    own = [key for key in keys if key.conversation == keys[at].conversation]
    at = own.index(keys[at])

    def read(some: Sequence[TurnKey]) -> list[Turn]:
        return [Turn(key, ctx.ledger.of(key)) for key in some]

    return read(own[at : at + 1])[0], read(own[max(0, at - _AROUND) : at]), read(own[at + 1 : at + 1 + _AROUND])


def _parsed(output: str) -> tuple[Parsed | None, Parsed | None]:
    return (parse(output), parse(output, lenient=True)) if output else (None, None)


def _subjects(turn: Turn, name: str, strict: Parsed | None) -> list[str]:
    """The slots that are looked at: the one that was asked for, else those of the turn's actions."""
    if name:
        return [name]
    noted = [note.name for note in turn.actions() if note.name]
    if not noted and strict is not None:
        noted = [slot for action in strict.actions if (slot := parse_step.slot_of(action))]
    return list(dict.fromkeys(noted))[:_SUBJECTS]


async def _found(
    ctx: Context, call: Call, path: str, command: DiagnoseCommand, turns: Iterable[Turn]
) -> tuple[Sequence[Found] | None, bool]:
    """What stands in the prompt that was given, told of as allowed where an injection of ``turns`` shows it; and whether not all of
    memory could be compared."""
    if not command.prompt:
        return None, False
    texts = await asyncio.to_thread(_texts, command.prompt)
    counter = await ready_counter("chars")
    inspected = await inspect(ctx, path, texts, TurnKey(path, "", ""), counter, call.deadline_s)
    shown = {
        (note.name, note.revision): note.injection_id
        for turn in turns
        for note in turn.notes
        if isinstance(note, InjectionNote) and not note.summarised
    }
    found = [replace(one, injection_id=shown.get((one.name, one.revision), "")) for one in inspected.findings]
    return found, bool(inspected.incomplete)


def _texts(prompt: str) -> Sequence[PromptText]:
    """The prompt's texts: of a JSON array of messages, or else of one text, which may begin with a bracket too."""
    if prompt.lstrip().startswith("["):
        with suppress(InvalidField):
            return texts_of("", prompt)
    return texts_of(prompt, "")


def _bounded(findings: Iterator[Finding]) -> Sequence[Finding]:
    """The findings; of too many only the worst, in order, and how many more there are."""
    every = list(findings)
    if len(every) <= _FINDINGS_MOST:
        return every
    worst = sorted(range(len(every)), key=lambda at: -every[at].verdict)[: _FINDINGS_MOST - 1]
    left = Finding(Verdict.UNKNOWN, "MORE", {"count": len(every) - len(worst)})
    return [*(every[at] for at in sorted(worst)), left]


async def _answer(ctx: Context, path: str, answer: str, slots: Iterable[str]) -> Answer | None:
    """Compares the answer with the slots' texts."""
    if not answer:
        return None
    bodies = [(name, found.body, found.record.content_type) for name in slots if (found := ctx.store.read(path, name))]
    return Answer(await asyncio.to_thread(says_nothing_of, answer, bodies))
