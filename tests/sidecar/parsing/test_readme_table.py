"""README.md shows what a model may write, shape by shape, as the outputs of the tests say."""

from __future__ import annotations

from tools.list_shapes import README, table, with_table


def test_the_readme_lists_every_shape() -> None:
    """The table is the one that tools/list_shapes.py makes, with a row for each of the 42 shapes."""
    text = README.read_text(encoding="utf-8")
    assert with_table(text) == text
    assert len(table().splitlines()) == 2 + 42
