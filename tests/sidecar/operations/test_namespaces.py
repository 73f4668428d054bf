"""Namespaces: their settings, where these come from, and what they bound."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from tests.sidecar.operations.requests import commit, configure, forget, lookup, read, versions, write
from tests.sidecar.services.served import START_MS, Served, StoreMaker, served

from memslot.v1.namespace_service_pb2 import (
    INDEX_MODE_HYBRID,
    INDEX_MODE_KEYS,
    OVERFLOW_EVICT_LOWEST_RANK,
    SUMMARY_MODE_EXTRACTIVE,
    SUMMARY_MODE_OFF,
    VECTOR_INDEX_KIND_AUTO,
    VECTOR_INDEX_KIND_CHROMA,
    DeleteNamespaceRequest,
    GetNamespaceRequest,
    ListNamespacesRequest,
    NamespaceSettings,
    UpdateNamespaceRequest,
)
from memslot.v1.slot_pb2 import Warning  # noqa: A004 - the contract's word
from memslot_sidecar.errors import (
    InvalidField,
    NamespaceNotEmpty,
    NamespaceNotFound,
    SettingAboveCap,
    SlotLimitReached,
    StoreFull,
)
from memslot_sidecar.model import EffectiveSettings, Overflow
from memslot_sidecar.model import NamespaceSettings as Settings
from memslot_sidecar.rules import Limits, NamespaceRule


async def effective(run: Served, namespace: str) -> NamespaceSettings:
    """What holds in a namespace."""
    settings: NamespaceSettings = (await run(GetNamespaceRequest(namespace=namespace))).namespace.effective_settings
    return settings


async def listed(run: Served, **fields: Any) -> list[str]:
    """Paths of a listing."""
    return [found.name for found in (await run(ListNamespacesRequest(**fields))).namespaces]


async def test_a_namespace_is_there_while_it_is_configured_or_holds_a_slot(make: StoreMaker) -> None:
    """It appears with its first write or its settings, and vanishes when it has neither."""
    async with served(make) as run:
        await run(write())
        await run(configure("other", slot_limit=3))
        assert await listed(run) == ["ns", "other"]
        await run(forget())
        assert await listed(run) == ["other"]
        await run(DeleteNamespaceRequest(namespace="other"))
        assert await listed(run) == []
        with pytest.raises(NamespaceNotFound):
            await run(GetNamespaceRequest(namespace="ns"))


async def test_a_namespace_tells_its_use(make: StoreMaker) -> None:
    """Live slots, the bytes of bodies and kept versions, and when it appeared."""
    async with served(make, defaults=EffectiveSettings(versions_kept=2)) as run:
        await run(write("a", b"12345"))
        run.clock.forward(1_000)
        await run(write("a", b"123"))
        await run(write("b", b"1", ttl=Duration(seconds=1)))
        found = (await run(GetNamespaceRequest(namespace="ns"))).namespace
        assert (found.slot_count, found.stored_bytes, found.create_time.ToMilliseconds()) == (2, 9, START_MS)
        run.clock.forward(1_000)
        assert (await run(GetNamespaceRequest(namespace="ns"))).namespace.slot_count == 1


async def test_settings_are_inherited_field_by_field(make: StoreMaker) -> None:
    """Each field comes from the nearest ancestor that sets it, then from the first rule that covers, then from the defaults."""
    rules = (
        NamespaceRule("acme/*/deep", Settings(slot_limit=7)),
        NamespaceRule("acme/**", Settings(slot_limit=8, versions_kept=3)),
    )
    async with served(make, rules=rules) as run:
        await run(configure("acme", body_limit_bytes=100, versions_kept=2))
        await run(configure("acme/a", body_limit_bytes=200))
        for namespace in ("acme", "acme/a", "acme/a/deep", "acme/b", "other"):
            await run(write("s", b"x", namespace))
        found = {}
        for namespace in ("acme", "acme/a", "acme/a/deep", "acme/b", "other"):
            settings = await effective(run, namespace)
            found[namespace] = (settings.slot_limit, settings.body_limit_bytes, settings.versions_kept)
        assert found == {
            "acme": (8, 100, 2),
            "acme/a": (8, 200, 2),
            "acme/a/deep": (7, 200, 2),
            "acme/b": (8, 100, 2),
            "other": (64, 4096, 1),
        }


async def test_every_effective_setting_is_told(make: StoreMaker) -> None:
    """All fields are set but ttl_max and summary_below_rank where nothing bounds; what was set here stands apart."""
    async with served(make) as run:
        reply = await run(configure(slot_limit=5, ttl_refresh_on_read=False))
        own = {field.name for field, _ in reply.namespace.settings.ListFields()}
        assert own == {"slot_limit", "ttl_refresh_on_read"}
        told = {field.name for field, _ in reply.namespace.effective_settings.ListFields()}
        assert {field.name for field in NamespaceSettings.DESCRIPTOR.fields} - told == {"ttl_max", "summary_below_rank"}


async def test_how_slots_are_found_is_set_and_inherited(make: StoreMaker) -> None:
    """Each setting of finding comes back as it was set, holds below, and can be inherited again; what was not set is as by default."""
    said = {
        "index_mode": INDEX_MODE_HYBRID,
        "embedder": "hashing",
        "vector_index": VECTOR_INDEX_KIND_CHROMA,
        "summary_mode": SUMMARY_MODE_EXTRACTIVE,
        "summary_above_bytes": 9,
        "summary_below_rank": -1.5,
    }
    async with served(make, embedders=("none", "hashing")) as run:
        reply = await run(configure(**said))
        assert reply.namespace.settings == NamespaceSettings(**said)
        await run(write("s", b"x", "ns/below"))
        below = await effective(run, "ns/below")
        assert {name: getattr(below, name) for name in said} == said
        again = UpdateNamespaceRequest(namespace="ns", update_mask=FieldMask(paths=list(said)))
        assert (await run(again)).namespace.settings == NamespaceSettings()
        told = await effective(run, "ns/below")
        assert (told.index_mode, told.embedder, told.vector_index, told.summary_mode, told.summary_above_bytes) == (
            INDEX_MODE_KEYS, "none", VECTOR_INDEX_KIND_AUTO, SUMMARY_MODE_OFF, 2048,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("embedder", "remedy"),
    [("openai", "--openai-url"), ("e5", "install"), ("bert", "none, e5, openai, hashing"), ("hashing", "none, e5")],
)
async def test_an_embedder_that_is_not_there_is_refused(make: StoreMaker, embedder: str, remedy: str) -> None:
    """Only what the server has can be set, and the error tells how to come by the rest."""
    async with served(make, embedders=("none", "e5") if embedder == "hashing" else ("none",)) as run:
        with pytest.raises(InvalidField, match=remedy) as refused:
            await run(configure(embedder=embedder))
        assert refused.value.field == "settings.embedder"


async def test_a_masked_field_that_is_unset_is_inherited_again(make: StoreMaker) -> None:
    """With a mask exactly its fields change; without one exactly those that are set."""
    async with served(make) as run:
        await run(
            configure(slot_limit=5, versions_kept=2, ttl_max=Duration(seconds=9), overflow=OVERFLOW_EVICT_LOWEST_RANK)
        )
        await run(configure(slot_limit=6))
        mask = FieldMask(paths=["versions_kept", "ttl_max", "overflow"])
        reply = await run(
            UpdateNamespaceRequest(namespace="ns", settings=NamespaceSettings(slot_limit=9), update_mask=mask)
        )
        assert reply.namespace.settings == NamespaceSettings(slot_limit=6)


async def test_caps_bound_what_is_set_and_what_is_inherited(make: StoreMaker) -> None:
    """More than a cap may not be set, and what ancestors or defaults say is cut to it; ttl_max is capped though nobody set it."""
    caps = Settings(slot_limit=10, body_limit_bytes=100, ttl_max_ms=60_000)
    async with served(make, rules=(NamespaceRule("acme/**", caps=caps),)) as run:
        await run(write("s", b"x", "acme/a"))
        settings = await effective(run, "acme/a")
        assert (settings.slot_limit, settings.body_limit_bytes) == (10, 100)
        assert settings.ttl_max == settings.ttl_default == Duration(seconds=60)
        with pytest.raises(SettingAboveCap) as refused:
            await run(configure("acme/a", ttl_max=Duration(seconds=61)))
        assert (refused.value.field, refused.value.metadata["cap"]) == ("settings.ttl_max", "60000")


async def test_new_settings_hold_at_once(make: StoreMaker) -> None:
    """A setting of a parent bounds the next write below it."""
    async with served(make) as run:
        await run(write("a", b"x", "ns/below"))
        await run(configure("ns", slot_limit=1))
        with pytest.raises(SlotLimitReached):
            await run(write("b", b"x", "ns/below"))
        await run(configure("ns/below", slot_limit=2))
        await run(write("b", b"x", "ns/below"))


async def test_a_full_namespace_refuses_and_says_how_to_go_on(make: StoreMaker) -> None:
    """REJECT tells limit, use and the three lowest-ranked names; overwriting goes on; the warning comes from 80 % on."""
    near = Warning.Value("WARNING_SLOT_LIMIT_NEAR")
    async with served(make, defaults=EffectiveSettings(slot_limit=10)) as run:
        warned = [near in (await run(write(f"n{i}", importance=i / 10))).receipt.warnings for i in range(10)]
        assert warned == [False] * 7 + [True] * 3
        with pytest.raises(SlotLimitReached) as refused:
            await run(write("more"))
        assert refused.value.metadata["limit"] == refused.value.metadata["used"] == "10"
        assert json.loads(refused.value.metadata["lowest_ranked"]) == ["n0", "n1", "n2"]
        await run(write("n5", b"overwritten"))


async def test_concurrent_writes_do_not_pass_the_limit(make: StoreMaker) -> None:
    """Of fifty concurrent creations in a namespace for ten, ten are there."""
    async with served(make, defaults=EffectiveSettings(slot_limit=10)) as run:
        replies = await asyncio.gather(*[run(write(f"n{i}")) for i in range(50)], return_exceptions=True)
        assert sum(isinstance(reply, SlotLimitReached) for reply in replies) == 40
        assert len((await run(lookup())).slots) == 10


async def test_eviction_makes_room_by_rank(make: StoreMaker) -> None:
    """EVICT_LOWEST_RANK evicts one slot for a new one, never a pinned one, tells its name, and warns of no limit."""
    async with served(make) as run:
        await run(configure(slot_limit=3, overflow=OVERFLOW_EVICT_LOWEST_RANK))
        await run(write("low", pinned=True))
        await run(write("middle", importance=0.3))
        await run(write("high", importance=0.9))
        receipt = (await run(write("new", importance=0.5))).receipt
        assert (list(receipt.evicted), list(receipt.warnings)) == (["middle"], [])
        (record,) = await run.store.feed(receipt.revision - 1, 9)
        assert [(change.name, change.change.value) for change in record.changes] == [
            ("middle", "EVICTED"), ("new", "CREATED"),
        ]  # fmt: skip
        for name in ("high", "new"):
            await run(commit(write(name, pinned=True)))
        with pytest.raises(SlotLimitReached):
            await run(write("more"))


async def test_a_lowered_limit_evicts_in_portions(make: StoreMaker) -> None:
    """Where the limit was lowered far, each call evicts what it needs and at most 500 more, told once, until the limit holds."""
    async with served(make, defaults=EffectiveSettings(slot_limit=1_000)) as run:
        for start in range(0, 896, 128):
            await run(commit(*[write(f"{i:03}" + "n" * 125) for i in range(start, start + 128)]))
        await run(configure(slot_limit=10, overflow=OVERFLOW_EVICT_LOWEST_RANK))
        reply = await run(commit(*[write(f"new{i}", importance=1.0) for i in range(5)]))
        assert [len(result.receipt.evicted) for result in reply.results] == [505, 0, 0, 0, 0]
        assert len((await run(write("more", importance=1.0))).receipt.evicted) == 387
        assert len((await run(lookup())).slots) == 10


async def test_the_sum_of_bodies_is_bounded(make: StoreMaker) -> None:
    """store_limit_bytes counts bodies and versions of all namespaces, the root's limit those of one; freeing makes room again."""
    limits = Limits(store_limit_bytes=100, store_limit_bytes_per_root=60)
    async with served(make, limits=limits) as run:
        await run(write("a", b"x" * 60, "one"))
        with pytest.raises(StoreFull) as refused:
            await run(write("a", b"x", "one/below"))
        assert refused.value.metadata["bound"] == "store_limit_bytes_per_root"
        await run(write("a", b"x" * 40, "two"))
        with pytest.raises(StoreFull) as refused:
            await run(write("a", b"x", "three"))
        told = refused.value.metadata
        assert (told["bound"], told["limit"], told["used"]) == ("store_limit_bytes", "100", "100")
        await run(write("a", b"y" * 60, "one"))
        await run(write("a", b"", "two"))
        await run(write("a", b"x", "three"))


async def test_what_a_call_frees_makes_room_for_what_it_adds(make: StoreMaker) -> None:
    """Bytes are counted after the call: versions that it drops, slots that it evicts or forgets with their versions make room."""
    defaults = EffectiveSettings(versions_kept=2, slot_limit=1, overflow=Overflow.EVICT_LOWEST_RANK)
    async with served(make, defaults=defaults, limits=Limits(store_limit_bytes=100)) as run:
        for letter in b"abcd":
            await run(write(body=bytes([letter]) * 50))
        with pytest.raises(StoreFull) as refused:
            await run(write(body=b"x" * 51))
        assert (refused.value.metadata["used"], refused.value.metadata["limit"]) == ("100", "100")
        assert (await run(write("b", b"x" * 100))).receipt.evicted == ["a"]
        await run(commit(forget("b"), write("c", b"y" * 100)))
        assert run.store.usage().stored_bytes == 100


async def test_the_number_of_namespaces_is_bounded(make: StoreMaker) -> None:
    """namespace_limit bounds writes and settings that would make one more; one that is there takes more slots."""
    limits = Limits(namespace_limit=3, namespace_limit_per_root=2)
    async with served(make, limits=limits) as run:
        await run(write("a", b"", "one"))
        await run(write("a", b"", "one/below"))
        for request in (write("a", b"", "one/more"), configure("one/more", slot_limit=1)):
            with pytest.raises(StoreFull) as refused:
                await run(request)
            assert refused.value.metadata["bound"] == "namespace_limit_per_root"
        await run(write("a", b"", "two", ttl=Duration(seconds=1)))
        with pytest.raises(StoreFull):
            await run(write("a", b"", "three"))
        await run(write("b", b"", "one"))
        run.clock.forward(1_000)
        await run(write("a", b"", "three"))


async def test_a_deleted_namespace_leaves_nothing(make: StoreMaker) -> None:
    """With force its slots, versions and settings go and are counted; those below it stay."""
    async with served(make, defaults=EffectiveSettings(versions_kept=2, slot_limit=1_000)) as run:
        await run(configure(slot_limit=700))
        for start in range(0, 640, 128):
            await run(commit(*[write(f"n{i}") for i in range(start, start + 128)]))
        await run(write("a", b"x", "ns/below"))
        with pytest.raises(NamespaceNotEmpty) as refused:
            await run(DeleteNamespaceRequest(namespace="ns"))
        assert refused.value.metadata["slots"] == "640"
        reply = await run(DeleteNamespaceRequest(namespace="ns", force=True))
        assert reply.forgotten == 640
        assert await listed(run) == ["ns/below"]
        await run(write("n0"))
        assert (await effective(run, "ns")).slot_limit == 1_000
        assert len((await run(versions("n0"))).versions) == 1
        assert (await run(read("a", "ns/below"))).slot.body == b"x"


async def test_a_deleted_namespace_takes_its_expired_slots_along(make: StoreMaker) -> None:
    """Nothing of it is left in the store, though some of its slots had expired and were not swept."""
    async with served(make) as run:
        await run(configure(slot_limit=9))
        await run(write("expires", ttl=Duration(seconds=1)))
        await run(write("stays"))
        run.clock.forward(1_000)
        assert (await run(DeleteNamespaceRequest(namespace="ns", force=True))).forgotten == 1
        usage = run.store.usage()
        assert (usage.namespaces, usage.slots, usage.stored_bytes) == (0, 0, 0)


async def test_namespaces_are_listed_in_pages(make: StoreMaker) -> None:
    """In byte order, each once; a parent lists itself and what is below it, by whole segments."""
    paths = ["acme", "acme/a", "acme/a/b", "acme/a b", "acme2", "beta", "用户"]
    async with served(make) as run:
        for path in paths:
            await run(write("s", b"", path))
        ordered = sorted(paths, key=str.encode)
        assert await listed(run) == ordered
        found, token = [], ""
        while not found or token:
            reply = await run(ListNamespacesRequest(page_size=2, page_token=token))
            found += [namespace.name for namespace in reply.namespaces]
            token = reply.next_page_token
        assert found == ordered
        assert await listed(run, parent="acme") == ["acme", "acme/a", "acme/a b", "acme/a/b"]
        assert await listed(run, parent="acme/a") == ["acme/a", "acme/a/b"]
