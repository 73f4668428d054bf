"""Summaries, filled into messages where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from memslot.v1 import slot_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.finding.summary import Summary
from memslot_sidecar.operations.summaries import Summarised
from memslot_sidecar.services.slot_messages import Clocked

SUMMARY_WANTED: Mapping[int, bool] = {0: False, 1: False, 2: True}
"""By number of ReadView."""


def fill_summary(info: slot_pb2.SlotInfo, message: slot_pb2.Summary, summary: Summary) -> None:
    """A summary, of which the slot's information tells too."""
    info.has_summary = True
    message.text = summary.text
    message.source = cast(Any, summary.source)
    message.origin = cast(Any, summary.origin)
    message.revision = summary.revision


def summary_reply(found: Summarised, clocked: Clocked, revision: int) -> pb.ReadResponse:
    """Reply of Read in view SUMMARY."""
    reply = pb.ReadResponse(revision=revision)
    clocked.fill_info(reply.slot.info, found.record)
    if found.summary is not None:
        fill_summary(reply.slot.info, reply.summary, found.summary)
    return reply
