"""Reading many: what is asked for."""

from __future__ import annotations

import pytest

from memslot_sidecar.errors import InvalidField
from memslot_sidecar.operations.batch_read import checked_names


@pytest.mark.parametrize(("count", "told"), [(0, "names is empty: a call takes 1 to 1000"), (1001, "split it")])
def test_none_and_too_many_have_remedies_of_their_own(count: int, told: str) -> None:
    """Who named nothing is not told to split it."""
    with pytest.raises(InvalidField, match=told):
        checked_names([f"n{number}" for number in range(count)])
