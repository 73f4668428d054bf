"""Scrub: injections out of a text or a message history again. Looks at no slot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from memslot_sidecar.call import Call
from memslot_sidecar.edge.injection.scrubbing import Scrubbed, scrub_strings, scrub_text
from memslot_sidecar.errors import InvalidBody, InvalidField
from memslot_sidecar.operations.body import parse_json

KEPT_LIMIT = 1000
_ASIDE_CHARS = 100_000
"""Longer texts are looked through in a thread, so that other calls go on meanwhile."""


async def scrub(call: Call, text: str | None, messages_json: str | None, keep: Collection[str]) -> Scrubbed:
    """A text, or a JSON array of messages, without injections but those with the ids in ``keep``.

    Raises InvalidField, InvalidBody (no JSON, or nested deeper than 100 levels).
    """
    if (text is None) == (messages_json is None):
        raise InvalidField("set either text or messages_json", field="text")
    if len(keep) > KEPT_LIMIT:
        raise InvalidField(f"keep has {len(keep)} ids, at most {KEPT_LIMIT} are taken", field="keep")
    if messages_json is not None:
        done = await _aside(_messages, messages_json, keep)
    else:
        done = await _aside(scrub_text, text or "", keep)
    call.outcome = "SCRUBBED"
    call.count = done.removed
    return done


async def _aside(work: Callable[[str, Collection[str]], Scrubbed], given: str, keep: Collection[str]) -> Scrubbed:
    return work(given, keep) if len(given) <= _ASIDE_CHARS else await asyncio.to_thread(work, given, keep)


def _messages(messages_json: str, keep: Collection[str]) -> Scrubbed:
    if not isinstance(parse_json(messages_json.encode(), "messages_json"), list):
        raise InvalidBody("messages_json is no array: give the list of messages", field="messages_json")
    return scrub_strings(messages_json, keep)
