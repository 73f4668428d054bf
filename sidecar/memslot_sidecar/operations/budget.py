"""Keeping replies small: an upper bound of what a slot takes on the wire."""

from __future__ import annotations

from collections.abc import Iterable

from memslot_sidecar.model import SlotRecord

REPLY_LIMIT_BYTES = 4_000_000
_FIXED_BYTES = 320
_ENTRY_BYTES = 24
_STATUS_BYTES = 200
_REPLY_BYTES = 16


class NamesBudget:
    """Shares a reply of at most ``max_bytes`` among names, each of which gets a slot or a status that says why there is none.

    Room for all statuses is set aside at first, so that one large slot cannot push the statuses after it beyond the bound.
    """

    def __init__(self, names: Iterable[str], max_bytes: int = 0) -> None:
        self._left = reply_budget(max_bytes) - _REPLY_BYTES - sum(map(status_bytes, names))

    def take(self, name: str, slot_bytes: int) -> bool:
        """Whether a slot fits; it then takes the room of the name's status and what it needs besides."""
        needed = slot_bytes - status_bytes(name)
        if needed > self._left:
            return False
        self._left -= needed
        return True


def reply_budget(max_bytes: int) -> int:
    """The byte budget of a reply: 0 and anything larger than a reply may be is that maximum."""
    return REPLY_LIMIT_BYTES if max_bytes <= 0 or max_bytes > REPLY_LIMIT_BYTES else max_bytes


def info_bytes(record: SlotRecord) -> int:
    """Upper bound of a serialised SlotInfo in bytes, from the lengths of its parts and 320 for all that is fixed."""
    texts = (
        record.namespace,
        record.name,
        record.content_type,
        record.description,
        record.task_type,
        record.written_by,
    )
    size = _FIXED_BYTES + sum(map(_utf8_bound, texts))
    size += sum(_utf8_bound(tag) + _ENTRY_BYTES for tag in record.tags)
    for key, value in record.attributes.items():
        size += _utf8_bound(key) + (_utf8_bound(value) if isinstance(value, str) else 10) + _ENTRY_BYTES
    return size


def status_bytes(name: str) -> int:
    """Upper bound of a status for a name, which stands in it up to three times: in message, metadata and resource."""
    return _STATUS_BYTES + 3 * _utf8_bound(name)


def _utf8_bound(text: str) -> int:
    return len(text) if text.isascii() else 4 * len(text)
