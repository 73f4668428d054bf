"""Whether an answer says anything of what a slot holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_WORDS_MOST = 12
"""A longer body is no single fact: an answer need not hold any of its words."""
_STEM_CHARACTERS = 4


def says_nothing_of(answer: str, bodies: Iterable[tuple[str, bytes, str]]) -> Sequence[str]:
    """Which of some bodies of a few words share none of them with the answer: each is (name, body, content type). Spelling, case and
    common words do not count.

    It cannot tell whether a sentence is true: an answer that says the same in other words is reported too.
    """
    from memslot_index.fulltext import analysis  # noqa: PLC0415 - only where an answer is compared
    from memslot_index.fulltext.bodies import body_text  # noqa: PLC0415
    from memslot_index.fulltext.query import parse  # noqa: PLC0415

    said = set(analysis.tokens(analysis.words(answer)))

    def differs(text: str) -> bool:
        if parse(text) is None:
            return False
        held = set(analysis.tokens(analysis.words(text)))
        return 0 < len(held) <= _WORDS_MOST and not any(_alike(one, other) for one in held for other in said)

    return [name for name, body, content_type in bodies if differs(body_text(content_type, body))]


def _alike(one: str, other: str) -> bool:
    """Whether two words are one, or forms of one as far as a common beginning tells."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= _STEM_CHARACTERS and long.startswith(short)
