"""Replies as protobuf JSON."""

from __future__ import annotations

import base64
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
    """Replies of Read, of which all but the body, rank and revision is rendered once and remembered.

    What is remembered goes by the very bytes that it was rendered from, so that it cannot be stale. Takes at most some 20 MiB.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def write(self, reply: Any) -> bytes:
        """The reply as JSON."""
        if type(reply) is not bytes:
            return told(reply)
        message = pb.ReadResponse.FromString(reply)
        slot, revision = message.slot, message.revision
        body, rank = slot.body, slot.info.rank_score
        slot.ClearField("body")
        slot.info.ClearField("rank_score")
        message.ClearField("revision")
        parts = [self._beginning(message)]
        if rank:
            parts.append(b',"rankScore":%s' % orjson.dumps(rank))
        parts.append(b"}")
        if body:
            parts.append(b',"body":"%s"' % base64.b64encode(body))
        parts.append(b'},"revision":"%d"}' % revision if revision else b"}}")
        return b"".join(parts)

    def _beginning(self, message: pb.ReadResponse) -> bytes:
        """The JSON of a reply up to the end of what stands in ``slot.info``, its last brace left out."""
        key = message.SerializeToString()
        kept = self._kept.get(key)
        if kept is None:
            kept = _beginning(message)
            if len(key) <= _LARGE_BYTES:
                self._kept[key] = kept
                if len(self._kept) > _LIMIT:
                    self._kept.popitem(last=False)
        return kept


def _beginning(message: pb.ReadResponse) -> bytes:
    rest = json_format.MessageToDict(message)
    info = rest.pop("slot")["info"]
    return orjson.dumps({**rest, "slot": {"info": info}}).removesuffix(b"}}}")
