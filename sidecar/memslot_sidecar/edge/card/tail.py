"""The tail: in few characters, what is new, changed or gone since a card was made. Names alone, the latest change first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memslot_sidecar.edge.card.changes import Changes
from memslot_sidecar.edge.card.drawing import Card
from memslot_sidecar.edge.card.wording import WORDS
from memslot_sidecar.edge.quoting import quoted
from memslot_sidecar.model import SlotRecord

TAIL_NAMES = 12
TAIL_CHARS = 600
_KINDS = ("new", "changed", "gone")

Describe = Callable[[str], SlotRecord | None]


@dataclass(frozen=True, slots=True)
class _Difference:
    """How a slot differs from what the card says; ``at`` orders them."""

    name: str
    kind: str
    at: float


def tail_of(card: Card, changes: Changes, describe: Describe, now_ms: int) -> str:
    """The tail of a card; empty when nothing changed. ``describe`` tells a live slot, or None.

    Looks at the slots that changed and at those that the card lists, never at others.
    """
    found = sorted(_differences(card, changes, describe, now_ms), key=lambda one: -one.at)
    if not found:
        return ""
    words, shown, chars = WORDS[card.language], [], 0
    for one in found[:TAIL_NAMES]:
        chars += len(quoted(one.name)) + len(words.comma)
        if chars > TAIL_CHARS:
            break
        shown.append(one)
    parts = []
    for kind in _KINDS:
        names = [quoted(one.name) for one in shown if one.kind == kind]
        if names:
            parts.append(getattr(words, kind) + words.comma.join(names))
    complete = changes.made.complete_after <= card.revision
    if len(found) > len(shown):
        others = words.others if complete else words.many_others
        parts.append(others.format(count=len(found) - len(shown)))
    return words.since + words.semicolon.join(parts) + words.end


def _differences(card: Card, changes: Changes, describe: Describe, now_ms: int) -> Iterator[_Difference]:
    made, renewed = changes.made.since(card.revision), changes.renewed.since(card.revision)
    for name, revision in made.items():
        kind = _kind(card, name, describe(name))
        if kind:
            yield _Difference(name, kind, revision)
    known = max(changes.made.complete_after, changes.renewed.complete_after) <= card.revision
    for name, listed in card.listed.items():
        expired = listed.expire_ms is not None and listed.expire_ms <= now_ms
        if name in made or (known and not expired and name not in renewed):
            continue
        kind = _kind(card, name, describe(name))
        if kind:
            yield _Difference(name, kind, math.inf if expired else changes.made.complete_after)


def _kind(card: Card, name: str, record: SlotRecord | None) -> str:
    listed = card.listed.get(name)
    if record is None:
        return "gone" if listed else ""
    if listed is None:
        return "new" if record.created_revision > card.revision else "changed"
    return "" if listed.revision == record.revision else "changed"
