"""A storm of everything that changes what can be found, and a look at whether that is what the store holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import grpc
from tests.faults.asking import failure, write
from tests.system.process import PATIENCE_S, Served

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import namespace_service_pb2 as spaces
from memslot.v1 import slot_service_pb2 as pb

NAMESPACES = ("acme/words", "acme/both", "acme/both/below", "other")
MODES = ("INDEX_MODE_KEYS", "INDEX_MODE_FULLTEXT", "INDEX_MODE_HYBRID")
WORDS = ("zebra", "heron", "otter", "marten")
ENDED = ("UNAVAILABLE", "CANCELLED")


def until_it_dies(steps: Callable[[], Any]) -> int:
    """Repeats until the server is gone; how often it went well."""
    done = 0
    while True:
        try:
            steps()
        except grpc.RpcError as error:
            if failure(error).code in ENDED:
                return done
            raise
        done += 1


class Storm:
    """What callers do to a sidecar, each in a thread of its own."""

    def __init__(self, served: Served, seed: str) -> None:
        self._served = served
        self._seed = seed

    def writer(self, number: int) -> int:
        """Writes, overwrites, describes and forgets, by one, by many, and by time."""
        chance = random.Random(f"{self._seed}/{number}")
        slots = self._served.slots()

        def step() -> None:
            namespace, name = chance.choice(NAMESPACES), f"slot {chance.randrange(30)}"
            match chance.randrange(10):
                case 0 | 1:
                    slots.Forget(pb.ForgetRequest(namespace=namespace, name=name), timeout=PATIENCE_S)
                case 2:
                    request = pb.ForgetMatchingRequest(namespace=namespace, filter={"name_prefix": "slot 2"})
                    slots.ForgetMatching(request, timeout=PATIENCE_S)
                case 3:
                    fleeting = _about(chance, namespace, name)
                    fleeting.ttl.FromMilliseconds(chance.randrange(1, 200))
                    slots.Write(fleeting, timeout=PATIENCE_S)
                case 4:
                    commit = pb.CommitRequest(namespace=namespace)
                    for index in range(20):
                        commit.operations.add(write=_about(chance, "", f"slot {index}"))
                    slots.Commit(commit, timeout=PATIENCE_S)
                case _:
                    slots.Write(_about(chance, namespace, name), timeout=PATIENCE_S)

        return until_it_dies(step)

    def configurer(self) -> int:
        """Changes what is indexed and makes it anew, and erases now and then."""
        chance = random.Random(f"{self._seed}/settings")
        slots, namespaces, admins = self._served.slots(), self._served.namespaces(), self._served.admin()

        def step() -> None:
            namespace = chance.choice(NAMESPACES)
            match chance.randrange(4):
                case 0:
                    request = admin.ReindexRequest(namespace=namespace, vectors=chance.random() < 0.5)
                    try:
                        list(admins.Reindex(request, timeout=PATIENCE_S))
                    except grpc.RpcError as error:
                        if failure(error).reason not in ("INDEX_NOT_ENABLED", "NAMESPACE_NOT_FOUND"):
                            raise
                case 1:
                    _erase(slots, namespace, f"slot {chance.randrange(30)}")
                case _:
                    settings = spaces.NamespaceSettings(index_mode=chance.choice(MODES))
                    namespaces.UpdateNamespace(spaces.UpdateNamespaceRequest(namespace=namespace, settings=settings))

        return until_it_dies(step)

    def searcher(self) -> int:
        """Searches meanwhile; nothing but a namespace without an index may be refused."""
        chance = random.Random(f"{self._seed}/search")
        slots = self._served.slots()

        def step() -> None:
            try:
                slots.Search(pb.SearchRequest(namespace=chance.choice(NAMESPACES), text=chance.choice(WORDS)))
            except grpc.RpcError as error:
                if failure(error).reason != "INDEX_NOT_ENABLED":
                    raise

        return until_it_dies(step)


def _erase(slots: Any, namespace: str, name: str) -> None:
    try:
        slots.Forget(pb.ForgetRequest(namespace=namespace, name=name, erase=True), timeout=PATIENCE_S)
    except grpc.RpcError as error:
        if failure(error).reason != "ERASE_PENDING":
            raise


def _about(chance: random.Random, namespace: str, name: str) -> pb.WriteRequest:
    request = write(name, f"about the {chance.choice(WORDS)}, {chance.random()}".encode(), namespace)
    request.never = True
    return request


def check(served: Served) -> None:
    """In each namespace that has an index, words find at once the slots that hold them and no others, and vectors find all once they are
    made."""
    slots, namespaces = served.slots(), served.namespaces()
    for namespace in NAMESPACES:
        try:
            request = spaces.GetNamespaceRequest(namespace=namespace)
            mode = namespaces.GetNamespace(request, timeout=PATIENCE_S).namespace.effective_settings.index_mode
        except grpc.RpcError as error:
            if failure(error).reason != "NAMESPACE_NOT_FOUND":
                raise
            continue
        if mode == spaces.INDEX_MODE_KEYS:
            continue
        held = _held(slots, namespace)
        for word in WORDS:
            found = _found(slots, namespace, text=word, mode=pb.SEARCH_MODE_FULLTEXT)
            assert found == {name for name, body in held.items() if word in body}, (namespace, word)
        if mode == spaces.INDEX_MODE_HYBRID:
            revision = slots.Lookup(pb.LookupRequest(namespace=namespace)).revision
            found = _found(slots, namespace, text="zebra", mode=pb.SEARCH_MODE_VECTOR, min_revision=revision)
            assert found == set(held), namespace


def _held(slots: Any, namespace: str) -> dict[str, str]:
    names = [info.name for info in slots.Lookup(pb.LookupRequest(namespace=namespace, page_size=1000)).slots]
    reply = slots.BatchRead(pb.BatchReadRequest(namespace=namespace, names=names)) if names else pb.BatchReadResponse()
    return {result.slot.info.name: result.slot.body.decode() for result in reply.results if result.HasField("slot")}


def _found(slots: Any, namespace: str, **fields: Any) -> set[str]:
    for _ in range(100):
        reply = slots.Search(pb.SearchRequest(namespace=namespace, limit=100, **fields), timeout=PATIENCE_S)
        if not reply.degraded:
            return {hit.name for hit in reply.hits}
    raise AssertionError(reply.degraded)
