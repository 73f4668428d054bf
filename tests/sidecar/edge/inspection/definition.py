"""What an inspection promises, written as slowly and plainly as it can be, and texts to hold it against."""

from __future__ import annotations

from hypothesis import strategies as st

from memslot_sidecar.edge.inspection.bodies import PART, SHORTEST, SHORTEST_VISIBLE, WINDOW

ALPHABETS = ("ab", "ab ", "abcdefgh  \n", "é😀 x\n中", 'a"\\/u0 ')
SPACES = st.text(" \n\t\r\u00a0\u2003", max_size=3)
PLAIN = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))


def visible(text: str) -> list[int]:
    """The places of the characters that are not white space."""
    return [place for place, letter in enumerate(text) if not letter.isspace()]


def found_in(text: str, body: str) -> set[int]:
    """The places of a text that stand in a part of a body which is promised to be found, white space left out."""
    there, held = visible(text), visible(body)
    flat = "".join(text[place] for place in there)
    covered: set[int] = set()
    for part in _parts(body, held):
        at = flat.find(part)
        while at >= 0:
            covered.update(there[at : at + len(part)])
            at = flat.find(part, at + 1)
    return covered


def _parts(body: str, held: list[int]) -> set[str]:
    flat = "".join(body[place] for place in held)
    if len(body) < PART or len(held) < WINDOW:
        return {flat} if len(body) >= SHORTEST and len(held) >= SHORTEST_VISIBLE else set()
    edges = [-1, *held, len(body)]
    return {
        flat[first : first + length]
        for first in range(len(held))
        for length in range(WINDOW, min(PART, len(held) - first) + 1)
        if edges[first + length + 1] - edges[first] - 1 >= PART
    }


@st.composite
def alike(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Bodies and texts that are put together from the same pieces, out of few letters."""
    letters = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    sizes = st.sampled_from((5, 14, 30, 45, 80))
    pieces = [
        draw(st.text(letters, min_size=size, max_size=size)) for size in draw(st.lists(sizes, min_size=1, max_size=4))
    ]

    def mixed(most: int) -> str:
        cuts = draw(st.lists(st.tuples(st.sampled_from(pieces), st.integers(0, 30), st.integers(1, 80)), max_size=most))
        text = "".join(piece[start : start + length] for piece, start, length in cuts)
        return "".join(text.split()) if draw(st.booleans()) else text

    return [mixed(4) for _ in range(3)], [mixed(6) for _ in range(2)]


@st.composite
def respaced(draw: st.DrawFn, text: str) -> str:
    """A text with other white space: any of it taken out or changed, and some put in anywhere."""
    spaces = draw(st.lists(SPACES, min_size=1, max_size=8))
    letters = [letter for letter in text if not letter.isspace()]
    return "".join(letter + spaces[(place * 7) % len(spaces)] for place, letter in enumerate(letters)).strip()
