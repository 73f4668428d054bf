"""What a model reads, shown to it once: as an injection of the turn, beside what the application is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memslot_sidecar import names
from memslot_sidecar.edge.accounting.counters import ready_counter
from memslot_sidecar.edge.language import Language
from memslot_sidecar.errors import InvalidName, NotText
from memslot_sidecar.model import StoredSlot
from memslot_sidecar.operations.context import Context
from memslot_sidecar.operations.injecting import CHARS_DEFAULT, Injection, Injector, Limits
from memslot_sidecar.parsing import Action

CHARS_LIMIT = 400_000
"""More is not shown, whatever is asked for: the reply must have room for bodies too."""


class Showing:
    """Gathers the injection. Each state of a slot is shown once."""

    def __init__(self, injector: Injector) -> None:
        self._injector = injector
        self._seen: dict[tuple[str, int], str] = {}

    async def show(self, found: StoredSlot) -> str:
        """How the slot is shown: ``shown``, ``summary_shown``, ``not_text`` or ``not_shown``, the word for the receipt."""
        key = (found.record.name, found.record.revision)
        if key not in self._seen:
            self._seen[key] = await self._add(found)
        return self._seen[key]

    async def finish(self) -> Injection:
        """What is shown."""
        return await self._injector.finish()

    async def _add(self, found: StoredSlot) -> str:
        before = len(self._injector.injection.injected)
        if await self._injector.add_read(found):
            return "shown"
        if len(self._injector.injection.injected) > before:
            return "summary_shown"
        return "not_text" if isinstance(self._injector.injection.left_out[-1][1], NotText) else "not_shown"


async def showing(
    ctx: Context,
    path: str,
    actions: Sequence[Action],
    max_chars: int,
    language: Language,
    reply: Callable[[int], bool],
) -> Showing:
    """For the slots that actions read. Bodies come first: what is shown takes of the reply what they leave."""
    counter = await ready_counter(ctx.token_counter)
    limits = Limits(max_chars=shown_chars(max_chars), language=language)
    return Showing(Injector(ctx, path, _read_names(actions), limits, counter, reply))


def shown_chars(asked: int) -> int:
    """How many characters are shown at most; 0 asks for the default."""
    return min(asked or CHARS_DEFAULT, CHARS_LIMIT)


def _read_names(actions: Sequence[Action]) -> list[str]:
    found: dict[str, None] = {}
    for action in actions:
        if action.name == "mem_read":
            try:
                found[names.slot_name(str(action.arguments["slot"]), "slot")] = None
            except InvalidName:
                continue
    return list(found)
