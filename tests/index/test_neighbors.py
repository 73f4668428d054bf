"""Neighbours: what was written side by side lends each other score."""

from memslot_index.neighbors import lent

ROW = {1: (None, 2), 2: (1, 3), 3: (2, 4), 4: (3, None)}


def test_a_silent_neighbour_is_lent_a_share_from_each_side() -> None:
    """The turn between two that match gets a share of both: weight over one plus weight."""
    assert lent({1: 1.0, 3: 1.0}, ROW, 1.0)[2] == 1.0


def test_two_on_either_side_lend() -> None:
    """Two steps away as much is lent as one step away, three steps away nothing."""
    found = lent({1: 1.0}, ROW, 1.0)
    assert (found[2], found[3], found[4]) == (0.5, 0.5, 0.0)


def test_without_weight_nothing_is_lent() -> None:
    """Weight 0 leaves all scores as they are."""
    assert lent({1: 1.0, 2: 0.5}, {1: (None, 2), 2: (1, None)}, 0.0) == {1: 1.0, 2: 0.5}
