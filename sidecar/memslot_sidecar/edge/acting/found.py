"""What a lookup or a search found for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundNames:
    """Best first. ``total`` counts all, and is a lower bound with ``at_least``; ``by_name`` says that no text was searched."""

    names: Sequence[str]
    more: bool
    total: int | None = None
    at_least: bool = False
    by_name: bool = False
