"""Messages of slots that are read again and again, made once."""

from __future__ import annotations

from collections import OrderedDict

from memslot.v1 import slot_pb2
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.services.slot_messages import fill_static

_LIMIT = 4096
_LARGE_BYTES = 2048


class SlotMemo:
    """Remembers the message of a record by the record's identity.

    Records never change, and a store that has a slot at hand gives the same object again; a changed slot is another object. So nothing
    here can be stale, and whether a slot is still there is the store's to say. Takes at most 8 MiB of messages.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[SlotRecord, slot_pb2.SlotInfo]] = OrderedDict()

    def info(self, record: SlotRecord) -> slot_pb2.SlotInfo:
        """The slot's information without rank_score; to be copied, not changed."""
        key = (record.namespace, record.name)
        kept = self._kept.get(key)
        if kept is not None and kept[0] is record:
            return kept[1]
        info = slot_pb2.SlotInfo()
        fill_static(info, record)
        if info.ByteSize() <= _LARGE_BYTES:
            self._kept[key] = (record, info)
            if len(self._kept) > _LIMIT:
                self._kept.popitem(last=False)
        return info
