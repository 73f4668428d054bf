"""Every call against a real store: in this process, and served."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import memslot
from memslot import NEVER, Batch, Memory, Order, Origin, Outcome, where
from memslot.errors import (
    BackupUnsupported,
    BodyTooLarge,
    NamespaceNotEmpty,
    NamespaceNotFound,
    RevisionMismatch,
    SlotExists,
    SlotLimitReached,
    SlotNotFound,
    TooManyMatches,
)

NAMES = ["用户偏好", "a'b\"c", "50%_x", "😀", "a-b.c#d", "a/b", "é"]


@pytest.fixture(params=["embedded", "served"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A client of either kind."""
    if request.param == "served":
        yield request.getfixturevalue("served")
    else:
        with memslot.embedded(namespace="acme/a@b.com") as embedded:
            yield embedded


@pytest.mark.parametrize("value", ["text", b"\x00\xff", {"n": 10**700, "f": 1.5}, None, [True], "", "é😀"])
def test_a_value_is_read_as_it_was_written(memory: Memory, value: object) -> None:
    """Text, bytes and JSON come back by value and type."""
    memory.write("a", value)  # type: ignore[arg-type]
    slot = memory.read("a")
    assert slot.value == value
    assert type(slot.value) is type(value)
    assert slot.info.body_bytes == len(slot.body)


@pytest.mark.parametrize("name", NAMES)
def test_awkward_names_work_everywhere(memory: Memory, name: str) -> None:
    """A name is the same in receipts, reads, lookups, filters and errors."""
    assert memory.write(name, "x", tags=[name], attributes={name: name}).name == name
    assert memory.read(name).name == name
    assert memory.describe(name).tags == (name,)
    assert [entry.name for entry in memory.lookup(name)] == [name]
    assert [entry.name for entry in memory.lookup(where=where.tags.any(name) & (where.attr(name) == name))] == [name]
    assert set(memory.read_many([name])) == set(memory.describe_many([name])) == {name}
    assert memory.forget(name).outcome is Outcome.FORGOTTEN
    with pytest.raises(SlotNotFound):
        memory.read(name)


def test_what_was_said_about_a_slot_is_known(memory: Memory) -> None:
    """Metadata, expiry and counters come back; an overwrite keeps what it does not say; update_info clears."""
    until = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=2)
    receipt = memory.write(
        "a", "x", description="d", task_type="t", tags=["y", "x"], attributes={"n": 1}, importance=0.5, pinned=True,
        origin=Origin.TOOL, expire_time=until,
    )  # fmt: skip
    info = memory.describe("a")
    assert (info.description, info.task_type, info.tags, info.attributes) == ("d", "t", ("x", "y"), {"n": 1})
    assert (info.importance, info.pinned, info.origin, info.expire_time) == (0.5, True, Origin.TOOL, until)
    assert receipt.revision == info.revision
    memory.write("a", "y")
    assert memory.describe("a").tags == ("x", "y")
    memory.update_info("a", description="", tags=[], pinned=False, ttl=NEVER)
    info = memory.describe("a")
    assert (info.description, info.tags, info.pinned, info.expire_time, info.task_type) == ("", (), False, None, "t")


def test_preconditions_hold(memory: Memory) -> None:
    """If_absent and if_revision decide, and errors tell the present revision."""
    first = memory.write("a", "1", if_absent=True)
    with pytest.raises(SlotExists) as exists:
        memory.write("a", "2", if_absent=True)
    second = memory.write("a", "2", if_revision=first.revision)
    with pytest.raises(RevisionMismatch) as mismatch:
        memory.write("a", "3", if_revision=first.revision)
    assert exists.value.current_revision == first.revision
    assert mismatch.value.current_revision == second.revision
    assert memory.read_if_changed("a", second.revision) is None


def test_appends_patches_and_updates(memory: Memory) -> None:
    """Each changes the body in its own way."""
    memory.append("log", "a")
    assert memory.append("log", "b").outcome is Outcome.APPENDED
    assert memory.read("log").value == "ab"
    memory.patch("doc", {"a": 1, "b": {"c": 2}})
    assert memory.patch("doc", {"a": None, "b": {"d": 3}}).outcome is Outcome.PATCHED
    assert memory.read("doc").value == {"b": {"c": 2, "d": 3}}
    memory.update("doc", lambda value: {**value, "n": 1})
    memory.update("new", lambda value: [*value, 1], initial=[])
    assert memory.read("doc").value["n"] == 1
    assert memory.read("new").value == [1]


def test_pages_hold_each_slot_once(memory: Memory) -> None:
    """Thirty slots by five are six pages, and the iterator yields all thirty."""
    names = [f"n{number:02}" for number in range(30)]
    for name in names:
        memory.write(name, "x")
    assert [entry.name for entry in memory.lookup(order=Order.NAME, page_size=5)] == names
    sizes, token = [], ""
    while not sizes or token:
        page = memory.lookup_page(order=Order.NAME, page_size=5, page_token=token, total=True)
        sizes.append(len(page.entries))
        token = page.next_page_token
    assert (sizes, page.total) == ([5] * 6, 30)
    assert len(list(memory.lookup("n1", limit=7))) == 7


def test_a_commit_is_all_or_nothing(memory: Memory) -> None:
    """A failing operation is named, and the others leave no trace."""
    memory.write("a", "1")
    with pytest.raises(SlotExists) as raised:
        memory.commit(Batch().write("b", "x").write("a", "y", if_absent=True))
    assert raised.value.metadata["op_index"] == "1"
    assert memory.describe_many(["b"]) == {}
    committed = memory.commit(Batch().write("b", "x").forget("a").check("c", if_absent=True))
    assert [receipt.outcome for receipt in committed.receipts] == [Outcome.CREATED, Outcome.FORGOTTEN, Outcome.CHECKED]


def test_matching_slots_are_forgotten(memory: Memory) -> None:
    """By condition or all, bounded or not."""
    for number in range(5):
        memory.write(f"n{number}", "x", attributes={"n": number})
    with pytest.raises(TooManyMatches) as raised:
        memory.forget_matching(where.attr("n") < 3, maximum=2)
    assert raised.value.matches == 3
    assert memory.forget_matching(where.attr("n") < 3).count == 3
    partial = memory.forget_matching(everything=True, maximum=1, allow_partial=True)
    assert (partial.count, partial.more_remain) == (1, True)
    assert memory.forget_matching(everything=True, erase=True).count == 1


def test_namespaces_are_configured_listed_and_deleted(memory: Memory) -> None:
    """Limits hold where they were set; a namespace with slots is deleted only by force."""
    path = memory.namespace_path + "/limits"
    there = memory.namespace(path)
    made = there.namespaces.update(slot_limit=1, body_limit_bytes=10, versions_kept=3, ttl_max=3600)
    assert (made.name, made.settings.slot_limit, made.effective_settings.ttl_max) == (path, 1, timedelta(hours=1))
    there.write("a", "1")
    with pytest.raises(SlotLimitReached) as full:
        there.write("b", "1")
    assert (full.value.limit, full.value.used, full.value.lowest_ranked) == (1, 1, ("a",))
    with pytest.raises(BodyTooLarge) as large:
        there.write("a", "x" * 11)
    assert (large.value.size, large.value.limit) == (11, 10)
    there.namespaces.update(slot_limit=memslot.INHERIT)
    assert there.namespaces.get().settings.slot_limit is None
    assert path in [namespace.name for namespace in memory.namespaces.list(memory.namespace_path, page_size=1)]
    with pytest.raises(NamespaceNotEmpty):
        there.namespaces.delete()
    assert there.namespaces.delete(force=True).count == 1
    with pytest.raises(NamespaceNotFound):
        there.namespaces.get()


def test_versions_are_kept_and_read(memory: Memory) -> None:
    """Where the namespace keeps versions, earlier bodies can be read."""
    memory.namespaces.update(versions_kept=3)
    revisions = [memory.write("a", text).revision for text in ("1", "2", "3")]
    assert [version.revision for version in memory.versions("a")] == revisions[::-1]
    assert memory.read_version("a", revisions[0]).text == "1"
    memory.namespaces.delete(force=True)


def test_the_sidecar_tells_about_itself(memory: Memory) -> None:
    """Information, counters and a check."""
    memory.write("a", "b")
    assert memory.server_info().namespace_defaults.slot_limit == 64
    assert memory.stats().slots >= 1
    assert memory.check().problems == ()


def test_a_backup_can_be_opened(memory: Memory, tmp_path: Path) -> None:
    """A copy of a SQLite store holds what was written; a store in RAM cannot be copied."""
    memory.write("a", "b")
    data = tmp_path / "data"
    data.mkdir()
    if isinstance(memory, memslot.EmbeddedMemory):
        with pytest.raises(BackupUnsupported):
            memory.backup(data / "memslot.db")
        assert list(data.iterdir()) == []
        return
    info = memory.backup(data / "memslot.db")
    assert info.total_bytes == (data / "memslot.db").stat().st_size
    with memslot.embedded(data, namespace=memory.namespace_path) as copy:
        assert copy.read("a").text == "b"
        assert copy.server_info().store_id != memory.server_info().store_id
