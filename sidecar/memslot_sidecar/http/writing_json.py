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
from memslot_sidecar.services.slot_memo import ReadReply

Writer = Callable[[Any], bytes]

_LIMIT = 4096
_LARGE_BYTES = 2048


def writer(kind: type[Message]) -> Writer:
    """What makes JSON of replies of a type, which come as messages or serialised, or as Read gives them."""

    def write(reply: Any) -> bytes:
        return told(kind.FromString(reply) if type(reply) is bytes else reply)

    return ReadReplies().write if kind is pb.ReadResponse else write


def told(message: Message) -> bytes:
    """A message as JSON. Bytes are base64, 64-bit integers texts, what has its default is left out."""
    return orjson.dumps(json_format.MessageToDict(message))


class ReadReplies:
    """Replies of Read. What is remembered of a slot is rendered once, and remembered by its very bytes, so that it cannot be stale.
    Takes at most some 20 MiB."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def write(self, reply: ReadReply | Message) -> bytes:
        """The reply as JSON."""
        if not isinstance(reply, ReadReply):
            return told(reply)
        rank = reply.rank_score
        # Minus zero is no default.
        score = b',"rankScore":%b' % orjson.dumps(rank) if rank or math.copysign(1.0, rank) < 0 else b""
        body = b',"body":"%b"' % binascii.b2a_base64(reply.body, newline=False) if reply.body else b""
        revision = b',"revision":"%d"' % reply.revision if reply.revision else b""
        return b"%b%b}%b}%b}" % (self._beginning(reply.beginning), score, body, revision)

    def _beginning(self, told_once: bytes) -> bytes:
        """The JSON of a reply up to the end of what stands in ``slot.info``, its last brace left out."""
        kept = self._kept.get(told_once)
        if kept is None:
            kept = told(pb.ReadResponse.FromString(told_once)).removesuffix(b"}}}")
            if len(told_once) <= _LARGE_BYTES:
                self._kept[told_once] = kept
                if len(self._kept) > _LIMIT:
                    self._kept.popitem(last=False)
        return kept
