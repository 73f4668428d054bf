"""What the index is told: slots as they are now, without a store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from memslot_index.fulltext.analysis import name_pieces

_BEFORE_LIMIT = 400
"""Characters of the turn before that go into a vector."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """That a summary is to be made, in the way ``source``, of a slot's text, which has ``digest`` (see :func:`digest_of`)."""

    revision: int
    digest: str
    source: int
    rank: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A slot to index, as it is at ``revision``. ``created`` orders slots by creation.

    ``text`` is its body as text (empty for a body that is none). ``vector``, little-endian float32 of length 1, came from its writer.
    With ``embed`` a vector is to be made of it, unless it came with one; with ``summarise`` a summary, unless it has one.
    """

    space: str
    name: str
    revision: int
    created: int
    description: str
    tags: tuple[str, ...]
    task_type: str
    text: str
    vector: bytes | None = None
    embed: bool = False
    speaker: str = ""
    summarise: Summarise | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A slot that is no longer there, or of which only a summary is wanted."""

    space: str
    name: str
    summarise: Summarise | None = None


Change = Entry | Removal


@dataclass(frozen=True, slots=True)
class Before:
    """The turn of a conversation before another one."""

    id: int
    name: str
    revision: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that waits for a vector; the text of revision ``revision`` has ``digest`` (see :func:`digest_of`).

    If it is a turn of a conversation, ``before`` is the one before it.
    """

    id: int
    space: str
    name: str
    revision: int
    digest: str
    before: Before | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A vector (little-endian float32 of length 1) that was made for a document; it counts only while the digest is the same, and the
    turn ``before`` it, if it was made of that too.

    ``truncated`` tells that it stands for only the beginning of a long text.
    """

    id: int
    digest: str
    vector: bytes
    truncated: bool = False
    before: Before | None = None


def embedded_text(name: str, description: str, text: str, before: str = "") -> str:
    """What a vector is made of: the body, then, in brackets, the text of the turn before it, if it is a turn of a conversation, and the
    words of the name and the description; the name itself where there is nothing else. A word of the name with a digit in it tells
    numbers apart, not meanings, and is left out."""
    words = " ".join(word for word in name_pieces(name) if not any(map(str.isdigit, word)))
    about = ": ".join(part for part in (words, description) if part and not part.isspace())
    if not text or text.isspace():
        return about or name
    further = [f"after {before[:_BEFORE_LIMIT]}"] if before else []
    return "\n".join([text, *(f"({part})" for part in [*further, about] if part)])


def digest_of(text: str) -> str:
    """Tells whether a text is still the one that a vector was made of."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
