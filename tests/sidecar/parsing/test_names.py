"""Names that are no action's: what the hint proposes in their place."""

from __future__ import annotations

import pytest

from memslot_sidecar.parsing.names import ACTIONS, resolve


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mem_list", "mem_lookup"),
        ("mem_save", "mem_write"),
        ("mem_get", "mem_read"),
        ("mem_delete", "mem_forget"),
        ("mem_find", "mem_search"),
        ("mem_Recall", "mem_read"),
        ("mem_writ", "mem_write"),
    ],
)
def test_a_name_that_means_another_action_is_answered_with_that_one(written: str, meant: str) -> None:
    """What other memories call their actions is not executed, and the hint names ours for the same purpose."""
    resolved = resolve(written)
    assert (resolved.name, resolved.reason, resolved.nearest) == ("", "UNKNOWN_ACTION", meant)


def test_a_name_like_no_other_is_answered_with_all() -> None:
    """Nothing is guessed."""
    assert resolve("mem_quantize").nearest == " or ".join(ACTIONS)
