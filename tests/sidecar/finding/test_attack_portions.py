"""What is read in one step of the loop: few long bodies, many short ones."""

from __future__ import annotations

from pathlib import Path

from tests.sidecar.finding.memory import SPACE, memory

from memslot_sidecar.finding.entries import PORTION, changes_of


async def test_long_bodies_are_read_few_at_a_time(tmp_path: Path) -> None:
    """While a step is read nothing else goes on: it ends soon after the first million characters."""
    async with memory(tmp_path, body_limit_bytes=3_900_000) as m:
        for index in range(6):
            await m.write(f"long {index}", "z" * 600_000)
        for index in range(100):
            await m.write(f"short {index}", "z")
        settings = m.sidecar.context.settings
        long = changes_of(m.sidecar.store, [(SPACE, f"long {index}") for index in range(6)], settings)
        short = changes_of(m.sidecar.store, [(SPACE, f"short {index}") for index in range(100)], settings)
        assert [change.name for change in long] == ["long 0", "long 1"]
        assert len(short) == PORTION
        assert len(await m.found("z" * 600, limit=100)) == 0
        assert len(await m.found("long", limit=100)) == 6
