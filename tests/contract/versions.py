"""Earlier bodies of a slot."""

from __future__ import annotations

from tests.contract.world import START_MS, World
from tests.contract.writing import forget, write

from memslot_sidecar.model import Usage
from memslot_sidecar.stores.base import Store


async def _bodies(store: Store, name: str = "x") -> list[bytes]:
    bodies = []
    for version in await store.versions("n", name):
        found = await store.read_version("n", name, version.revision)
        assert found is not None
        assert found[0] == version
        assert version.body_bytes == len(found[1])
        bodies.append(found[1])
    return bodies


class VersionContract:
    """What holds for versions."""

    async def test_one_version_is_the_present_body(self, world: World) -> None:
        """Without kept versions the only version is the present body, described as the slot is."""
        async with world.store() as store:
            await write(store, "n", "x", b"a")
            record = await write(store, "n", "x", b"bb", content_type="text/x", description="d", written_by="w")
            (version,) = await store.versions("n", "x")
            assert (version.namespace, version.name, version.revision, version.version) == (
                "n",
                "x",
                record.revision,
                2,
            )
            assert (version.content_type, version.description, version.written_by) == ("text/x", "d", "w")
            assert await _bodies(store) == [b"bb"]
            assert store.usage() == Usage(1, 1, 2)

    async def test_as_many_bodies_are_kept_as_asked(self, world: World) -> None:
        """The newest bodies are kept, newest first; they count as stored bytes, and each keeps its own description."""
        async with world.store() as store:
            for number in range(6):
                await write(store, "n", "x", b"v" * number, keep_versions=3, description=f"d{number}")
            assert await _bodies(store) == [b"v" * 5, b"v" * 4, b"v" * 3]
            assert [version.description for version in await store.versions("n", "x")] == ["d5", "d4", "d3"]
            assert store.usage() == Usage(1, 1, 12)
            assert (await store.check()).problems == []

    async def test_metadata_alone_makes_no_version(self, world: World) -> None:
        """A change without a body keeps the number of bodies."""
        async with world.store() as store:
            await write(store, "n", "x", b"a", keep_versions=5)
            await write(store, "n", "x", None, keep_versions=5, description="new")
            record = await write(store, "n", "x", b"b", keep_versions=5)
            assert await _bodies(store) == [b"b", b"a"]
            assert [version.revision for version in await store.versions("n", "x")] == [
                record.revision, record.revision - 1,
            ]  # fmt: skip

    async def test_keeping_fewer_drops_at_the_next_body(self, world: World) -> None:
        """With a smaller number, the next overwrite drops what is too much."""
        async with world.store() as store:
            for number in range(4):
                await write(store, "n", "x", str(number).encode(), keep_versions=4)
            await write(store, "n", "x", b"4", keep_versions=2)
            assert await _bodies(store) == [b"4", b"3"]
            await write(store, "n", "x", b"5", keep_versions=1)
            assert await _bodies(store) == [b"5"]
            assert (await store.check()).problems == []

    async def test_versions_die_with_their_slot(self, world: World) -> None:
        """Neither forgetting nor expiry leaves a version, and a new slot of the name starts without."""
        async with world.store() as store:
            old = await write(store, "n", "x", b"a", keep_versions=3)
            await write(store, "n", "x", b"b", keep_versions=3)
            await forget(store, "n", "x")
            assert await store.versions("n", "x") == []
            assert await store.read_version("n", "x", old.revision) is None
            await write(store, "n", "x", b"c", keep_versions=3, expire_ms=START_MS + 10)
            assert await _bodies(store) == [b"c"]
            world.clock.move(10)
            assert await store.versions("n", "x") == []
            assert await store.read_version("n", "x", store.revision) is None

    async def test_a_revision_that_is_not_kept_is_not_found(self, world: World) -> None:
        """Only kept revisions answer."""
        async with world.store() as store:
            record = await write(store, "n", "x", b"a")
            assert await store.read_version("n", "x", record.revision + 1) is None
            assert await store.read_version("n", "y", record.revision) is None
