"""The lookups of 50 names that are measured, and what makes an answer right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks.connection import Sidecar
from tests.benchmarks.dataset import NAMESPACE, name_of, number_of, tag_of, task_type_of

from memslot.v1.filter_pb2 import Filter, StringSet
from memslot.v1.slot_pb2 import SlotInfo
from memslot.v1.slot_service_pb2 import (
    LOOKUP_ORDER_NAME,
    LOOKUP_ORDER_RANK,
    LOOKUP_VIEW_INFO,
    LookupRequest,
    LookupResponse,
)

NAMES = 50


@dataclass(frozen=True, slots=True)
class Query:
    """One lookup and which slots it may answer with."""

    title: str
    request: LookupRequest
    matches: Callable[[int], bool]

    def check(self, reply: LookupResponse) -> None:
        """Raises AssertionError unless the reply holds 50 different names that match, in order if they are ordered by name."""
        names = [slot.name for slot in reply.slots]
        right = len(set(names)) == len(names) == NAMES and all(self.matches(number_of(name)) for name in names)
        if not right or (self.request.order_by == LOOKUP_ORDER_NAME and names != sorted(names)):
            raise AssertionError(f"{self.title}: a lookup was answered wrongly")

    async def check_in_full(self, sidecar: Sidecar) -> None:
        """The same lookup in view INFO. Raises AssertionError when it has a wrong order or an info that is not what was written."""
        request = LookupRequest()
        request.CopyFrom(self.request)
        request.view = LOOKUP_VIEW_INFO
        reply = await sidecar.slots.Lookup(request)
        self.check(reply)
        if not all(map(_as_written, reply.slots)):
            raise AssertionError(f"{self.title}: an info is not what was written")
        scores = [info.rank_score for info in reply.slots]
        if self.request.order_by == LOOKUP_ORDER_RANK and scores != sorted(scores, reverse=True):
            raise AssertionError(f"{self.title}: not in rank order")


class Lookups:
    """Makes one lookup again and again. An answer that equals the one before it is right without being looked through again, so
    that verifying takes little of the time that is measured."""

    def __init__(self, sidecar: Sidecar, query: Query) -> None:
        self._lookup = sidecar.slots.Lookup
        self._query = query
        self._checked = LookupResponse()

    async def __call__(self, _caller: int) -> None:
        """Makes the lookup once. Raises AssertionError when the answer is wrong."""
        reply = await self._lookup(self._query.request)
        if reply != self._checked:
            self._query.check(reply)
            self._checked = reply


async def page_through(sidecar: Sidecar, query: Query, *, pages: int) -> None:
    """Follows the page tokens for so many pages, or to the end."""
    request = LookupRequest()
    request.CopyFrom(query.request)
    for _ in range(pages):
        reply = await sidecar.slots.Lookup(request)
        request.page_token = reply.next_page_token
        if not request.page_token:
            return


def _as_written(info: SlotInfo) -> bool:
    number = number_of(info.name)
    return list(info.tags) == [tag_of(number)] and info.task_type == task_type_of(number)


def _ranked(filter_: Filter | None = None) -> LookupRequest:
    return LookupRequest(namespace=NAMESPACE, page_size=NAMES, order_by=LOOKUP_ORDER_RANK, filter=filter_)


BY_RANK = Query("by rank", _ranked(), lambda _: True)
BY_TAG = Query(
    "by tag, in rank order",
    _ranked(Filter(tags_any=StringSet(values=["tag-3"]))),
    lambda number: tag_of(number) == "tag-3",
)
BY_TASK_TYPE = Query(
    "by task type, in rank order",
    _ranked(Filter(task_type_in=StringSet(values=["task-5"]))),
    lambda number: task_type_of(number) == "task-5",
)
BY_PREFIX = Query(
    "by prefix, in name order",
    LookupRequest(namespace=NAMESPACE, page_size=NAMES, order_by=LOOKUP_ORDER_NAME, name_prefix="c-"),
    lambda number: name_of(number).startswith("c-"),
)
QUERIES = (BY_RANK, BY_TAG, BY_TASK_TYPE, BY_PREFIX)
