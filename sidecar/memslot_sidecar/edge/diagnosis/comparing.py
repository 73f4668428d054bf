"""Whether an answer says anything of what a slot holds."""

from __future__ import annotations

_WORDS_MOST = 12
"""A longer body is no single fact: an answer need not hold any of its words."""
_STEM_CHARACTERS = 4


def says_nothing_of(answer: str, body: bytes, content_type: str) -> bool:
    """Whether a body of a few words shares none of them with the answer. Spelling, case and common words do not count.

    It cannot tell whether a sentence is true: an answer that says the same in other words is reported too.
    """
    from memslot_index.fulltext import analysis  # noqa: PLC0415 - only where an answer is compared
    from memslot_index.fulltext.bodies import body_text  # noqa: PLC0415
    from memslot_index.fulltext.query import parse  # noqa: PLC0415

    text = body_text(content_type, body)
    if parse(text) is None:
        return False
    said = set(analysis.tokens(analysis.words(answer)))
    held = set(analysis.tokens(analysis.words(text)))
    return 0 < len(held) <= _WORDS_MOST and not any(_alike(one, other) for one in held for other in said)


def _alike(one: str, other: str) -> bool:
    """Whether two words are one, or forms of one as far as a common beginning tells."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= _STEM_CHARACTERS and long.startswith(short)
