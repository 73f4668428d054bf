"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of one run of the harness."""

    slots: int = 1_000_000
    """Slots of the large store."""
    found: int = 100_000
    """Slots of the store that is searched."""
    vectors: int = 1_000_000
    """Vectors of the large graph; the small one has a tenth."""
    peers: int = 10_000
    """Slots that are searched here and in other stores."""
    rounds: int = 7
    """How often each contender has its turn."""
    round_s: float = 2.0
    """How long a turn is measured."""
    warm_s: float = 0.3
    """How long a turn runs before it is measured."""
    starts: int = 7
    """How often the server is started on each store."""
    idle_s: float = 10.0
    """How long an idle server is watched."""
    unix: bool = False
    """Unix sockets in place of TCP over loopback, for servers and echo alike."""


QUICK = Plan(
    slots=20_000, found=4_000, vectors=8_000, peers=1_000, rounds=3, round_s=0.5, warm_s=0.1, starts=3, idle_s=2.0
)
"""Shows within about a minute that everything runs; too short to judge by."""
