"""Among few documents words and vectors both count."""

from __future__ import annotations

import pytest

from memslot_index.candidates import Wanted
from memslot_index.changes import Entry
from memslot_index.database.stopping import Stop
from memslot_index.fulltext.query import parse
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

np = pytest.importorskip("numpy")


def test_a_word_that_most_have_counts_beside_a_vector() -> None:
    """Of three slots two hold the word that is asked for: it lifts the nearer of them above one that is a little nearer still."""
    index = Index(None, VectorSettings())
    asked = np.array([1, 0], dtype="<f4")
    for at, (text, cosine) in enumerate([("a greyhound", 0.8), ("the greyhound", 0.7), ("a kettle", 0.9)]):
        vector = np.array([cosine, (1 - cosine**2) ** 0.5], dtype="<f4")
        index.apply([Entry("a", f"n{at}", at + 1, at + 1, "", (), "", text, vector=vector.tobytes())])
    found = index.search("a", Wanted(parse("greyhound"), asked, 100), Stop()).items
    assert [item.name for item in found] == ["n0", "n2", "n1"]
    index.close()
