"""Random requests about a few slots in a few namespaces, so that they often meet."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message
from tests.faults.in_process import START_MS

from memslot.v1 import admin_service_pb2, filter_pb2, namespace_service_pb2, slot_pb2
from memslot.v1 import slot_service_pb2 as pb

NAMESPACES = ["acme", "acme/a", "acme/a/b", "acme/ab", "用户", "x"]
NAMES = ["s0", "s1", "s2", "s3", "s4", "用户", "a%b", "a_b"]
BODIES = [b"", b"a", b"hello", b'{"a":1}', b'{"b":null,"a":{"c":2}}', b"[1]", b"\xff", b"x" * 50, b"x" * 300]
NUMBERS = [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63)]
REALS = [0.0, -0.0, 1.0, 0.5, float(2**53), 9.3e18, float("inf"), -1e300]


class Requests:
    """Makes requests. The same ``seed`` makes the same."""

    def __init__(self, seed: object) -> None:
        self.chance = random.Random(str(seed))

    def mutation(self) -> Message:
        """A mutation of slots."""
        return self._one_of(
            {self._write: 6, self._update_info: 1, self._forget: 2, self._commit: 2, self._forget_matching: 1}
        )

    def any(self) -> Message:
        """A request of any method but Backup and GetServerInfo, which tell what no two stores share."""
        return self._one_of(
            {
                self.mutation: 30,
                self._read: 10,
                self._lookup: 20,
                self._many: 6,
                self._versions: 5,
                self._namespaces: 6,
                admin_service_pb2.CheckIntegrityRequest: 1,
            }
        )

    def _one_of(self, makers: Mapping[Callable[[], Any], int]) -> Any:
        (make,) = self.chance.choices(list(makers), list(makers.values()))
        return make()

    def _slot(self) -> dict[str, str]:
        return {"namespace": self.chance.choice(NAMESPACES), "name": self.chance.choice(NAMES)}

    def _maybe(self, probability: float) -> bool:
        return self.chance.random() < probability

    def _write(self) -> pb.WriteRequest:
        chance = self.chance
        request = pb.WriteRequest(**self._slot(), body=chance.choice(BODIES), origin=chance.randrange(5))
        request.mode = chance.choice([0, 1, 2, 3, 3])
        if self._maybe(0.3):
            request.content_type = chance.choice(["text/plain", "application/json", "image/png"])
        if self._maybe(0.3):
            request.task_type = chance.choice(["", "t1", "t2"])
        if self._maybe(0.3):
            request.tags.extend(chance.sample("xyz", chance.randrange(3)))
        if self._maybe(0.3):
            self._set_value(request.attributes[chance.choice("nm")])
        if self._maybe(0.3):
            request.importance = chance.random()
        if self._maybe(0.1):
            request.pinned = self._maybe(0.5)
        self._add_conditions(request)
        return request

    def _add_conditions(self, request: pb.WriteRequest) -> None:
        chance = self.chance
        if self._maybe(0.2):
            request.ttl.FromMilliseconds(chance.choice([1, 50, 1000, 10**6]))
        elif self._maybe(0.1):
            request.expire_time.FromMilliseconds(START_MS + chance.randrange(10**6))
        elif self._maybe(0.05):
            request.never = True
        if self._maybe(0.1):
            request.precondition.if_absent = True
        elif self._maybe(0.1):
            request.precondition.if_revision = chance.randrange(1, 300)

    def _set_value(self, value: slot_pb2.AttributeValue) -> None:
        kind = self.chance.randrange(4)
        if kind == 0:
            value.int64_value = self.chance.choice(NUMBERS)
        elif kind == 1:
            value.double_value = self.chance.choice(REALS)
        elif kind == 2:
            value.string_value = self.chance.choice(["", "q", "用"])
        else:
            value.bool_value = self._maybe(0.5)

    def _update_info(self) -> pb.UpdateInfoRequest:
        kind = self.chance.choice(["", "text/plain", "application/json"])
        info = slot_pb2.SlotInfo(tags=["x", "z"], importance=0.7, task_type="t2", pinned=True, content_type=kind)
        request = pb.UpdateInfoRequest(**self._slot(), info=info)
        fields = ["description", "tags", "importance", "task_type", "pinned", "attributes", "origin", "content_type"]
        request.update_mask.paths.extend(self.chance.sample(fields, self.chance.randrange(3)))
        if self._maybe(0.3):
            request.ttl.FromMilliseconds(self.chance.choice([1, 5000]))
        return request

    def _forget(self) -> pb.ForgetRequest:
        return pb.ForgetRequest(**self._slot())

    def _forget_matching(self) -> pb.ForgetMatchingRequest:
        chance = self.chance
        request = pb.ForgetMatchingRequest(namespace=chance.choice(NAMESPACES), recursive=self._maybe(0.3))
        request.max, request.allow_partial = chance.choice([0, 0, 1, 3]), self._maybe(0.6)
        if self._maybe(0.1):
            request.all = True
        else:
            request.filter.CopyFrom(self._filter())
        return request

    def _commit(self) -> pb.CommitRequest:
        request = pb.CommitRequest(namespace=self.chance.choice(NAMESPACES))
        for name in self.chance.sample(NAMES, self.chance.randrange(1, 5)):
            kind = self.chance.random()
            if kind < 0.6:
                write = self._write()
                write.namespace, write.name = "", name
                request.operations.add(write=write)
            elif kind < 0.85:
                request.operations.add(forget=pb.ForgetRequest(name=name))
            else:
                absent = slot_pb2.Precondition(if_absent=True)
                request.operations.add(check=pb.CommitCheck(name=name, precondition=absent))
        return request

    def _read(self) -> pb.ReadRequest:
        return pb.ReadRequest(**self._slot(), if_revision_not=self.chance.choice([0, 0, 0, self.chance.randrange(300)]))

    def _many(self) -> pb.BatchReadRequest | pb.DescribeRequest:
        names, namespace = self.chance.sample(NAMES, 4), self.chance.choice(NAMESPACES)
        if self._maybe(0.5):
            return pb.DescribeRequest(namespace=namespace, names=names)
        return pb.BatchReadRequest(namespace=namespace, names=names, max_bytes=self.chance.choice([0, 300]))

    def _versions(self) -> pb.ListVersionsRequest | pb.ReadVersionRequest:
        if self._maybe(0.6):
            return pb.ListVersionsRequest(**self._slot(), page_size=self.chance.choice([0, 1]))
        return pb.ReadVersionRequest(**self._slot(), version_revision=self.chance.randrange(1, 300))

    def _lookup(self) -> pb.LookupRequest:
        chance = self.chance
        request = pb.LookupRequest(
            namespace=chance.choice(NAMESPACES),
            recursive=self._maybe(0.4),
            view=chance.randrange(3),
            order_by=chance.randrange(8),
            reverse=self._maybe(0.3),
            page_size=chance.choice([0, 1, 2, 5]),
            total=self._maybe(0.4),
        )
        if self._maybe(0.3):
            request.name_prefix = chance.choice(["s", "用", "a", "a_"])
        if self._maybe(0.7):
            request.filter.CopyFrom(self._filter())
        return request

    def _namespaces(self) -> Message:
        path = self.chance.choice(NAMESPACES)
        kind = self.chance.randrange(5)
        if kind == 0:
            return namespace_service_pb2.GetNamespaceRequest(namespace=path)
        if kind == 1:
            return namespace_service_pb2.ListNamespacesRequest(parent=self.chance.choice(["", "acme"]), page_size=2)
        if kind == 2:
            return namespace_service_pb2.DeleteNamespaceRequest(namespace=path, force=self._maybe(0.5))
        settings = namespace_service_pb2.NamespaceSettings(overflow=self.chance.randrange(3))
        if self._maybe(0.5):
            settings.slot_limit = self.chance.choice([2, 4, 8])
        if self._maybe(0.3):
            settings.versions_kept = self.chance.choice([1, 2, 4])
        if self._maybe(0.3):
            settings.ttl_max.FromMilliseconds(self.chance.choice([500, 100_000]))
        if self._maybe(0.3):
            settings.ttl_refresh_on_read = self._maybe(0.5)
        return namespace_service_pb2.UpdateNamespaceRequest(namespace=path, settings=settings)

    def _filter(self, depth: int = 0) -> filter_pb2.Filter:
        chance = self.chance
        kind = chance.randrange(11 if depth == 2 else 14)
        if kind > 10:
            parts = filter_pb2.FilterList(filters=[self._filter(depth + 1) for _ in range(chance.randrange(1, 4))])
            return filter_pb2.Filter(**{["all_of", "any_of", "none_of"][kind - 11]: parts})
        if kind == 10:
            return filter_pb2.Filter(attribute=self._condition())
        few = filter_pb2.StringSet(values=chance.sample("xyz", chance.randrange(1, 3)))
        leaves: list[dict[str, Any]] = [
            {"name_prefix": chance.choice(["s", "s1", "用", "a", "a%", "z"])},
            {"task_type_in": filter_pb2.StringSet(values=chance.sample(["", "t1", "t2"], 2))},
            {"tags_any": few},
            {"tags_all": few},
            {"tags_none": few},
            {"created": self._range()},
            {"updated": self._range()},
            {"expires": self._range()},
            {"importance": filter_pb2.DoubleRange(min=chance.choice([0, 0.3, 0.5]))},
            {"body_bytes": filter_pb2.Int64Range(max=chance.choice([0, 3, 10, 100]))},
        ]
        return filter_pb2.Filter(**leaves[kind])

    def _range(self) -> filter_pb2.TimeRange:
        found = filter_pb2.TimeRange()
        found.until.FromMilliseconds(START_MS + self.chance.randrange(10**6))
        return found

    def _condition(self) -> filter_pb2.AttributeCondition:
        condition = filter_pb2.AttributeCondition(key=self.chance.choice("nm"))
        op = self.chance.choice(["eq", "ne", "gt", "ge", "lt", "le", "exists"])
        if op == "exists":
            condition.exists = self._maybe(0.5)
        else:
            self._set_value(getattr(condition, op))
        return condition
