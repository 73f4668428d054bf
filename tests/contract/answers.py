"""Answers to request ids, kept with the commit."""

from __future__ import annotations

import asyncio

from tests.contract.world import START_MS, World
from tests.contract.writing import put

from memslot_sidecar.model import StoredAnswer
from memslot_sidecar.stores.base import Transaction

ANSWER = StoredAnswer("agent", "id-1", "Write", b"\0digest", b"\0reply", START_MS + 600_000)


class AnswerContract:
    """What holds for request ids."""

    async def test_an_answer_is_kept_with_its_commit(self, world: World) -> None:
        """A kept answer comes back whole for its caller and id, and for no other, though the mutation changed nothing else."""
        async with world.store() as store:
            await store.transact(lambda tx: tx.keep_answer(ANSWER))
            assert await store.transact(lambda tx: tx.answer("agent", "id-1")) == ANSWER
            assert await store.transact(lambda tx: tx.answer("agent", "id-2")) is None
            assert await store.transact(lambda tx: tx.answer("other", "id-1")) is None
            assert store.revision == 0

    async def test_an_answer_of_a_failed_mutation_is_not_kept(self, world: World) -> None:
        """Failures leave no answer."""
        async with world.store() as store:

            def fail(tx: Transaction) -> None:
                tx.keep_answer(ANSWER)
                raise ValueError

            await asyncio.gather(store.transact(fail), return_exceptions=True)
            assert await store.transact(lambda tx: tx.answer("agent", "id-1")) is None

    async def test_an_answer_expires(self, world: World) -> None:
        """After its time an answer is not found, and another may take its place."""
        async with world.store() as store:
            await store.transact(lambda tx: tx.keep_answer(ANSWER))
            world.clock.move(600_000)
            assert await store.transact(lambda tx: tx.answer("agent", "id-1")) is None
            again = StoredAnswer("agent", "id-1", "Forget", b"d", b"r", START_MS + 1_200_000)
            await store.transact(lambda tx: tx.keep_answer(again))
            assert await store.transact(lambda tx: tx.answer("agent", "id-1")) == again

    async def test_concurrent_repeats_run_once(self, world: World) -> None:
        """Of twenty concurrent mutations with one request id, one writes and the others get its answer."""
        async with world.store() as store:

            def once(tx: Transaction) -> tuple[bool, bytes]:
                kept = tx.answer("agent", "id-1")
                if kept is not None:
                    return False, kept.reply
                put(tx, "n", "x")
                tx.keep_answer(ANSWER)
                return True, ANSWER.reply

            results = await asyncio.gather(*(store.transact(once) for _ in range(20)))
            assert sorted(results) == [(False, ANSWER.reply)] * 19 + [(True, ANSWER.reply)]
            assert store.revision == 1
