"""The two faces of the client, and the package around them."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
from tests.client.fake_transport import AsyncFakeTransport
from tests.client.scripted import slot, written

import memslot
from memslot import aio, client
from memslot._core.binding import Binding, Session
from memslot.v1.slot_pb2 import SlotInfo
from memslot.v1.slot_service_pb2 import LookupResponse

PAIRS = [(client.Memory, aio.Memory), (client.Namespaces, aio.Namespaces), (memslot.EmbeddedMemory, aio.EmbeddedMemory)]
METHODS = [
    pytest.param(getattr(blocking, name), getattr(awaited, name), id=f"{blocking.__name__}.{name}")
    for blocking, awaited in PAIRS
    for name, member in inspect.getmembers(blocking, inspect.isfunction)
    if not name.startswith("_")
]


def _public(cls: type) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


@pytest.mark.parametrize(("blocking", "awaited"), PAIRS)
def test_both_faces_have_the_same_methods(blocking: type, awaited: type) -> None:
    """What one client can do, the other can."""
    assert _public(blocking) == _public(awaited)


@pytest.mark.parametrize(("blocking", "awaited"), METHODS)
def test_both_faces_have_the_same_signatures_and_promises(blocking: Any, awaited: Any) -> None:
    """Parameters, defaults and docstrings agree, every parameter has its type, and results differ only in how they iterate."""
    one, other = inspect.signature(blocking), inspect.signature(awaited)
    assert list(one.parameters.values()) == list(other.parameters.values())
    assert str(other.return_annotation).replace("Async", "") == str(one.return_annotation)
    assert blocking.__doc__ == awaited.__doc__
    assert blocking.__doc__
    assert all(parameter.annotation for parameter in one.parameters.values())
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in one.parameters.values())


@pytest.mark.parametrize("functions", [(memslot.connect, aio.connect), (memslot.embedded, aio.embedded)])
def test_both_faces_are_opened_alike(functions: tuple[Any, Any]) -> None:
    """The same arguments open either."""
    one, other = map(inspect.signature, functions)
    assert one.parameters == other.parameters


async def test_the_awaited_face_runs_the_same_core() -> None:
    """Calls are awaited, lookups iterated with `async for`, updates retried."""
    transport = AsyncFakeTransport(
        [
            written(revision=3),
            LookupResponse(slots=[SlotInfo(name="a")], next_page_token="t"),
            LookupResponse(),
            slot(b"a"),
            written(),
        ]
    )
    async with aio.Memory(Binding(Session(), "acme"), transport) as memory:  # type: ignore[arg-type]
        assert (await memory.write("a", "b", if_absent=True)).revision == 3
        assert [entry.name async for entry in memory.lookup()] == ["a"]
        await memory.update("a", str.upper)
    assert transport.requests[-1].body == b"A"
    assert transport.closed


def test_every_name_of_the_package_can_be_had() -> None:
    """What is announced exists, under its own name."""
    for name in memslot.__all__:
        assert getattr(memslot, name) is not None
    assert set(memslot.__all__) <= set(dir(memslot))
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = memslot.nothing_such  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = aio.nothing_such  # type: ignore[attr-defined]


def test_announced_names_and_lazy_names_are_one_list() -> None:
    """Type checkers and the interpreter see the same package."""
    assert set(memslot.__all__) == {*memslot._HOMES, *memslot._MODULES}


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import memslot", ["grpc", "google.protobuf", "memslot_sidecar"]),
        ("import memslot; memslot.connect('127.0.0.1:1')", ["memslot_sidecar", "apsw", "orjson"]),
        ("import memslot; memslot.aio.connect('127.0.0.1:1')", ["memslot_sidecar", "apsw"]),
        ("import memslot.errors, memslot.names", ["grpc", "google.protobuf"]),
    ],
)
def test_an_import_brings_only_what_it_needs(statement: str, absent: list[str]) -> None:
    """Importing the package loads neither gRPC nor protobuf; a client loads nothing of the sidecar."""
    program = f"{statement}; import sys; print([name for name in {absent} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
