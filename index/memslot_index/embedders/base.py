"""The seam between search and whatever turns texts into vectors.

Embedders are synchronous and called in threads. What a text says is never in an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EmbedderError(Exception):
    """Texts could not be embedded."""


class EmbedderMissing(EmbedderError):
    """The library of the chosen embedder cannot be used here. Only installing it helps; the message says what."""


class EmbedderUnavailable(EmbedderError):
    """The embedder does not answer as it should just now; a retry may help, ``retry_after_s`` from now when the embedder said so."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class EmbedderRefused(EmbedderError):
    """The embedder or its endpoint does not take what it is asked: a setting is wrong, and no retry helps."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """``vectors`` has a row for each text, in order: of length 1, or all zeros for a text of nothing but blanks and control characters.

    ``truncated`` says of each text whether a part of it is not in its vector, because it was too long.
    """

    vectors: NDArray[np.float32]
    truncated: tuple[bool, ...]


class Embedder(Protocol):
    """Texts become vectors whose dot product says how near they are.

    All methods but `close` may be called from several threads at once, with the same results. The same text has the same vector, whatever it is
    embedded with, up to what a remote model does about rounding. Any text is taken: one that is too long is embedded in part.
    """

    name: str
    """The setting's value: ``e5``, ``openai``, ``hashing``."""
    model: str
    """What made the vectors. It is stored with them: vectors of different models cannot be compared."""
    dimensions: int
    batch: int
    """How many texts a call to `passages` should have."""

    def passages(self, texts: Sequence[str]) -> Embedded:
        """Embed what shall be found. Raises EmbedderUnavailable and EmbedderRefused."""

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed what somebody looks for: shape (dimensions,). Raises EmbedderUnavailable and EmbedderRefused."""

    def close(self) -> None:
        """Release what the embedder holds. Calls that run may fail with EmbedderUnavailable, later ones do."""
