"""What is told of slots that are read again and again, serialised once."""

from __future__ import annotations

import struct
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

from memslot.v1 import slot_service_pb2 as pb
from memslot.v1.slot_pb2 import Slot, SlotInfo
from memslot_sidecar.model import SlotRecord
from memslot_sidecar.services.slot_messages import fill_static

_LIMIT = 4096
_LARGE_BYTES = 2048


@dataclass(slots=True)
class ReadReply:
    """The reply of a Read in two: what is remembered of the slot, and what is told anew.

    ``beginning`` is a serialised ReadResponse with all of the slot's information but rank_score. The same object comes for the same
    record, so that whoever writes another form of it can remember that by the bytes.
    """

    beginning: bytes
    body: bytes
    rank_score: float
    revision: int

    def SerializeToString(self) -> bytes:
        """The whole as one message: serialised messages that are joined are one, and parts of the same submessage are merged.

        A message that is made for it takes ten times as long, most of it in the allocator.
        """
        return b"".join(
            (
                self.beginning,
                _before_body(len(self.body)),
                self.body,
                _BEFORE_SCORE,
                _SCORE.pack(self.rank_score),
                _revision(self.revision),
            )
        )


_SCORE = struct.Struct("<d")
_BEFORE_SCORE = pb.ReadResponse(slot=Slot(info=SlotInfo(rank_score=1.0))).SerializeToString()[: -_SCORE.size]


@lru_cache(maxsize=1024)
def _before_body(size: int) -> bytes:
    """What stands before a body of ``size`` bytes in a serialised reply that holds nothing else."""
    return pb.ReadResponse(slot=Slot(body=bytes(size))).SerializeToString()[:-size] if size else b""


@lru_cache(maxsize=64)
def _revision(revision: int) -> bytes:
    """A serialised reply that holds a revision and nothing else."""
    return pb.ReadResponse(revision=revision).SerializeToString()


class SlotMemo:
    """Remembers a record's part of a reply by the record's identity.

    Records never change, and a store that has a slot at hand gives the same object again; a changed slot is another object. So nothing
    here can be stale, and whether a slot is still there is the store's to say. Takes at most 8 MiB.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[SlotRecord, bytes]] = OrderedDict()

    def beginning(self, record: SlotRecord) -> bytes:
        """A serialised ReadResponse with all of the slot's information but rank_score."""
        key = (record.namespace, record.name)
        kept = self._kept.get(key)
        if kept is not None and kept[0] is record:
            return kept[1]
        reply = pb.ReadResponse()
        fill_static(reply.slot.info, record)
        encoded = reply.SerializeToString()
        if len(encoded) <= _LARGE_BYTES:
            self._kept[key] = (record, encoded)
            if len(self._kept) > _LIMIT:
                self._kept.popitem(last=False)
        return encoded
