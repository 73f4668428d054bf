"""The seam between the summary cache and whatever makes summaries.

Summarisers are synchronous and called in threads. What a text says is never in an error.
"""

from __future__ import annotations

from typing import Protocol


class SummariserError(Exception):
    """A summary could not be made."""


class SummariserMissing(SummariserError):
    """The library of the chosen summariser cannot be used here. Only installing it helps; the message says what."""


class SummariserUnavailable(SummariserError):
    """No summary this time; a retry may help, ``retry_after_s`` from now when the endpoint said so."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class SummariserRefused(SummariserError):
    """The endpoint does not take what it is asked: a setting is wrong, and no retry helps."""


class Summariser(Protocol):
    """Makes a text short. All methods but `close` may be called from several threads at once."""

    name: str
    """What made a summary, stored with it: a summary of another name may be made anew."""

    def summarise(self, text: str, max_chars: int) -> str:
        """Return a summary of at most ``max_chars`` characters, at least 1.

        It is empty only for a text of nothing but blanks and control characters, and holds no control characters but line breaks. Of a very long text the
        beginning is summarised. Raises SummariserUnavailable and SummariserRefused.
        """

    def close(self) -> None:
        """Release what the summariser holds."""
