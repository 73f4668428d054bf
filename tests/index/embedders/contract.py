"""What every Embedder promises. An embedder's class says how to open one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memslot_index.embedders.base import Embedder, EmbedderUnavailable

TEXTS = [
    "The gate of flight 83 changed from B4 to C19.",
    "My sister Ana moved to Lisbon in March and likes grilled sardines.",
    "我妹妹三月份搬到了里斯本，她很喜欢烤沙丁鱼。",
    "会议改到星期五下午三点，地点是二号楼。",
    "def save(path):\n    return path.write_text('x')",
    "naïve café – ﬁne Ω",
]
ODD = {
    "emoji": "😀👩‍👩‍👧🏽",
    "one character": "x",
    "punctuation": "?!…",
    "nul at the start": "\x00hidden",
    "lone surrogate": "a\ud800b",
    "eighteen characters of one": "\ufdfa" * 200,
    "right to left": "مرحبا بالعالم",
    "combining": "e" + "\u0301" * 50,
    "zero width": "a\u200b\ufeffb",
    "one long word": "a" * 100_000,
    "blanks around": " " * 70_000 + "word" + " " * 70_000,
    "highest character": "\U0010ffff",
    "long Chinese": "今天天气很好。" * 2_000,
}
NOTHING = ["", " ", "\n\t\u3000", "\x00\x07"]


class EmbedderContract:
    """Everything that :mod:`memslot_index.embedders.base` promises."""

    tolerance = 1e-6
    """How far a component may be off between two ways of embedding the same text."""

    def open(self) -> Embedder:
        """Return a new embedder."""
        raise NotImplementedError

    @pytest.fixture
    def embedder(self) -> Iterator[Embedder]:
        """An embedder, closed in the end."""
        embedder = self.open()
        yield embedder
        embedder.close()

    def test_it_says_what_it_is(self, embedder: Embedder) -> None:
        """An embedder has a name, the identity of its model, a dimension and a size of batches."""
        assert embedder.name
        assert embedder.model
        assert embedder.dimensions > 0
        assert embedder.batch > 0

    def test_a_row_for_each_text(self, embedder: Embedder) -> None:
        """Vectors are float32, one row a text, of length 1; and none for no texts."""
        embedded = embedder.passages(TEXTS)
        assert embedded.vectors.dtype == np.float32
        assert embedded.vectors.shape == (len(TEXTS), embedder.dimensions)
        assert np.linalg.norm(embedded.vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert embedded.truncated == (False,) * len(TEXTS)
        assert embedder.passages([]).vectors.shape == (0, embedder.dimensions)
        assert embedder.passages([]).truncated == ()

    def test_a_query_is_one_vector(self, embedder: Embedder) -> None:
        """A query's vector is float32, of shape (dimensions,) and of length 1."""
        vector = embedder.query(TEXTS[0])
        assert (vector.dtype, vector.shape) == (np.float32, (embedder.dimensions,))
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)

    @pytest.mark.parametrize(
        ("asked", "row"), [("Which gate does flight 83 leave from?", 0), ("妹妹搬到了哪里", 2), ("星期五的会议", 3)]
    )
    def test_what_fits_is_nearest(self, embedder: Embedder, asked: str, row: int) -> None:
        """The text that answers a question is nearer to it than the others, in English and in Chinese."""
        assert int(np.argmax(embedder.passages(TEXTS).vectors @ embedder.query(asked))) == row

    def test_the_same_text_has_the_same_vector(self, embedder: Embedder) -> None:
        """A vector does not depend on what was embedded before, or with it, or by which embedder of the kind."""
        together = embedder.passages(TEXTS).vectors
        alone = np.concatenate([embedder.passages([text]).vectors for text in reversed(TEXTS)])[::-1]
        assert alone == pytest.approx(together, abs=self.tolerance)
        other = self.open()
        try:
            assert other.passages(TEXTS).vectors == pytest.approx(together, abs=self.tolerance)
            assert other.model == embedder.model
        finally:
            other.close()

    @pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
    def test_any_text_is_embedded(self, embedder: Embedder, text: str) -> None:
        """A text of whatever characters, and however long, has a vector of length 1, as passage and as query."""
        vectors = [embedder.passages(["before", text]).vectors[1], embedder.query(text)]
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)

    @pytest.mark.parametrize("text", NOTHING, ids=repr)
    def test_nothing_is_zeros(self, embedder: Embedder, text: str) -> None:
        """A text of blanks and control characters alone is near to nothing: its vector is all zeros."""
        embedded = embedder.passages([text, TEXTS[0]])
        assert not embedded.vectors[0].any()
        assert embedded.vectors[1].any()
        assert embedded.truncated == (False, False)
        assert not embedder.query(text).any()

    def test_what_stands_behind_a_nul_counts(self, embedder: Embedder) -> None:
        """A NUL ends no text."""
        split, whole = embedder.passages(["sardines\x00in Lisbon", "sardines in Lisbon"]).vectors
        assert split == pytest.approx(whole, abs=self.tolerance)

    def test_a_long_text_is_embedded_in_part(self, embedder: Embedder) -> None:
        """The longest body there is has a vector, and is said to be embedded in part; the texts beside it are not."""
        body = "\n".join(f"line {number} of the report is here" for number in range(120_000))[:3_900_000]
        embedded = embedder.passages([TEXTS[0], body])
        assert embedded.truncated == (False, True)
        assert np.linalg.norm(embedded.vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert embedded.vectors[0] == pytest.approx(embedder.passages(TEXTS[:1]).vectors[0], abs=self.tolerance)

    def test_threads_do_not_disturb_each_other(self, embedder: Embedder) -> None:
        """Eight threads at once have the results that one has."""
        texts = [f"{TEXTS[number % len(TEXTS)]} {number}" for number in range(16)]
        alone, queries = embedder.passages(texts).vectors, [embedder.query(text) for text in texts]

        def work(thread: int) -> None:
            for row in (*range(thread, len(texts)), *range(thread)):
                if row % 2:
                    assert embedder.passages([texts[row]]).vectors[0] == pytest.approx(alone[row], abs=self.tolerance)
                else:
                    assert embedder.query(texts[row]) == pytest.approx(queries[row], abs=self.tolerance)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))

    def test_closed_is_closed(self) -> None:
        """A closed embedder can be closed again; asked for something, it says that it is not available, or answers."""
        embedder = self.open()
        embedder.close()
        embedder.close()
        for ask in (lambda: embedder.passages(TEXTS), lambda: embedder.query(TEXTS[0])):
            try:
                ask()
            except EmbedderUnavailable as error:
                assert TEXTS[0] not in str(error)  # noqa: PT017 - either way is right
