"""What looks like a delimiter inside a body gets a backslash behind its bracket. Everything else stays, and it can be undone."""

from __future__ import annotations

import re

_UNSEEN = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*"
_LOOKALIKE = re.compile(
    r"([\[\uff3b\u3010\u3014\u2997])(\\*)(?="
    + _UNSEEN
    + r"(?:[/\uff0f]"
    + _UNSEEN
    + r")?"
    + _UNSEEN.join("memslot")
    + r")",
    re.IGNORECASE,
)
"""A bracket before our word, also one that a person or a model would take for it. The brackets themselves are outside of what
follows, so that no two finds overlap, and each run of blanks or backslashes is looked at from one place alone."""


def escape(text: str) -> str:
    """The text, in which no part can be taken for a delimiter."""
    return _LOOKALIKE.sub(r"\1\2\\", text)


def unescape(text: str) -> str:
    """What :func:`escape` was given."""
    return _LOOKALIKE.sub(lambda found: found[1] + found[2][1:], text)
