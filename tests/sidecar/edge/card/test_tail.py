"""A card that stays the same, and a tail that tells what is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sidecar.edge.card.asking import MANY, card, forget, write
from tests.sidecar.services.served import Served, StoreMaker, served, store_maker

from memslot.v1.slot_service_pb2 import ForgetMatchingRequest, ReadRequest, UpdateInfoRequest
from memslot_sidecar.edge.card import keeping
from memslot_sidecar.edge.card.keeping import CardKey, Cards
from memslot_sidecar.model import EffectiveSettings


@pytest.fixture(params=["ram", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Any) -> StoreMaker:
    """A store of each kind."""
    return store_maker(request.param, tmp_path)


async def test_the_card_stays_until_it_is_renewed(make: StoreMaker) -> None:
    """Byte for byte, whatever is written, forgotten or read; renewed, it is of now."""
    async with served(make) as memory:
        await write(memory, "a", description="first")
        first = await card(memory)
        await write(memory, "b")
        await write(memory, "a", b"other", description="second")
        later = await card(memory)
        assert later.card == first.card
        assert (first.renewed, later.renewed, later.slots, later.listed) == (True, False, 2, 1)
        assert later.tail == 'Memory since the list of slots was made: new "b"; changed "a".'
        fresh = await card(memory, renew=True)
        assert (fresh.renewed, fresh.tail, fresh.listed) == (True, "", 2)
        assert '"a": "second"' in fresh.card
        assert (await card(memory)).card == fresh.card


async def test_what_is_gone_is_in_the_tail_at_once(make: StoreMaker) -> None:
    """Forgotten, or expired though nobody swept it; a slot that came and went meanwhile is not told."""
    async with served(make) as memory:
        await write(memory, "kept")
        await write(memory, "gone")
        await write(memory, "brief", ttl={"seconds": 60})
        await card(memory)
        await forget(memory, "gone")
        await write(memory, "passing")
        await forget(memory, "passing")
        assert (await card(memory)).tail == 'Memory since the list of slots was made: gone "gone".'
        memory.clock.forward(60_000)
        later = await card(memory)
        assert later.tail == 'Memory since the list of slots was made: gone "brief", "gone".'
        assert later.slots == 1
        await write(memory, "gone")
        assert (await card(memory)).tail == 'Memory since the list of slots was made: changed "gone"; gone "brief".'
        assert "槽位，最重要的在前" in (await card(memory, language=2)).card
        await write(memory, "新")
        assert (await card(memory, language=2)).tail == '槽位清单列出之后的变化：新增 "新"。'


async def test_a_renewed_expiry_and_reads_are_no_change(make: StoreMaker) -> None:
    """Only what a model could see is told: not that somebody read, also where that renews the expiry, which then is known."""
    async with served(make, defaults=EffectiveSettings(ttl_refresh_on_read=True)) as memory:
        await write(memory, "a", ttl={"seconds": 60})
        await card(memory)
        memory.clock.forward(50_000)
        await memory(ReadRequest(namespace="ns", name="a"))
        assert (await card(memory)).tail == ""
        memory.clock.forward(20_000)
        assert (await card(memory)).tail == ""
        memory.clock.forward(60_000)
        assert "gone" in (await card(memory)).tail


async def test_a_shortened_expiry_is_noticed(make: StoreMaker) -> None:
    """A slot that was given less time is gone when that is over."""
    async with served(make) as memory:
        await write(memory, "a")
        await card(memory)
        request = UpdateInfoRequest(namespace="ns", name="a", ttl={"seconds": 1})
        await memory(request)
        memory.clock.forward(1000)
        assert (await card(memory)).tail.endswith('gone "a".')


async def test_a_tail_is_short_and_tells_the_latest(make: StoreMaker) -> None:
    """Twelve names at most, the latest change first, and how many more there are; also when more changed than is kept of it."""
    async with served(make, defaults=MANY) as memory:
        for number in range(20):
            await write(memory, f"listed {number}", importance=0.9)
        await card(memory, max_chars=2000)
        for number in range(30):
            await write(memory, f"new {number}")
        tail = (await card(memory, max_chars=2000)).tail
        assert ", ".join(f'"new {number}"' for number in range(29, 17, -1)) in tail
        assert "and 18 more" in tail
        for number in range(300):
            await write(memory, f"later {number}")
        await forget(memory, "listed 3")
        tail = (await card(memory, max_chars=2000)).tail
        assert 'gone "listed 3"' in tail
        assert "at least" in tail
        assert len(tail) < 700
        for number in range(20):
            await write(memory, "😀" * 32 if not number else f"{number}" + "长" * 40)
        assert len((await card(memory, max_chars=2000)).tail) < 720
        await memory(ForgetMatchingRequest(namespace="ns", all=True, max=10_000))
        emptied = await card(memory, max_chars=2000)
        assert "gone" in emptied.tail
        assert emptied.slots == 0


async def test_names_in_a_tail_are_quoted() -> None:
    """A name cannot pose as more than a name there either."""
    async with served() as memory:
        await card(memory)
        await write(memory, 'x"; gone "a\u200b')
        assert (await card(memory)).tail.endswith('new "x\\"; gone \\"a\\u200b".')


async def test_each_form_and_conversation_has_a_card_of_its_own() -> None:
    """Another language, size, or conversation does not renew the card of this one; two ways to say the default are one."""
    async with served() as memory:
        await write(memory, "a")
        first = await card(memory)
        await write(memory, "b")
        others: list[dict[str, Any]] = [
            {"language": 2},
            {"max_chars": 900},
            {"max_tokens": 2000},
            {"with_schemas": True},
        ]
        for fields in others:
            assert (await card(memory, **fields)).renewed
            assert not (await card(memory, **fields)).renewed
        assert not (await card(memory, language=1, max_chars=4000, token_counter="chars")).renewed
        assert (await card(memory)).card == first.card
        kept = memory.ctx.cards.of("ns", "")
        assert first.card in [one.text for one in kept]
        assert not memory.ctx.cards.of("ns", "other")


async def test_cards_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number, by bytes and by namespaces; what was asked for least lately goes, and is made anew."""

    async def known(memory: Served, **fields: Any) -> bool:
        return not (await card(memory, **fields)).renewed

    async with served() as memory:
        object.__setattr__(memory.ctx, "cards", Cards(cards_kept=2))
        await card(memory, max_chars=1000)
        await card(memory, max_chars=2000)
        assert await known(memory, max_chars=1000)
        await card(memory, max_chars=3000)
        assert await known(memory, max_chars=1000)
        assert not await known(memory, max_chars=2000)
        object.__setattr__(memory.ctx, "cards", Cards(bytes_kept=100))
        await card(memory)
        assert not await known(memory)
        monkeypatch.setattr(keeping, "NAMESPACES_KEPT", 1)
        object.__setattr__(memory.ctx, "cards", Cards())
        await card(memory)
        await card(memory, namespace="other")
        assert not await known(memory)


def test_a_card_of_a_namespace_that_nobody_watches_is_not_kept() -> None:
    """Nobody would note what changes in it."""
    cards = Cards()
    cards.put(CardKey("ns", "", None), None)  # type: ignore[arg-type]
    assert not cards.of("ns", "")
