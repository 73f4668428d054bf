"""Up to which revision the audit trail is complete."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class Completeness:
    """Follows revisions from being taken, in order, to being told durably, in any order."""

    def __init__(self, complete: int) -> None:
        self.taken = complete
        self._waiting: deque[int] = deque()
        self._told: set[int] = set()

    @property
    def complete(self) -> int:
        """All revisions up to this one are told durably."""
        return self._waiting[0] - 1 if self._waiting else self.taken

    def take(self, revision: int) -> None:
        """Notes that a revision, higher than those before, is going to be told."""
        self.taken = revision
        self._waiting.append(revision)

    def skip(self, revision: int) -> None:
        """Gives up on the revisions up to this one that were not taken."""
        self.taken = revision

    def told(self, revisions: Iterable[int]) -> None:
        """Notes that revisions were told durably."""
        self._told.update(revisions)
        while self._waiting and self._waiting[0] in self._told:
            self._told.remove(self._waiting.popleft())
