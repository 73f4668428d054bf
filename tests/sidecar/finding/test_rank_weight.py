"""What the importance rank has to say in the order of what is found."""

from __future__ import annotations

from pathlib import Path

from tests.sidecar.finding.memory import memory


async def test_equal_scores_are_ordered_by_rank(tmp_path: Path) -> None:
    """Without a weight the rank decides between slots that match alike, and between no others."""
    async with memory(tmp_path) as m:
        for at, importance in enumerate([0.1, 0.9, 0.5]):
            await m.write(f"n{at}", "one zebra", importance=importance)
        await m.write("best", "zebra", importance=0.0)
        assert await m.found("zebra") == ["best", "n1", "n2", "n0"]


async def test_with_its_full_weight_the_rank_alone_decides(tmp_path: Path) -> None:
    """The setting moves what matters before what matches better."""
    async with memory(tmp_path, rank_weight=1.0) as m:
        await m.write("better", "zebra", importance=0.1)
        await m.write("dearer", "a zebra among many other animals", importance=0.9)
        assert await m.found("zebra") == ["dearer", "better"]
