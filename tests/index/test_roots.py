"""Full text of one root beside that of others: what a search scores depends on the own root alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memslot_index.candidates import Candidates, Wanted
from memslot_index.changes import Change, Entry, Removal
from memslot_index.database import schema, words
from memslot_index.database.stopping import Stop
from memslot_index.fulltext.query import parse
from memslot_index.index import Index
from memslot_index.vectors.choice import VectorSettings

TEXTS = ["the red apple", "a green apple, an old pear", "apple apple pear", "plum and pear", "a fig"] * 12
QUESTION = "apple pear plum"


def entry(path: str, name: str, text: str) -> Entry:
    """A slot with a text."""
    return Entry(path, name, 1, 1, "", (), "", text)


def entries(path: str, texts: list[str]) -> list[Change]:
    """A slot for each text."""
    return [entry(path, f"n{at}", text) for at, text in enumerate(texts)]


def searched(index: Index, path: str, text: str = QUESTION, depth: int = 100) -> Candidates:
    """A search by words, and by a vector where there are any: the words' scores are made shares of what they could reach."""
    return index.search(path, Wanted(parse(text), None, depth), Stop())


def names(index: Index, path: str, text: str) -> set[str]:
    """Whom a word finds."""
    return {found.name for found in searched(index, path, text).items}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """An index in a folder."""
    index = Index(tmp_path, VectorSettings(directory=tmp_path))
    yield index
    index.close()


@pytest.mark.parametrize("others", ["before", "after", "gone"])
def test_what_another_root_writes_changes_no_score(index: Index, tmp_path: Path, others: str) -> None:
    """Ranks and scores are the same to the last bit, whether or not ten thousand documents of another root have the same words."""
    alone = Index(None, VectorSettings())
    alone.apply(entries("a/notes", TEXTS))
    strange = entries("b", [f"{TEXTS[at % 60]} pear pear {at}" for at in range(10_000)])
    if others == "before":
        index.apply(strange)
    index.apply(entries("a/notes", TEXTS))
    if others != "before":
        index.apply(strange)
    if others == "gone":
        index.apply([Removal("b", change.name) for change in strange])
    assert searched(index, "a/notes") == _numbered_as(searched(alone, "a/notes"), alone, index)
    assert len(searched(index, "a/notes").items) == 48


def _numbered_as(found: Candidates, before: Index, after: Index) -> Candidates:
    """The same with the ids of another index."""
    spaces = before.space("a/notes"), after.space("a/notes")
    assert spaces[0] is not None
    assert spaces[1] is not None
    moved = spaces[1].low - spaces[0].low
    items = [type(item)(item.id + moved, *(getattr(item, key) for key in item.__slots__[1:])) for item in found.items]
    return Candidates(items, found.exhausted, found.cut)


def test_scores_with_vectors_depend_on_the_own_root_alone(index: Index) -> None:
    """Where words and vectors are made one, the number of documents that counts is the root's."""
    np = pytest.importorskip("numpy")
    vector = np.array([1.0, 0.0], dtype="<f4")
    index.apply([Entry("a", f"n{at}", 1, 1, "", (), "", text, vector.tobytes()) for at, text in enumerate(TEXTS)])
    wanted = Wanted(parse(QUESTION), vector, 100)
    before = index.search("a", wanted, Stop())
    index.apply(entries("b", TEXTS * 20))
    assert index.search("a", wanted, Stop()) == before


def test_namespaces_of_one_root_count_together(index: Index) -> None:
    """A word is as rare as it is in all of a root's namespaces; which of them is searched changes nothing about that."""
    for path in ("a", "a/b", "ab"):
        index.apply([entry(path, "n", "apple"), *(entry(path, f"other{at}", "pear") for at in range(5))])
    index.apply([entry("a/c", f"n{at}", "pear") for at in range(5)])
    first, second, other = (searched(index, path, "apple").items[0].score for path in ("a", "a/b", "ab"))
    assert first == second != other


def test_roots_beyond_the_limit_share_a_table(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first have tables of their own; the others are found too, by none but themselves."""
    monkeypatch.setattr(words, "OWN_LIMIT", 2)
    for root in "abcd":
        index.apply([entry(f"{root}/x", root, "apple"), entry(f"{root}/y", f"{root}2", "apple")])
    assert [space.words for space in index.spaces()] == [1, 1, 2, 2, 0, 0, 0, 0]
    assert [names(index, f"{root}/x", "apple") for root in "abcd"] == [{"a"}, {"b"}, {"c"}, {"d"}]
    index.drop("c/x")
    index.drop("c/y")
    assert names(index, "d/y", "apple") == {"d2"}


def test_a_table_that_nobody_uses_is_the_next_roots(index: Index, tmp_path: Path) -> None:
    """Roots that come and go leave the schema as it is and no word behind; the next one's scores are those of an index without history."""
    index.apply(entries("a", TEXTS))
    tables = _tables(tmp_path)
    expected = searched(index, "a")
    for number in range(5):
        path = f"root{number}/notes"
        if number % 2:
            index.drop(index.spaces()[0].path)
        else:
            (space,) = index.spaces()
            index.apply([Removal(space.path, name) for name in index.names(space.path, "", 1000)])
        assert _rows(tmp_path, "words_1_docsize") == 0
        assert _rows(tmp_path, "words_1_idx") == 0
        index.apply(entries(path, TEXTS))
        found = searched(index, path)
        assert [(item.name, item.score) for item in found.items] == [(i.name, i.score) for i in expected.items]
    assert _tables(tmp_path) == tables


def _rows(directory: Path, table: str) -> int:
    connection = apsw.Connection(str(directory / "index.db"))
    (count,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    connection.close()
    return int(count)


def _tables(directory: Path) -> list[str]:
    connection = apsw.Connection(str(directory / "index.db"))
    found = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema ORDER BY name")]
    connection.close()
    return found


def test_each_table_is_made_alike(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root's own, one that was emptied and the shared one have the same settings."""
    monkeypatch.setattr(words, "OWN_LIMIT", 2)
    for root in "abc":
        index.apply([entry(root, "n", "apple")])
    index.drop("a")
    connection = apsw.Connection(str(tmp_path / "index.db"))
    settings = [sorted(connection.execute(f"SELECT * FROM words_{number}_config").fetchall()) for number in range(3)]
    connection.close()
    assert settings[0] == settings[1] == settings[2]
    assert ("deletemerge", 50) in settings[0]


def test_a_table_of_a_transaction_that_failed_is_not_there(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root whose first write fails is indexed by the next one."""
    with monkeypatch.context() as patch:
        patch.setattr(index.summaries, "told", _fails)
        with pytest.raises(OSError, match="no space"):
            index.apply([entry("a", "n", "apple")])
    index.apply([entry("b", "n", "apple"), entry("a", "m", "apple")])
    assert (names(index, "a", "apple"), names(index, "b", "apple")) == ({"m"}, {"n"})
    assert index.check() == []


def _fails(*_: object) -> None:
    raise OSError("no space")


def test_erased_words_are_in_no_file_whoever_s_they_were(index: Index, tmp_path: Path) -> None:
    """Words of a root that stays, of one that went, and of one that shares a table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "OWN_LIMIT", 2)
        for root in "abcd":
            index.apply([entry(root, "keep", "apple"), entry(root, "gone", f"zq{root}hushzq apple")])
    index.apply([Removal(root, "gone") for root in "abcd"] + [Removal("b", "keep")])
    index.wipe()
    held = b"".join(path.read_bytes() for path in tmp_path.glob("index.db*"))
    assert [root for root in "abcd" if f"q{root}hush".encode() in held] == []
    assert [names(index, root, "apple") for root in "abcd"] == [{"keep"}, set(), {"keep"}, {"keep"}]


steps = st.lists(
    st.tuples(
        st.sampled_from("abcd"), st.integers(0, 3), st.sampled_from(["apple", "pear", "apple pear", None, "drop"])
    ),
    max_size=25,
)


@given(steps, st.booleans())
def test_found_is_what_each_root_holds(history: list[tuple[str, int, str | None]], shared: bool) -> None:
    """After any writes, removals and drops in several roots, with tables of their own or not, words find the own documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "OWN_LIMIT", 2 if shared else 100)
        index, model = Index(None, VectorSettings()), dict[tuple[str, str], str]()
        for root, number, text in history:
            name = f"n{number}"
            if text == "drop":
                index.drop(root)
                model = {key: said for key, said in model.items() if key[0] != root}
            elif text is None:
                index.apply([Removal(root, name)])
                model.pop((root, name), None)
            else:
                index.apply([entry(root, name, text)])
                model[root, name] = text
        for root in "abcd":
            for word in ("apple", "pear"):
                held = {name for (at, name), said in model.items() if at == root and word in said}
                assert names(index, root, word) == held
        assert schema.check(index._connections.writer) == []
        index.close()
