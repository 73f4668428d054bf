"""Write: creates a slot, replaces its body, extends it, or patches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memslot_sidecar.call import Call
from memslot_sidecar.errors import ContentTypeMismatch
from memslot_sidecar.model import AttributeValue, Change, EffectiveSettings, Origin, Outcome, SlotRecord, Supplied
from memslot_sidecar.operations import body as bodies
from memslot_sidecar.operations import expiry, metadata, preconditions, vectors
from memslot_sidecar.operations.commands import Mutated, WriteCommand, WriteMode
from memslot_sidecar.operations.context import Context, about
from memslot_sidecar.operations.mutate import mutate
from memslot_sidecar.operations.noting import note_mutation
from memslot_sidecar.operations.once import Once, Repeated
from memslot_sidecar.operations.planning import Step, carry_out
from memslot_sidecar.operations.reaping import live_slot
from memslot_sidecar.stores.base import Transaction


async def write(ctx: Context, call: Call, command: WriteCommand, once: Once | None = None) -> Mutated | Repeated:
    """Writes one slot; durable when it answers.

    Raises InvalidName, InvalidField, InvalidBody, BodyTooLarge, SlotExists, RevisionMismatch, ContentTypeMismatch, SlotLimitReached,
    StoreFull, RequestIdReused, and for a vector IndexNotEnabled, DimensionMismatch.
    """
    namespace, name = about(call, command.namespace, command.name)
    call.body_bytes = len(command.body)
    checked = check_write(command, namespace, name)
    settings = ctx.settings(namespace)

    def decide(tx: Transaction) -> Mutated:
        step = plan_write(tx, ctx, call, checked, settings)
        found = vectors.misfit(tx, namespace, [step])
        if found is not None:
            raise found.error(namespace)
        return carry_out(tx, ctx, call, namespace, settings, [step])

    return await mutate(ctx, call, once, decide, lambda result: note_mutation(call, result))


def check_write(command: WriteCommand, namespace: str, name: str, field: str = "") -> WriteCommand:
    """The command in its stored form, checked for all that does not depend on the store. ``field`` is the path of its message."""
    bodies.check_content_type(command.content_type, f"{field}content_type")
    if command.precondition is not None:
        preconditions.validate(command.precondition, f"{field}precondition")
    if command.description is not None:
        metadata.description(command.description, f"{field}description")
    if command.task_type is not None:
        metadata.task_type(command.task_type, f"{field}task_type")
    if command.importance is not None:
        metadata.importance(command.importance, f"{field}importance")
    attributes = metadata.attributes(command.attributes, f"{field}attributes") if command.attributes else {}
    tags = metadata.tags(command.tags, f"{field}tags") if command.tags else ()
    supplied = None
    if command.vector or command.summary:
        vector = vectors.unit_vector(command.vector, f"{field}vector") if command.vector else None
        supplied = Supplied(vector, metadata.summary(command.summary, f"{field}summary") or None)
    if (namespace, name, tags, supplied) == (command.namespace, command.name, command.tags, None) and not attributes:
        return command
    return replace(command, namespace=namespace, name=name, tags=tags, attributes=attributes, supplied=supplied)


def plan_write(
    tx: Transaction, ctx: Context, call: Call, command: WriteCommand, settings: EffectiveSettings, field: str = ""
) -> Step:
    """What the write would do to its slot now."""
    if command.vector:
        vectors.check_enabled(settings, command.namespace, f"{field}vector")
    previous = live_slot(tx, command.namespace, command.name)
    preconditions.check(command.precondition, command.name, previous, f"{field}precondition")
    resolved = expiry.resolve(command.expiry, previous, settings, tx.now_ms, field)
    content = _with_supplied(tx, command, previous, _content(tx, command, previous, settings, field))
    record = _record(tx, ctx, call, command, content, resolved, previous)
    supplied = content.supplied
    if previous is None:
        return Step(
            command.name, Outcome.CREATED, None, record, content.body, Change.CREATED, resolved.clamped, supplied
        )
    if not content.changed and supplied is None and _same_metadata(previous, record, command.origin):
        renewed = replace(previous, expire_ms=resolved.expire_ms, lifetime=resolved.lifetime, ttl_ms=resolved.ttl_ms)
        change = None if renewed == previous else Change.RENEWED
        return Step(command.name, Outcome.UNCHANGED, previous, renewed, None, change, resolved.clamped)
    outcome = _OUTCOMES[command.mode]
    body = content.body if content.changed else None
    return Step(command.name, outcome, previous, record, body, Change(outcome.name), resolved.clamped, supplied)


_OUTCOMES = {
    WriteMode.REPLACE: Outcome.OVERWRITTEN,
    WriteMode.APPEND: Outcome.APPENDED,
    WriteMode.MERGE_PATCH: Outcome.PATCHED,
    WriteMode.EXTEND: Outcome.APPENDED,
}


@dataclass(frozen=True, slots=True)
class _Content:
    """``changed`` is about the body. ``supplied`` is to be put with it; ``resummarised`` says that the summary alone is another."""

    body: bytes
    content_type: str
    changed: bool
    supplied: Supplied | None = None
    resummarised: bool = False


def _with_supplied(tx: Transaction, command: WriteCommand, previous: SlotRecord | None, content: _Content) -> _Content:
    """The content with what was sent for it. With the same body, what was not sent stays."""
    sent = command.supplied
    if sent is None:
        return content
    if previous is None or content.changed:
        return replace(content, supplied=sent)
    held = tx.supplied(previous) or Supplied()
    wanted = Supplied(sent.vector or held.vector, sent.summary or held.summary)
    if wanted == held:
        return content
    return replace(content, supplied=wanted, resummarised=wanted.summary != held.summary)


def _content(
    tx: Transaction, command: WriteCommand, previous: SlotRecord | None, settings: EffectiveSettings, field: str
) -> _Content:
    """The slot's body after the write, checked for size and content type."""
    at = f"{field}body"
    limit = settings.body_limit_bytes
    bodies.check_size(len(command.body), limit, at)
    if command.mode is WriteMode.MERGE_PATCH:
        return _patched(tx, command, previous, limit, field)
    if command.mode is WriteMode.EXTEND and not _text_to_text(command, previous):
        return _extended(tx, command, previous, limit, at)
    if command.mode in (WriteMode.APPEND, WriteMode.EXTEND) and previous is not None:
        if command.mode is WriteMode.APPEND:
            _check_appendable(command, previous, field)
        bodies.check_size(previous.body_bytes + len(command.body), limit, at)
        body = tx.body(previous) + command.body
        bodies.check_body(body, previous.content_type, at)
        return _Content(body, previous.content_type, bool(command.body))
    content_type = command.content_type or bodies.guess(command.body)
    bodies.check_body(command.body, content_type, at)
    same_size = previous is not None and previous.body_bytes == len(command.body)
    changed = previous is None or not same_size or tx.body(previous) != command.body
    return _Content(command.body, content_type, changed)


def _text_to_text(command: WriteCommand, previous: SlotRecord | None) -> bool:
    there = bodies.TEXT if previous is None else bodies.essence(previous.content_type)
    return command.content_type != bodies.JSON and there.startswith("text/")


def _extended(tx: Transaction, command: WriteCommand, previous: SlotRecord | None, limit: int, at: str) -> _Content:
    """A JSON array with the value behind its items; a text becomes an item."""
    if previous is not None and bodies.essence(previous.content_type) != bodies.JSON:
        raise _not_extendable(command, previous)
    value = command.body if command.content_type == bodies.JSON else bodies.quoted(command.body)
    before = None if previous is None else tx.body(previous)
    extended = bodies.extend(before, value, at)
    if extended is None:
        assert previous is not None
        raise _not_extendable(command, previous)
    bodies.check_size(len(extended), limit, at)
    return _Content(extended, bodies.JSON if previous is None else previous.content_type, extended != before)


def _not_extendable(command: WriteCommand, previous: SlotRecord) -> ContentTypeMismatch:
    return ContentTypeMismatch(
        f"slot '{command.name}' holds {previous.content_type}: text is appended to text, values to a JSON array; patch or replace it",
        field="mode",
        metadata={"content_type": previous.content_type},
    )


def _check_appendable(command: WriteCommand, previous: SlotRecord, field: str) -> None:
    if command.content_type and bodies.essence(command.content_type) != bodies.essence(previous.content_type):
        raise ContentTypeMismatch(
            f"slot '{command.name}' holds {previous.content_type}, {command.content_type} cannot be appended to it: "
            "leave content_type out, or replace the body",
            field=f"{field}content_type",
            metadata={"content_type": previous.content_type},
        )


def _patched(tx: Transaction, command: WriteCommand, previous: SlotRecord | None, limit: int, field: str) -> _Content:
    if previous is not None and bodies.essence(previous.content_type) != bodies.JSON:
        raise ContentTypeMismatch(
            f"slot '{command.name}' holds {previous.content_type}: only application/json can be patched, replace the body instead",
            field=f"{field}mode",
            metadata={"content_type": previous.content_type},
        )
    if command.content_type and bodies.essence(command.content_type) not in (bodies.JSON, bodies.JSON_PATCH):
        raise ContentTypeMismatch(
            f"a merge patch is {bodies.JSON_PATCH} or {bodies.JSON}, not {command.content_type}: leave content_type out",
            field=f"{field}content_type",
            metadata={"content_type": command.content_type},
        )
    before = None if previous is None else tx.body(previous)
    merged = bodies.merge_patch(before, command.body, f"{field}body")
    if merged is None:
        assert before is not None
        assert previous is not None
        return _Content(before, previous.content_type, False)
    bodies.check_size(len(merged), limit, f"{field}body")
    bodies.check_body(merged, bodies.JSON, f"{field}body")
    return _Content(merged, bodies.JSON if previous is None else previous.content_type, True)


def _record(
    tx: Transaction,
    ctx: Context,
    call: Call,
    command: WriteCommand,
    content: _Content,
    resolved: expiry.Resolved,
    previous: SlotRecord | None,
) -> SlotRecord:
    now_ms, revision = tx.now_ms, tx.revision + 1
    if previous is None:
        importance = command.importance or 0.0
        rank = ctx.decay.first(now_ms, importance)
    else:
        importance = previous.importance if command.importance is None else command.importance
        rank = ctx.decay.reweighed(previous.rank, previous.importance, importance)
        rank = ctx.decay.accessed(rank, now_ms, importance) if content.changed else rank
    return SlotRecord(
        namespace=command.namespace,
        name=command.name,
        revision=revision,
        version=1 if previous is None else previous.version + 1,
        content_type=content.content_type,
        body_bytes=len(content.body),
        description=_said(command.description, "" if previous is None else previous.description),
        task_type=_said(command.task_type, "" if previous is None else previous.task_type),
        tags=tuple(command.tags) if command.tags or previous is None else previous.tags,
        attributes=command.attributes if command.attributes or previous is None else previous.attributes,
        importance=importance,
        pinned=bool(command.pinned) if command.pinned is not None or previous is None else previous.pinned,
        # Who words a summary anew has a part in what is read, and must not inherit another's trust.
        origin=command.origin
        if content.changed or content.resummarised or command.origin or previous is None
        else previous.origin,
        written_by=call.caller.id,
        rank=rank,
        access_count=0 if previous is None else previous.access_count,
        created_revision=revision if previous is None else previous.created_revision,
        created_ms=now_ms if previous is None else previous.created_ms,
        updated_ms=now_ms,
        accessed_ms=None if previous is None else previous.accessed_ms,
        expire_ms=resolved.expire_ms,
        lifetime=resolved.lifetime,
        ttl_ms=resolved.ttl_ms,
    )


def _said(value: str | None, before: str) -> str:
    return before if value is None else value


def _same_metadata(previous: SlotRecord, record: SlotRecord, said: Origin) -> bool:
    return (
        record.content_type == previous.content_type
        and record.description == previous.description
        and record.task_type == previous.task_type
        and record.tags == previous.tags
        and record.importance == previous.importance
        and record.pinned == previous.pinned
        and (said in (Origin.UNSPECIFIED, previous.origin))
        and same_attributes(record.attributes, previous.attributes)
    )


def same_attributes(left: Mapping[str, AttributeValue], right: Mapping[str, AttributeValue]) -> bool:
    """Whether two attribute maps are the same to the type: 1, 1.0 and true are three values."""
    return left == right and all(type(left[key]) is type(right[key]) for key in left)
