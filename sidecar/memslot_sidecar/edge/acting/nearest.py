"""The name that a model probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

COMPARED = 1_000
"""How many names are looked at, and of those only the few that share the most pairs of letters closely."""
_CLOSELY = 24
_CUTOFF = 0.6


def nearest(name: str, names: Iterable[str]) -> str:
    """The most similar of ``names`` (upper and lower case count as the same), or nothing when none is similar."""
    wanted = name.casefold()
    pairs = _pairs(wanted)
    scored = [(len(pairs & _pairs(other.casefold())), other) for other in names]
    likely = sorted((one for one in scored if one[0]), key=lambda one: -one[0])[:_CLOSELY]
    by_key: dict[str, str] = {}
    for _, other in likely:
        by_key.setdefault(other.casefold(), other)
    found = difflib.get_close_matches(wanted, by_key, n=1, cutoff=_CUTOFF)
    return by_key[found[0]] if found else ""


def _pairs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[i : i + 2] for i in range(len(padded) - 1)}
