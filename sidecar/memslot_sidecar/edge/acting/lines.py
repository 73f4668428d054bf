"""Receipts: a line for each action and each reject, for the model. Names, sizes and reasons, never a body."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from memslot_sidecar.edge.acting.arguments import BadArgument
from memslot_sidecar.edge.acting.found import FoundNames
from memslot_sidecar.edge.acting.hints import hint
from memslot_sidecar.edge.acting.wording import say
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.quoting import quoted
from memslot_sidecar.errors import (
    BodyTooLarge,
    ContentTypeMismatch,
    IndexUnavailable,
    InternalError,
    InvalidName,
    MemslotError,
    ReplyBudget,
    SlotLimitReached,
    SlotNotFound,
    StoreFull,
    StoreUnavailable,
)
from memslot_sidecar.model import Outcome, Receipt
from memslot_sidecar.model import Warning as ReceiptWarning
from memslot_sidecar.parsing import Reject

NAMES_CHARACTERS = 1_500
_PLAIN_NAME = re.compile(r"[\w.\-/:@+#]+")
_DONE = {
    Outcome.CREATED: "stored",
    Outcome.OVERWRITTEN: "stored",
    Outcome.APPENDED: "appended",
    Outcome.PATCHED: "patched",
    Outcome.UNCHANGED: "unchanged",
    Outcome.FORGOTTEN: "forgotten",
    Outcome.ABSENT: "absent",
}
_REFUSED: Mapping[type[MemslotError], str] = {
    BodyTooLarge: "too_large",
    SlotLimitReached: "slot_limit",
    ContentTypeMismatch: "mismatch",
    StoreFull: "store_full",
    ReplyBudget: "over_budget",
    StoreUnavailable: "unavailable",
    IndexUnavailable: "unavailable",
    InternalError: "unavailable",
}


class Lines:
    """The receipts of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def stored(self, action: str, receipt: Receipt) -> str:
        """Of a write, append or patch, with what should be known of it."""
        line = self._say(_DONE[receipt.outcome], name=shown(receipt.name))
        if receipt.outcome is Outcome.CREATED and action != "mem_write":
            line += self._say("new")
        if receipt.evicted:
            line += self._say("evicted", names=self._all(FoundNames(receipt.evicted, more=False)))
        if ReceiptWarning.SLOT_LIMIT_NEAR in receipt.warnings:
            line += self._say("limit_near")
        if ReceiptWarning.TTL_CLAMPED in receipt.warnings:
            line += self._say("clamped")
        return line

    def forgotten(self, receipt: Receipt, nearest: str = "", *, pending: bool = False) -> str:
        """Of a forget."""
        line = self._say(_DONE[receipt.outcome], name=shown(receipt.name))
        return line + (self._say("erase_pending") if pending else "") + self._nearest(nearest)

    def read(self, name: str, how: str = "read") -> str:
        """Of a read: where the body went."""
        return self._say(how, name=shown(name))

    def found_names(self, action: str, found: FoundNames) -> str:
        """Of a lookup or a search."""
        if action == "mem_lookup":
            return self._say("names", names=self._all(found)) if found.names else self._say("no_names")
        if not found.names:
            return self._say("nothing_found_by_name" if found.by_name else "nothing_found")
        return self._say("found_by_name" if found.by_name else "found", names=self._all(found))

    def valid(self, action: str, name: str) -> str:
        """Of an action that would be executed."""
        return self._say("valid", action=action, name=f" {shown(name)}" if name else "")

    def rejected(self, reject: Reject) -> str:
        """Of what was no action."""
        return self._say("reject", hint=hint(reject, self._language))

    @property
    def unanswered(self) -> str:
        """For a call id of which nothing can be told."""
        return self._say("unanswered")

    def refused(self, action: str, name: str, error: MemslotError, nearest: str = "") -> str:
        """Of an action that failed. ``name`` is empty where it is not fit to be shown."""
        told = shown(name) if name else action
        if isinstance(error, SlotNotFound):
            return self._say("not_found", name=told) + self._nearest(nearest)
        key = next((key for kind, key in _REFUSED.items() if isinstance(error, kind)), "refused")
        values: dict[str, object] = {"name": told, "problem": self._problem(error), **error.metadata}
        if key == "slot_limit":
            lowest = json.loads(error.metadata.get("lowest_ranked", "[]"))
            values["lowest"] = ", ".join(map(shown, lowest)) or "-"
        if key == "mismatch" and action == "mem_patch":
            key = "mismatch_patch"
        return self._say(key, **(values | {"name": told}))

    def _problem(self, error: MemslotError) -> str:
        if isinstance(error, BadArgument) and error.key:
            return self._say(error.key, **error.values)
        if isinstance(error, InvalidName) and error.field == "slot" and error.metadata.keys() & {"size", "position"}:
            return self._say("name_too_long" if "size" in error.metadata else "name_character", **error.metadata)
        return error.message

    def _all(self, found: FoundNames) -> str:
        """As many names as a receipt has room for, and how many there are besides: exactly, at least, or only that there are."""
        told: list[str] = []
        room = NAMES_CHARACTERS
        for name in found.names:
            room -= len(name) + 2
            if told and room < 0:
                break
            told.append(shown(name))
        if found.total is None and found.more:
            return ", ".join(told) + self._say("some_more")
        left = (len(found.names) if found.total is None else found.total) - len(told)
        return ", ".join(told) + (self._say("many_more" if found.at_least else "more", count=left) if left > 0 else "")

    def _nearest(self, nearest: str) -> str:
        return self._say("nearest", nearest=shown(nearest)) if nearest else ""

    def _say(self, key: str, **values: object) -> str:
        return say(self._language, key, **values)


def shown(name: str) -> str:
    """A name as it stands in a line: in quotes where it could be mistaken for the line's own words, what cannot be seen in it escaped."""
    return name if _PLAIN_NAME.fullmatch(name) else quoted(name)
