"""Write, UpdateInfo and their receipts."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.sidecar.operations.requests import configure, describe, forget, lookup, read, update, write
from tests.sidecar.services.served import START_MS, StoreMaker, served

from memslot.v1.slot_pb2 import AttributeValue, Outcome, Receipt, SlotInfo
from memslot.v1.slot_service_pb2 import WRITE_MODE_APPEND, WRITE_MODE_MERGE_PATCH
from memslot_sidecar.errors import BodyTooLarge, ContentTypeMismatch, InvalidBody
from memslot_sidecar.model import EffectiveSettings

NAMES = ["用户偏好", "a'b\"c", "50%_x", "😀", "a-b.c#d", "a/b", "a b", "\\", "é", "%", "*", "SELECT 1; --", "名" * 42]
NAMESPACES = ["acme/a@b.com", "auth0|x", "acme/用户-7", "50%_x/a'b", "a.b-c#d/😀"]
JSON = "application/json"


def outcome(receipt: Receipt) -> str:
    """The outcome's short name."""
    return Outcome.Name(receipt.outcome).removeprefix("OUTCOME_")


def text(value: str) -> AttributeValue:
    """A text attribute."""
    return AttributeValue(string_value=value)


async def test_each_mutation_tells_its_outcome(make: StoreMaker) -> None:
    """CREATED, OVERWRITTEN, APPENDED, PATCHED, UPDATED, UNCHANGED, FORGOTTEN, ABSENT: with revision, version and what was before."""
    patch = write("j", b'{"a":2}', mode=WRITE_MODE_MERGE_PATCH)
    steps = [
        (write("t"), "CREATED", 1, 1, 0),
        (write("t", b"y"), "OVERWRITTEN", 2, 2, 1),
        (write("t", b"z", mode=WRITE_MODE_APPEND), "APPENDED", 3, 3, 2),
        (write("t", b"yz"), "UNCHANGED", 3, 3, 3),
        (write("t", b"", mode=WRITE_MODE_APPEND), "UNCHANGED", 3, 3, 3),
        (write("j", b'{"a":1}', content_type=JSON), "CREATED", 4, 1, 0),
        (patch, "PATCHED", 5, 2, 4),
        (patch, "UNCHANGED", 5, 2, 5),
        (update("t", ["pinned"], SlotInfo(pinned=True)), "UPDATED", 6, 4, 3),
        (update("t", ["pinned"], SlotInfo(pinned=True)), "UNCHANGED", 6, 4, 6),
        (forget("t"), "FORGOTTEN", 7, 0, 6),
        (forget("t"), "ABSENT", 0, 0, 0),
    ]
    async with served(make) as run:
        for request, *wanted in steps:
            receipt = (await run(request)).receipt
            told = [outcome(receipt), receipt.revision, receipt.version, receipt.previous_revision]
            assert told == wanted, request


async def test_unchanged_keeps_everything_but_the_expiry(make: StoreMaker) -> None:
    """The same bytes and metadata again keep revision, version, update_time and writer; the renewed expiry is in the feed."""
    request = write(tags=["t"], description="d", importance=0.5, origin="ORIGIN_TOOL")
    async with served(make) as run:
        await run(request, caller="first")
        run.clock.forward(1_000)
        receipt = (await run(request, caller="second")).receipt
        assert (outcome(receipt), receipt.revision, receipt.version) == ("UNCHANGED", 1, 1)
        assert receipt.expire_time.ToMilliseconds() == START_MS + 86_401_000
        info = (await run(read())).slot.info
        assert (info.update_time.ToMilliseconds(), info.written_by) == (START_MS, "first")
        assert info.expire_time == receipt.expire_time
        (renewed,) = await run.store.feed(1, 9)
        assert [change.change.value for change in renewed.changes] == ["RENEWED"]


async def test_a_write_of_other_metadata_changes_the_slot(make: StoreMaker) -> None:
    """The same bytes with any other metadata are a change, an attribute of the same value and another type too."""
    one = AttributeValue(int64_value=1)
    async with served(make) as run:
        await run(write(attributes={"k": one}))
        for fields in (
            {"attributes": {"k": AttributeValue(double_value=1)}},
            {"attributes": {"k": AttributeValue(bool_value=True)}},
            {"tags": ["t"]},
            {"description": "d"},
            {"task_type": "t"},
            {"importance": 0.1},
            {"pinned": True},
            {"origin": "ORIGIN_USER"},
            {"content_type": "text/markdown"},
        ):
            before = run.store.revision
            receipt = (await run(write(**fields))).receipt
            assert (outcome(receipt), receipt.revision) == ("OVERWRITTEN", before + 1), fields


async def test_an_overwrite_keeps_what_it_leaves_unset(make: StoreMaker) -> None:
    """description, task_type, tags, attributes, importance and pinned stay; the origin goes with the body; creation stays."""
    async with served(make) as run:
        await run(
            write(
                tags=["b", "a", "b"],
                attributes={"k": text("v")},
                description="d",
                task_type="t",
                importance=0.25,
                pinned=True,
                origin="ORIGIN_USER",
            ),
            caller="alice",
        )
        run.clock.forward(1_000)
        await run(write(body=b"new"), caller="bob")
        info = (await run(read())).slot.info
        assert (list(info.tags), info.description, info.task_type) == (["a", "b"], "d", "t")
        assert (info.importance, info.pinned, dict(info.attributes)) == (0.25, True, {"k": text("v")})
        assert (info.origin, info.written_by) == (0, "bob")
        assert info.create_time.ToMilliseconds() == START_MS
        assert info.update_time.ToMilliseconds() == START_MS + 1_000
        await run(write(body=b"new", description="", importance=0.0, pinned=False))
        info = (await run(read())).slot.info
        assert (info.description, info.importance, info.pinned) == ("", 0.0, False)


async def test_an_update_takes_what_its_mask_names(make: StoreMaker) -> None:
    """Fields in the mask are set or cleared, others and the body stay; the version counts on."""
    async with served(make) as run:
        await run(write(body=b"body", tags=["t"], description="d", importance=0.5, attributes={"k": text("v")}))
        info = SlotInfo(description="new", importance=9.0, task_type="ignored")
        await run(update(mask=["description", "tags", "attributes"], info=info))
        slot = (await run(read())).slot
        assert (slot.body, slot.info.description, slot.info.importance) == (b"body", "new", 0.5)
        assert (list(slot.info.tags), dict(slot.info.attributes), slot.info.task_type) == ([], {}, "")
        assert slot.info.version == 2
        await run(update(mask=["content_type"], info=SlotInfo(content_type="text/html")))
        assert (await run(read())).slot.info.content_type == "text/html"


async def test_twenty_appenders_lose_nothing(make: StoreMaker) -> None:
    """Twenty concurrent appenders of ten lines each: every line is there once, those of one appender in order."""
    async with served(make) as run:

        async def append_all(who: int) -> None:
            for line in range(10):
                await run(write("log", b"%d:%d\n" % (who, line), mode=WRITE_MODE_APPEND))

        await asyncio.gather(*[append_all(who) for who in range(20)])
        lines = (await run(read("log"))).slot.body.decode().splitlines()
        assert sorted(lines) == sorted(f"{who}:{line}" for who in range(20) for line in range(10))
        for who in range(20):
            assert [line for line in lines if line.startswith(f"{who}:")] == [f"{who}:{line}" for line in range(10)]


async def test_concurrent_patches_lose_nothing(make: StoreMaker) -> None:
    """Twenty concurrent patches of a key each leave twenty keys."""
    async with served(make) as run:
        patches = [write("j", b'{"k%d":%d}' % (i, i), mode=WRITE_MODE_MERGE_PATCH) for i in range(20)]
        await asyncio.gather(*[run(patch) for patch in patches])
        slot = (await run(read("j"))).slot
        assert json.loads(slot.body) == {f"k{i}": i for i in range(20)}
        assert slot.info.content_type == JSON


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        (b'{"a":"b"}', b'{"a":"c"}', {"a": "c"}),
        (b'{"a":"b"}', b'{"b":"c"}', {"a": "b", "b": "c"}),
        (b'{"a":"b","b":"c"}', b'{"a":null}', {"b": "c"}),
        (b'{"a":["b"]}', b'{"a":"c"}', {"a": "c"}),
        (b'{"a":{"b":"c"}}', b'{"a":{"b":"d","c":null}}', {"a": {"b": "d"}}),
        (b'{"a":[{"b":"c"}]}', b'{"a":[1]}', {"a": [1]}),
        (b'["a","b"]', b'["c","d"]', ["c", "d"]),
        (b'{"a":"b"}', b'["c"]', ["c"]),
        (b'{"a":"foo"}', b"null", None),
        (b'{"e":null}', b'{"a":1}', {"e": None, "a": 1}),
        (b"[1,2]", b'{"a":"b","c":null}', {"a": "b"}),
        (b"{}", b'{"a":{"bb":{"ccc":null}}}', {"a": {"bb": {}}}),
    ],
)
async def test_patches_follow_rfc_7396(make: StoreMaker, before: bytes, patch: bytes, after: object) -> None:
    """The examples of RFC 7396."""
    async with served(make) as run:
        await run(write("j", before, content_type=JSON))
        await run(write("j", patch, mode=WRITE_MODE_MERGE_PATCH))
        assert json.loads((await run(read("j"))).slot.body) == after


async def test_integers_of_any_length_survive_a_patch(make: StoreMaker) -> None:
    """Numbers keep the digits they were written with, through a patch of another key."""
    digits = "1" * 5000
    async with served(make, defaults=EffectiveSettings(body_limit_bytes=20_000)) as run:
        body = f'{{"n":{digits},"x":1.10,"y":1E400}}'.encode()
        await run(write("j", body, content_type=JSON))
        await run(write("j", b'{"z":-0}', mode=WRITE_MODE_MERGE_PATCH))
        assert (await run(read("j"))).slot.body == f'{{"n":{digits},"x":1.10,"y":1E400,"z":-0}}'.encode()


async def test_the_limit_counts_the_bytes_after_the_change(make: StoreMaker) -> None:
    """Appending and patching past body_limit_bytes are refused with size and limit, and leave the body."""
    async with served(make) as run:
        await run(configure(body_limit_bytes=10))
        await run(write("t", "é".encode() * 5))
        await run(write("j", b'{"a":12}', content_type=JSON))
        for request, size in (
            (write("t", b"x", mode=WRITE_MODE_APPEND), 11),
            (write("j", b'{"b":1}', mode=WRITE_MODE_MERGE_PATCH), 14),
            (write("n", b"x" * 11), 11),
        ):
            with pytest.raises(BodyTooLarge) as refused:
                await run(request)
            assert refused.value.metadata == {"size": str(size), "limit": "10"}
        assert (await run(read("t"))).slot.body == "é".encode() * 5


async def test_what_is_appended_must_fit_the_content_type(make: StoreMaker) -> None:
    """The whole must be what the slot's content type says: text stays UTF-8, also when halves of a character are appended."""
    async with served(make) as run:
        await run(write("t", b"a"))
        with pytest.raises(InvalidBody):
            await run(write("t", b"\xc3", mode=WRITE_MODE_APPEND))
        with pytest.raises(ContentTypeMismatch):
            await run(write("t", b"{}", mode=WRITE_MODE_APPEND, content_type=JSON))
        await run(write("t", b"b", mode=WRITE_MODE_APPEND, content_type="text/plain; charset=utf-8"))
        await run(write("raw", b"\xc3"))
        await run(write("raw", b"\xa9", mode=WRITE_MODE_APPEND))
        slot = (await run(read("raw"))).slot
        assert (slot.body, slot.info.content_type) == (b"\xc3\xa9", "application/octet-stream")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "text/plain"),
        (b"plain", "text/plain"),
        ("用户".encode(), "text/plain"),
        (b"\xff", "application/octet-stream"),
    ],
)
async def test_an_unsaid_content_type_is_told_from_the_bytes(make: StoreMaker, body: bytes, content_type: str) -> None:
    """Valid UTF-8 is text/plain, the rest application/octet-stream; empty bodies are bodies."""
    async with served(make) as run:
        await run(write(body=body))
        slot = (await run(read())).slot
        assert (slot.body, slot.info.content_type, slot.info.body_bytes) == (body, content_type, len(body))


@pytest.mark.parametrize("namespace", NAMESPACES)
async def test_any_name_survives_every_path(make: StoreMaker, namespace: str) -> None:
    """Names of any script and with any punctuation are written, listed, found by prefix, described, read and forgotten."""
    async with served(make) as run:
        for name in NAMES:
            receipt = (await run(write(name, name.encode(), namespace))).receipt
            assert receipt.name == name
        found = await run(lookup(namespace=namespace, order_by="LOOKUP_ORDER_NAME"))
        assert [slot.name for slot in found.slots] == sorted(NAMES, key=str.encode)
        for name in NAMES:
            assert (await run(read(name, namespace))).slot.body == name.encode()
            hits = await run(lookup(namespace=namespace, name_prefix=name))
            assert {slot.name for slot in hits.slots} == {other for other in NAMES if other.startswith(name)}


async def test_names_are_normalised(make: StoreMaker) -> None:
    """A name in NFD is the same slot as in NFC, in writes, reads, lookups and receipts."""
    async with served(make) as run:
        receipt = (await run(write("cafe\u0301", b"x", "ns/cafe\u0301"))).receipt
        assert receipt.name == "caf\u00e9"
        assert (await run(read("caf\u00e9", "ns/caf\u00e9"))).slot.info.namespace == "ns/caf\u00e9"
        assert len((await run(lookup(namespace="ns/cafe\u0301", name_prefix="cafe\u0301"))).slots) == 1


async def test_a_namespace_sees_only_its_own(make: StoreMaker) -> None:
    """`acme/a` never sees `acme/ab`, `acme_a`, `acme` or, without recursive, `acme/a/b`; `_` and `%` are no wildcards."""
    others = ["acme/ab", "acme_a", "acme", "acme/a/b", "acmexa", "acme/%", "acme/_"]
    async with served(make) as run:
        for namespace in ["acme/a", *others]:
            await run(write(namespace, b"x", namespace))
        assert [slot.name for slot in (await run(lookup(namespace="acme/a"))).slots] == ["acme/a"]
        deep = (await run(lookup(namespace="acme/a", recursive=True))).slots
        assert sorted(slot.namespace for slot in deep) == ["acme/a", "acme/a/b"]
        for namespace in others:
            assert [slot.name for slot in (await run(lookup(namespace=namespace))).slots] == [namespace]


async def test_no_receipt_holds_a_body(make: StoreMaker) -> None:
    """The bytes that were written are in no reply but those that read them."""
    secret = b"the secret body"
    async with served(make) as run:
        for request in (
            write(body=secret),
            write(body=secret, mode=WRITE_MODE_APPEND),
            update(mask=["pinned"], info=SlotInfo(pinned=True)),
            lookup(view="LOOKUP_VIEW_INFO"),
            describe("a"),
            forget(),
        ):
            assert secret not in (await run(request)).SerializeToString()
