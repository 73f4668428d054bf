"""What a model writes: values, appending, patching, arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sidecar.operations.acts import act, lines, outcomes, stored, value, written
from tests.sidecar.services.served import START_MS, StoreMaker, served

from memslot.v1.slot_pb2 import ORIGIN_MODEL
from memslot_sidecar.model import EffectiveSettings, Overflow

TEXT, JSON = "text/plain", "application/json"
DIGITS = '{"id": 123456789012345678901234567890, "price": 1.10, "far": 1e-400, "list": [true, null]}'
RFC_7396 = [
    ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
    ('{"a":"b"}', '{"a":null}', "{}"),
    ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
    ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
    ('["a","b"]', '["c","d"]', '["c","d"]'),
    ('{"a":"b"}', '["c"]', '["c"]'),
    ('{"a":"foo"}', "null", "null"),
    ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
    ("[1,2]", '{"a":"b","c":null}', '{"a":"b"}'),
    ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]


async def test_a_text_is_stored_as_text_and_any_other_value_as_json(make: StoreMaker) -> None:
    """A text is text/plain byte for byte; other values are application/json with every digit. Both are the model's."""
    async with served(make) as run:
        text = 'He said "no", {"a": 1}\n\ttabs 😀'
        reply = await act(
            run, written("mem_write", slot="t", value=text), f'{{"action":"mem_write","slot":"j","value":{DIGITS}}}'
        )
        assert reply.model_text == "stored t\nstored j"
        assert await value(run, "t") == (TEXT, text)
        assert await value(run, "j") == (JSON, DIGITS)
        assert [slot.info.origin for slot in [await stored(run, "t"), await stored(run, "j")] if slot] == [
            ORIGIN_MODEL
        ] * 2
        assert DIGITS in reply.actions[1].arguments_json


@pytest.mark.parametrize("written_value", ["7", "0", "-0.50", "true", "null", "[]", "{}", '"7"', '""'])
async def test_small_values(make: StoreMaker, written_value: str) -> None:
    """Any JSON value can be stored, also an empty text, and keeps its type."""
    async with served(make) as run:
        await act(run, f'{{"action":"mem_write","slot":"v","value":{written_value}}}')
        is_text = written_value.startswith('"')
        assert await value(run, "v") == ((TEXT, json.loads(written_value)) if is_text else (JSON, written_value))


async def test_a_text_goes_behind_a_text(make: StoreMaker) -> None:
    """Appending puts a text behind a text with nothing between; what is absent is made, and the model is told."""
    async with served(make) as run:
        assert await lines(
            run, written("mem_append", slot="log", value="a"), written("mem_append", slot="log", value="\nb")
        ) == ["stored log (new: there was none)", "appended to log"]
        assert await value(run, "log") == (TEXT, "a\nb")


@pytest.mark.parametrize(
    ("values", "body"),
    [
        ([{"step": 1}], '[{"step":1}]'),
        ([7, 8], "[7, 8]"),
        ([[], "x"], '["x"]'),
        ([["a", "b"], ["c", ["d"]]], '["a", "b", "c", ["d"]]'),
        ([["a"], {"k": None}, "text", None], '["a", {"k":null}, "text", null]'),
        ([["a"], []], '["a"]'),
    ],
)
async def test_values_go_onto_an_array(make: StoreMaker, values: list[Any], body: str) -> None:
    """A value becomes an item of a JSON array, an array is joined to it; what is absent becomes an array."""
    async with served(make) as run:
        await act(run, *(written("mem_append", slot="list", value=one) for one in values))
        assert await value(run, "list") == (JSON, body)


async def test_digits_survive_in_an_array_that_grows(make: StoreMaker) -> None:
    """Appending leaves every byte of what is there, and keeps the digits of what comes."""
    async with served(make) as run:
        await act(run, '{"action":"mem_write","slot":"a","value":[1.10, 1e3]}')
        await act(run, '{"action":"mem_append","slot":"a","value":123456789012345678901234567890.50}')
        assert await value(run, "a") == (JSON, "[1.10, 1e3, 123456789012345678901234567890.50]")


@pytest.mark.parametrize(
    ("there", "action", "given"),
    [
        ("text", "mem_append", 1),
        ("text", "mem_append", ["x"]),
        ({"a": 1}, "mem_append", "x"),
        (7, "mem_append", 7),
        ("text", "mem_patch", {"a": 1}),
    ],
)
async def test_what_does_not_fit_the_slot_is_refused(make: StoreMaker, there: Any, action: str, given: Any) -> None:
    """Nothing is changed where value and slot do not fit, and the receipt says what the slot holds."""
    async with served(make) as run:
        await act(run, written("mem_write", slot="s", value=there))
        before = await stored(run, "s")
        reply = await act(run, written(action, slot="s", value=given))
        assert outcomes(reply) == ["REFUSED"]
        assert "it holds" in reply.model_text
        after = await stored(run, "s")
        assert before is not None
        assert after is not None
        assert (after.body, after.info.revision) == (before.body, before.info.revision)


@pytest.mark.parametrize(("before", "patch", "after"), RFC_7396)
async def test_patches_are_merge_patches(make: StoreMaker, before: str, patch: str, after: str) -> None:
    """mem_patch does what the examples of RFC 7396 show."""
    async with served(make) as run:
        await act(run, f'{{"action":"mem_write","slot":"p","value":{before}}}')
        await act(run, f'{{"action":"mem_patch","slot":"p","value":{patch}}}')
        found = await value(run, "p")
        assert found is not None
        assert json.loads(found[1]) == json.loads(after)


async def test_a_patch_that_came_as_text(make: StoreMaker) -> None:
    """Models that write tags can only write texts: an object in it is the patch, anything else is refused."""
    async with served(make) as run:
        await act(run, written("mem_write", slot="p", value={"a": 1, "b": 2}))
        assert await lines(run, written("mem_patch", slot="p", value=' {"a": 10.50, "b": null} ')) == ["patched p"]
        assert await value(run, "p") == (JSON, '{"a":10.50}')
        for bad in ("done", "[1]", '{"a": 1', '{"a": 1} x', '{"a": 1, "a": 2}', '{"a": NaN}', ""):
            assert outcomes(await act(run, written("mem_patch", slot="p", value=bad))) == ["REFUSED"], bad
        assert await value(run, "p") == (JSON, '{"a":10.50}')


async def test_details_go_with_a_value(make: StoreMaker) -> None:
    """Description, tags, importance and time to live are stored, also where a model could only write texts; null is "not given"."""
    async with served(make) as run:
        typed = {"description": "what she likes", "tags": ["b", "a"], "importance": 0.5, "ttl": 60}
        texts = {"description": "what she likes", "tags": "b, a", "importance": "0.5", "ttl": "1m"}
        await act(
            run, written("mem_write", slot="x", value="v", **typed), written("mem_append", slot="y", value=1, **texts)
        )
        for name in ("x", "y"):
            slot = await stored(run, name)
            assert slot is not None
            info = slot.info
            assert (info.description, list(info.tags), info.importance) == ("what she likes", ["a", "b"], 0.5)
            assert info.expire_time.ToMilliseconds() == START_MS + 60_000
        await act(
            run, written("mem_write", slot="x", value="w", description=None, tags=None, importance=None, ttl=None)
        )
        slot = await stored(run, "x")
        assert slot is not None
        assert (slot.info.description, list(slot.info.tags)) == ("what she likes", ["a", "b"])
        await act(run, written("mem_write", slot="z", value="v", ttl="never", tags='["c", "d"]'))
        slot = await stored(run, "z")
        assert slot is not None
        assert (slot.info.HasField("expire_time"), list(slot.info.tags)) == (False, ["c", "d"])


@pytest.mark.parametrize(
    "bad",
    [
        {"namespace": "other"},
        {"colour": "red"},
        {"a secret that is no argument": 1},
        {"description": 7},
        {"description": "x" * 161},
        {"tags": 7},
        {"tags": ["a", 7]},
        {"tags": '["a", 7]'},
        {"tags": "[a"},
        {"importance": 1.5},
        {"importance": "much"},
        {"importance": True},
        {"ttl": 0},
        {"ttl": -1},
        {"ttl": "soon"},
        {"ttl": True},
        {"ttl": [1]},
    ],
)
async def test_an_argument_that_is_wrong_refuses_its_action_alone(make: StoreMaker, bad: dict[str, Any]) -> None:
    """An unknown argument, or one of a wrong type or size, is told; nothing is stored of that action, and the next one is executed."""
    async with served(make) as run:
        reply = await act(
            run, written("mem_write", slot="s", value="secret", **bad), written("mem_write", slot="t", value="v")
        )
        assert outcomes(reply) == ["REFUSED", "DONE"]
        assert reply.model_text.startswith("not run: ")
        assert "secret" not in reply.model_text
        assert reply.actions[0].error.code == 3
        assert await stored(run, "s") is None
        assert await stored(run, "t") is not None


async def test_a_name_is_checked_like_any_other(make: StoreMaker) -> None:
    """A slot name that breaks the rules is refused, and does not stand in the line; others are stored as NFC."""
    async with served(make) as run:
        for bad in ("", " x", "a\nb", "a\u202eb", "x" * 129):
            reply = await act(run, written("mem_write", slot=bad, value="v"))
            assert outcomes(reply) == ["REFUSED"]
            assert reply.model_text.startswith("not run: slot ")
            assert not bad.strip() or bad not in reply.model_text
        assert await lines(run, written("mem_write", slot="cafe\u0301", value="v")) == ["stored café"]
        assert await lines(run, written("mem_write", slot="my note", value="v")) == ['stored "my note"']


async def test_receipts_of_limits(make: StoreMaker) -> None:
    """Too large, full, evicted, nearly full: the model is told what it can do, with figures."""
    async with served(make, EffectiveSettings(slot_limit=2)) as run:
        reply = await act(run, written("mem_write", slot="plan", value="x" * 9120))
        assert reply.model_text == "too large: 9120 of 4096 bytes, split it (plan)"
        assert outcomes(reply) == ["REFUSED"]
        told = await lines(run, *(written("mem_write", slot=name, value="v") for name in ("a", "b", "c")))
        assert told[0] == "stored a"
        assert told[2] == "not stored c: all 2 slots are used, forget one first (least used: a, b)"
    async with served(make, EffectiveSettings(slot_limit=2, overflow=Overflow.EVICT_LOWEST_RANK)) as run:
        told = await lines(run, *(written("mem_write", slot=name, value="v") for name in ("d", "e", "f")))
        assert "evicted: " in told[-1]


async def test_edits_of_a_long_plan_do_not_grow_with_it(make: StoreMaker) -> None:
    """Fifty edits of a plan of 20 KB by patches and appended texts cost actions and receipts of a constant, small size."""
    steps = {f"step {number}": {"do": "x" * 180, "done": False} for number in range(100)}
    async with served(make, EffectiveSettings(body_limit_bytes=100_000)) as run:
        await act(
            run, written("mem_write", slot="plan", value=steps), written("mem_write", slot="diary", value="d" * 20_000)
        )
        sizes: list[int] = []
        for number in range(50):
            edit = written(
                "mem_patch",
                slot="plan",
                value={f"step {number}": {"done": True}, f"step {100 + number}": {"do": "y" * 100}},
            )
            note = written("mem_append", slot="diary", value=f"\nstep {number} is done")
            reply = await act(run, edit, note)
            assert outcomes(reply) == ["DONE", "DONE"]
            sizes.append(len(edit) + len(note) + len(reply.model_text))
        assert max(sizes) < 400
        assert max(sizes) - min(sizes) <= 8
        plan, diary = await stored(run, "plan"), await stored(run, "diary")
        assert plan is not None
        assert diary is not None
        assert len(plan.body) > 25_000
        assert sum(step.get("done", False) for step in json.loads(plan.body).values()) == 50
        assert diary.body.decode().endswith("step 48 is done\nstep 49 is done")
