"""Neighbours: what was written side by side lends each other score."""

from memslot_index.neighbors import lent, pairs


def test_windows_that_overlap_are_one_row() -> None:
    """Who stands beside whom is put together from all windows."""
    assert pairs([[1, 2, 3], [3, 4]]) == {1: (None, 2), 2: (1, 3), 3: (2, 4), 4: (3, None)}


def test_a_silent_neighbour_is_lent_half_a_share_from_each_side() -> None:
    """The turn between two that match gets what both lend."""
    beside = pairs([[1, 2, 3]])
    assert lent({1: 1.0, 3: 1.0}, beside, 0.5)[2] == 0.5


def test_a_share_fades_with_the_distance() -> None:
    """Two steps away the square of the weight is lent, three steps away nothing."""
    found = lent({1: 1.0}, pairs([[1, 2, 3, 4]]), 0.5)
    assert (found[2], found[3], found[4]) == (0.25, 0.125, 0.0)


def test_without_weight_nothing_is_lent() -> None:
    """Weight 0 leaves all scores as they are."""
    assert lent({1: 1.0, 2: 0.5}, pairs([[1, 2]]), 0.0) == {1: 1.0, 2: 0.5}
