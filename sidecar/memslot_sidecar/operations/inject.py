"""Inject: named slots as delimited text within a budget, for the tail of one prompt, booked with its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memslot_sidecar.call import Call
from memslot_sidecar.edge.accounting.counters import ready_counter
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations import injecting
from memslot_sidecar.operations.batch_read import checked_names
from memslot_sidecar.operations.context import Context, about, seen
from memslot_sidecar.operations.injecting import Injection, Injector, Limits
from memslot_sidecar.operations.read import accessed

NAMES_LIMIT = 128


@dataclass(frozen=True, slots=True)
class InjectCommand:
    """What is to be shown, and within which limits. ``turn`` and ``token_counter`` are empty where the call or the server says them."""

    namespace: str
    names: Sequence[str]
    limits: Limits
    turn: str = ""
    token_counter: str = ""


async def inject(ctx: Context, call: Call, command: InjectCommand) -> tuple[Injection, str]:
    """What is shown, and what counted its tokens. A name that is given twice is shown once. Each body shown is an access.

    Raises InvalidName, InvalidField.
    """
    path, _ = about(call, command.namespace)
    if not command.names:
        raise InvalidField(f"names is empty: name 1 to {NAMES_LIMIT} slots to be shown", field="names")
    if len(command.names) > NAMES_LIMIT:
        raise InvalidField(
            f"names has {len(command.names)} entries, an injection shows at most {NAMES_LIMIT}: name fewer",
            field="names",
        )
    call.names = tuple(dict.fromkeys(checked_names(command.names)))
    counter = await ready_counter(command.token_counter or ctx.token_counter)
    injector = Injector(ctx, path, call.names, command.limits, counter)
    bodies = {name: body for name in call.names if (body := await injector.add(name)) is not None}
    injection = await injector.finish()
    for one in injection.injected:
        if not one.shown.summarised:
            await accessed(ctx, call, bodies[one.record.name])
    injecting.note(ctx, call, command.turn, injection)
    call.outcome = "READ"
    call.count = len(injection.injected)
    call.body_bytes = sum(one.record.body_bytes for one in injection.injected if not one.shown.summarised)
    call.revision = seen(ctx.store.revision, (one.record for one in injection.injected))
    return injection, counter.name
