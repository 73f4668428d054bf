"""From a model's raw output to actions, rejects and the text for the user."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.parsing.hints import strict_hint
from memslot_sidecar.parsing.leftovers import report_leftovers
from memslot_sidecar.parsing.model import Action, Parsed, Reject
from memslot_sidecar.parsing.native import read_whole
from memslot_sidecar.parsing.scan import Scan
from memslot_sidecar.parsing.shapes import RULES
from memslot_sidecar.parsing.user_text import user_text


def parse(output: str, *, lenient: bool = False, own_prefixes: Sequence[str] = ()) -> Parsed:
    """Find every memory action in a model's output. Raises nothing, whatever the text.

    Strict mode takes what is whole as its format writes it. Lenient mode also takes what has exactly one reading, and marks in
    ``repaired`` what it mended; in strict mode the same is a reject. ``own_prefixes`` are prefixes under which a host offers our
    actions to its model (``mcp__memslot__``). The time is linear in the length.
    """
    scan = Scan(output, RULES, tuple(own_prefixes), lenient=lenient)
    if not read_whole(scan):
        scan.run(0, len(output))
        report_leftovers(scan)
    found = sorted(scan.found, key=lambda one: one.start)
    outcomes = [one if lenient or isinstance(one, Reject) or not one.repaired else _needs_lenient(one) for one in found]
    return Parsed(
        tuple(one for one in outcomes if isinstance(one, Action)),
        tuple(one for one in outcomes if isinstance(one, Reject)),
        user_text(scan),
        tuple(dict.fromkeys(scan.replies)),
    )


def _needs_lenient(action: Action) -> Reject:
    repair = action.repaired[0]
    return Reject(repair.upper(), action.start, action.end, strict_hint(repair), action.call_id)
