"""Replies as protobuf JSON."""

from __future__ import annotations

import binascii
import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import orjson
from google.protobuf import json_format
from google.protobuf.message import Message

from memslot.v1 import slot_service_pb2 as pb

Writer = Callable[[Any], bytes]

_LIMIT = 4096
_LARGE_BYTES = 2048
SLOT_TAG = b"\x0a"
"""Field 1 of ReadResponse, of a length that follows."""


def writer(kind: type[Message]) -> Writer:
    """What makes JSON of replies of a type, which come as messages or serialised."""
    if kind is pb.ReadResponse:
        return ReadReplies().write

    def write(reply: Any) -> bytes:
        return told(kind.FromString(reply) if type(reply) is bytes else reply)

    return write


def told(message: Message) -> bytes:
    """A message as JSON. Bytes are base64, 64-bit integers texts, what has its default is left out."""
    return orjson.dumps(json_format.MessageToDict(message))


class ReadReplies:
    """Replies of Read. Such a reply is two messages that are joined (see SlotMemo): the slot's information, and then body, rank and
    revision. The first is rendered once and remembered by its very bytes, so that it cannot be stale. Takes at most some 20 MiB."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def write(self, reply: Any) -> bytes:
        """The reply as JSON."""
        if type(reply) is not bytes:
            return told(reply)
        end = end_of_first_field(reply)
        if reply[end : end + 1] != SLOT_TAG:
            return told(pb.ReadResponse.FromString(reply))
        rest = pb.ReadResponse.FromString(reply[end:])
        body, rank, revision = rest.slot.body, rest.slot.info.rank_score, rest.revision
        parts = [self._beginning(reply[:end])]
        # Minus zero is no default.
        if rank or math.copysign(1.0, rank) < 0:
            parts.append(b',"rankScore":%s' % orjson.dumps(rank))
        parts.append(b'},"body":"%s"' % binascii.b2a_base64(body, newline=False) if body else b"}")
        parts.append(b'},"revision":"%d"}' % revision if revision else b"}}")
        return b"".join(parts)

    def _beginning(self, first: bytes) -> bytes:
        """The JSON of a reply up to the end of what stands in ``slot.info``, its last brace left out."""
        kept = self._kept.get(first)
        if kept is None:
            kept = told(pb.ReadResponse.FromString(first)).removesuffix(b"}}}")
            if len(first) <= _LARGE_BYTES:
                self._kept[first] = kept
                if len(self._kept) > _LIMIT:
                    self._kept.popitem(last=False)
        return kept


def end_of_first_field(message: bytes) -> int:
    """Where the first field of a serialised message ends, if that is a ``slot``."""
    length, shift, place = 0, 0, 1
    if message[:1] != SLOT_TAG:
        return len(message)
    while True:
        byte = message[place]
        length |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return place + length
