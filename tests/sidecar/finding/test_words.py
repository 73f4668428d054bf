"""Search by words, from the request to the hit."""

from pathlib import Path

import pytest
from tests.sidecar.finding.memory import memory

from memslot.v1 import filter_pb2
from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar import errors

KINDS = pytest.mark.parametrize("kind", ["ram", "sqlite"])


@KINDS
async def test_a_written_slot_is_found_by_the_next_search(kind: str, tmp_path: Path) -> None:
    """Words of name, description, tags, task type and body find a slot at once, and each hit says which."""
    async with memory(tmp_path, kind) as m:
        await m.write(
            "user_pref", "prefers window seats", description="travel habits", tags=["booking"], task_type="airline"
        )
        for text, match in [
            ("pref", pb.MATCH_NAME),
            ("seat", pb.MATCH_BODY),
            ("habit", pb.MATCH_DESCRIPTION),
            ("booking", pb.MATCH_TAGS),
            ("airline", pb.MATCH_TASK_TYPE),
        ]:
            (hit,) = (await m.search(text)).hits
            assert hit.name == "user_pref"
            assert match in hit.matched_by


@KINDS
async def test_no_body_and_no_info_unless_asked(kind: str, tmp_path: Path) -> None:
    """A reply holds names; the view INFO adds what is known about a slot, and nothing adds its body."""
    async with memory(tmp_path, kind) as m:
        await m.write("secret", "the canary sings at dawn")
        plain, full = await m.search("canary"), await m.search("canary", view=pb.SEARCH_VIEW_INFO)
        assert not plain.hits[0].HasField("info")
        assert full.hits[0].info.body_bytes == 24
        assert b"sings" not in plain.SerializeToString() + full.SerializeToString()


@KINDS
async def test_what_is_gone_or_changed_is_not_found(kind: str, tmp_path: Path) -> None:
    """Forgetting and overwriting count from their answers on."""
    async with memory(tmp_path, kind) as m:
        await m.write("a", "zebra")
        await m.write("b", "zebra")
        await m.forget("a")
        await m.write("b", "giraffe")
        assert await m.found("zebra") == []
        assert await m.found("giraffe") == ["b"]


async def test_an_expired_slot_is_not_found_before_it_is_swept(tmp_path: Path) -> None:
    """Expiry holds in search at once."""
    now = [1_800_000_000_000]
    async with memory(tmp_path, "ram", clock=lambda: now[0]) as m:
        await m.write("short", "zebra", ttl={"seconds": 1}, never=None)
        assert await m.found("zebra") == ["short"]
        now[0] += 2_000
        assert await m.found("zebra") == []


@KINDS
async def test_thirty_matches_come_as_thirty_different_slots(kind: str, tmp_path: Path) -> None:
    """A limit is filled, and pages neither repeat nor leave out a slot."""
    async with memory(tmp_path, kind) as m:
        for index in range(30):
            await m.write(f"note {index}", f"zebra number {index}")
        assert len(set(await m.found("zebra", limit=30))) == 30
        names: list[str] = []
        token, sizes = "", []
        while True:
            reply = await m.search("zebra", limit=5, page_token=token)
            sizes.append(len(reply.hits))
            names += [hit.name for hit in reply.hits]
            token = reply.next_page_token
            if not token:
                break
        assert sizes == [5] * 6
        assert len(set(names)) == 30


@KINDS
async def test_a_filter_is_honoured_and_the_limit_filled(kind: str, tmp_path: Path) -> None:
    """A filter that lets few of many matches through still fills the limit."""
    async with memory(tmp_path, kind) as m:
        for index in range(600):
            await m.write(f"n{index}", "zebra", tags=["rare"] if index % 100 == 99 else ["common"])
        condition = filter_pb2.Filter(tags_any=filter_pb2.StringSet(values=["rare"]))
        assert sorted(await m.found("zebra", filter=condition)) == ["n199", "n299", "n399", "n499", "n599", "n99"]


@KINDS
async def test_namespaces_do_not_see_each_other(kind: str, tmp_path: Path) -> None:
    """Neither a sibling with the same beginning nor a namespace below is searched."""
    async with memory(tmp_path, kind) as m:
        for namespace in ("acme/a", "acme/ab", "acme/a/b", "acme_a"):
            await m.write("slot", "zebra", namespace=namespace)
        await m.write("own", "zebra", namespace="acme/a")
        assert sorted(await m.found("zebra", namespace="acme/a")) == ["own", "slot"]


async def test_keys_only_says_how_to_enable(tmp_path: Path) -> None:
    """A namespace without an index is told apart from one without matches."""
    async with memory(tmp_path, index_mode="keys") as m:
        await m.write("a", "zebra")
        with pytest.raises(errors.IndexNotEnabled, match="--index-mode"):
            await m.search("zebra")
        assert not (tmp_path / "index.db").exists()


@KINDS
async def test_an_index_that_is_switched_on_contains_what_was_there(kind: str, tmp_path: Path) -> None:
    """Slots of before are found once a namespace, or one above it, is configured; and no longer when it is switched off."""
    async with memory(tmp_path, kind, index_mode="keys") as m:
        await m.write("old", "zebra")
        await m.configure("acme", index_mode="INDEX_MODE_FULLTEXT")
        assert await m.found("zebra") == ["old"]
        await m.write("new", "zebra")
        assert sorted(await m.found("zebra")) == ["new", "old"]
        await m.configure("acme", index_mode="INDEX_MODE_KEYS")
        with pytest.raises(errors.IndexNotEnabled):
            await m.search("zebra")


@KINDS
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("用户喜欢靠窗的座位", "座位"),
        ("彼は東京で寿司を食べた", "寿司"),
        ("커피를 좋아합니다", "커피"),
        ("le café est fermé", "CAFE"),
        ("a party 🎉 tonight", "🎉"),
        ('{"note": "\\u4e2d\\u6587"}', "中文"),
    ],
    ids=["zh", "ja", "ko", "accents", "emoji", "json"],
)
async def test_words_of_all_scripts_are_found(kind: str, body: str, text: str, tmp_path: Path) -> None:
    """Two characters of Chinese, Japanese or Korean, folded accents, symbols, and escapes in JSON."""
    async with memory(tmp_path, kind) as m:
        content_type = "application/json" if body.startswith("{") else "text/plain"
        await m.write("it", body, content_type=content_type)
        await m.write("other", "nothing of that kind")
        assert await m.found(text) == ["it"]


@KINDS
@pytest.mark.parametrize(
    "name", ["%_'", '"#\\', "😀", "用户偏好", "a-b.c/d"], ids=["punct", "quotes", "emoji", "zh", "path"]
)
async def test_the_very_name_finds_a_slot(kind: str, name: str, tmp_path: Path) -> None:
    """Whatever a name is made of, it finds its slot."""
    async with memory(tmp_path, kind) as m:
        await m.write(name, "x")
        await m.write("other", "y")
        assert (await m.found(name))[0] == name


async def test_a_search_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    """Bad input names the field."""
    async with memory(tmp_path) as m:
        for fields, field in [
            ({}, "text"),
            ({"text": "a", "limit": -1}, "limit"),
            ({"text": "a", "neighbor_weight": 2.0}, "neighbor_weight"),
            ({"text": "x" * 9000}, "text"),
            ({"text": "a", "mode": 99}, "mode"),
            ({"text": "a", "page_token": "nonsense"}, "page_token"),
            ({"vector": [float("nan")]}, "vector"),
        ]:
            with pytest.raises(errors.InvalidField) as caught:
                await m.search(**fields)
            assert caught.value.field == field, fields


async def test_a_restart_finds_what_was_found(tmp_path: Path) -> None:
    """The index survives a restart, and follows from where it was."""
    async with memory(tmp_path) as m:
        await m.write("a", "zebra")
    async with memory(tmp_path) as m:
        assert await m.found("zebra") == ["a"]


async def test_a_lost_index_is_made_anew(tmp_path: Path) -> None:
    """The index is derived: without its file, or with a damaged one, all is found again."""
    async with memory(tmp_path) as m:
        await m.write("a", "zebra")
    for damage in (Path.unlink, lambda path: path.write_bytes(b"not a database" * 1000)):
        damage(tmp_path / "index.db")
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"index.db{suffix}").unlink(missing_ok=True)
        async with memory(tmp_path) as m:
            assert await m.found("zebra") == ["a"]


async def test_reindex_tells_how_far_it_is(tmp_path: Path) -> None:
    """All slots are indexed anew, and the last word says up to which revision."""
    async with memory(tmp_path) as m:
        for index in range(130):
            await m.write(f"n{index}", "zebra")
        progress = await m.reindex()
        assert progress[-1].done == progress[-1].total == 130
        assert progress[-1].revision >= 130
        assert len(await m.found("zebra", limit=100)) == 100
