"""The table finds what was put and not removed, and keeps no text."""

from __future__ import annotations

from itertools import compress
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.fulltext.tables import HIGH, LOW, document, empty, found, of, unsound

from memslot_index.fulltext.query import TextQuery, parse
from memslot_index.fulltext.table import FIELDS, Document, FullText

WORDS = ["alpha", "beta", "gamma", "上海", "北京", "😀", "user_pref"]
steps = st.lists(
    st.tuples(
        st.just("put"), st.lists(st.tuples(st.integers(0, 7), st.lists(st.sampled_from(WORDS), max_size=4)), max_size=5)
    )
    | st.tuples(st.just("remove"), st.lists(st.integers(0, 9), max_size=5))
    | st.tuples(st.just("wipe"), st.just([])),
    max_size=12,
)


def _query(text: str) -> TextQuery:
    query = parse(text)
    assert query is not None
    return query


@given(steps)
def test_found_is_what_was_put_and_not_removed(history: list[tuple[str, list[object]]]) -> None:
    """After any sequence of puts and removals, each word finds exactly the documents that hold it now."""
    table, model = empty(), {}
    for what, arguments in history:
        if what == "put":
            table.put([document(local, " ".join(words)) for local, words in arguments])
            model.update(arguments)
        elif what == "remove":
            table.remove([LOW + local for local in arguments])
            model = {local: words for local, words in model.items() if local not in arguments}
        else:
            table.wipe()
        assert unsound(table) == []
    for word in WORDS:
        assert sorted(found(table, word)) == sorted(local for local, words in model.items() if word in words)


def test_create_keeps_what_is_there() -> None:
    """Creating the table again changes nothing."""
    table = of("word")
    table.create()
    assert found(table, "word") == [0]


def test_a_table_may_have_any_name() -> None:
    """Two tables in one database do not meet."""
    connection = apsw.Connection(":memory:")
    tables = [FullText(connection, name) for name in ("a b", 'c"d')]
    for number, table in enumerate(tables):
        table.create()
        table.put([document(number, "word")])
    assert [found(table, "word") for table in tables] == [[0], [1]]


def test_a_range_of_ids_is_searched() -> None:
    """Documents with ids outside of the range are not found, those at its ends are."""
    table = empty()
    table.put([document(id_ - LOW, "word") for id_ in (LOW - 1, LOW, HIGH, HIGH + 1, 0, 2**63 - 1, -(2**63))])
    assert [match.id for match in table.search(_query("word"), LOW, HIGH, 10)] == [LOW, HIGH]
    assert len(table.search(_query("word"), -(2**63), 2**63 - 1, 10)) == 7


def test_the_limit_is_filled_with_the_best() -> None:
    """Of more matches than asked for, the best are given, in order of score and then of id."""
    table = of("apple pear", *["apple"] * 40, "apple pear")
    assert found(table, "apple pear", 5) == [0, 41, 1, 2, 3]


def test_scores_fall_and_are_above_zero() -> None:
    """Scores are above zero, also of a word that each document has."""
    scores = [
        match.score for match in of("a word", "word word", "word and more words").search(_query("word"), LOW, HIGH, 10)
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3
    assert min(scores) > 0


def test_a_name_counts_more_than_a_body() -> None:
    """The same word ranks higher in a name than in the tags, the description or the body."""
    table = empty()
    fields = {"body": "apple", "description": "apple", "task_type": "apple", "tags": ("apple",), "name": "apple"}
    table.put([document(local, **{field: value}) for local, (field, value) in enumerate(fields.items())])
    assert found(table, "apple")[:2] == [4, 3]
    assert found(table, "apple")[-1] == 0


@given(st.sets(st.integers(-5, 60)), st.integers(1, 60))
def test_within_is_exact(chosen: set[int], limit: int) -> None:
    """With ids to choose from, the result is that of all with the others left out, before the limit."""
    query, ids = _query("apple pear"), [LOW + local for local in chosen]
    everything = TABLE.search(query, LOW, HIGH, 100)
    expected = [match for match in everything if match.id in ids]
    assert TABLE.search(query, LOW, HIGH, limit, ids) == expected[:limit]
    assert sorted(TABLE.among(query, ids)) == sorted(expected)


TABLE = of(*(f"{'apple ' * (n % 4)} {'pear ' * (n % 3)} filler {n}" for n in range(50)))


def test_matched_fields_are_told() -> None:
    """For each match the fields are told that hold a word of the query."""
    table = empty()
    table.put(
        [
            Document(LOW, "apple", "the pear", ("plum", "fig"), "none", "An apple and a cherry."),
            Document(LOW + 1, "pear", "", (), "apple_pie", ""),
            Document(LOW + 2, "nut", "nut", (), "", ""),
        ]
    )
    ids = [LOW, LOW + 1, LOW + 2, LOW + 3]
    for words, fields in (
        ("apples pear", {LOW: ("name", "description", "body"), LOW + 1: ("name", "task_type")}),
        ('"an apple" plum', {LOW: ("tags", "body")}),
        ("fig", {LOW: ("tags",)}),
    ):
        query = _query(words)
        assert {match.id: match.fields for match in table.search(query, LOW, HIGH, 10)} == fields
        assert {match.id: match.fields for match in table.among(query, ids)} == fields
    assert table.among(_query("fig"), []) == []


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=12), st.integers(1, 12))
def test_fields_are_those_of_the_document(held: list[list[bool]], limit: int) -> None:
    """Whichever fields hold the word, in however many documents, and whichever are the best."""
    table = empty()
    rows = [["apple" if has else "nut" for has in document] for document in held]
    table.put(
        [Document(LOW + at, name, about, (tag,), task, body) for at, (name, about, tag, task, body) in enumerate(rows)]
    )
    found = table.search(_query("apple"), LOW, HIGH, limit)
    assert len(found) == min(limit, sum(map(any, held)))
    assert all(match.fields == tuple(compress(FIELDS, held[match.id - LOW])) for match in found)


def test_rows_may_be_smaller_than_ids() -> None:
    """Whatever a table is shifted by, it is told and tells the ids of documents."""
    connection, shift = apsw.Connection(":memory:"), LOW - 7
    plain, shifted = FullText(connection), FullText(connection, shift=shift)
    plain.create()
    shifted.put([document(at, "apple " * (at + 1)) for at in range(4)])
    shifted.remove([LOW + 1])
    query = _query("apple")
    found = shifted.search(query, LOW, HIGH, 3)
    assert {match.id for match in found} == {LOW, LOW + 2, LOW + 3}
    assert [match.id for match in shifted.search(query, LOW + 1, LOW + 2, 3)] == [LOW + 2]
    assert [match.id for match in shifted.search(query, LOW, HIGH, 3, [LOW, LOW + 1])] == [LOW]
    assert sorted(shifted.among(query, [LOW + 3, LOW])) == sorted(match for match in found if match.id != LOW + 2)
    assert {match.id + shift for match in plain.search(query, 0, 100, 9)} == {match.id for match in found}


def test_a_common_word_still_tells_its_field() -> None:
    """A word that all documents have tells its field as well."""
    table = of(*["word"] * 20)
    assert [match.fields for match in table.among(_query("word"), [LOW])] == [("body",)]


def _database(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("secure_delete", True)
    return connection


def _holding(folder: Path, word: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if word in path.read_bytes()]


@pytest.mark.parametrize("merged_before", [False, True])
@pytest.mark.parametrize("removed", ["remove", "replace"])
def test_wiped_words_are_in_no_file(tmp_path: Path, merged_before: bool, removed: str) -> None:
    """After a removal, a wipe and a vacuum, no file holds a word of what was removed; others are found as before."""
    connection = _database(tmp_path / "index.db")
    table = FullText(connection)
    table.create()
    bodies = [f"common word{number} text" + (" zqhushzq" if number == 77 else "") for number in range(300)]
    for start in range(0, 300, 10):
        with connection:
            table.put([document(number, bodies[number]) for number in range(start, start + 10)])
    if merged_before:
        table.wipe()
    assert _holding(tmp_path, b"qhushz")
    with connection:
        table.remove([LOW + 77]) if removed == "remove" else table.put([document(77, "calm")])
        table.wipe()
    connection.execute("VACUUM")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert _holding(tmp_path, b"qhushz") == []
    assert found(table, "word78") == [78]
    assert found(table, "zqhushzq") == []
    assert unsound(table) == []


def test_no_text_is_kept(tmp_path: Path) -> None:
    """The files hold words, but no two of a body as they stood in it."""
    connection = _database(tmp_path / "index.db")
    table = FullText(connection)
    table.create()
    table.put([document(0, "Quietly flows the Don", description="Rivers and banks")])
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert _holding(tmp_path, b"flow")
    assert not any(_holding(tmp_path, text) for text in (b"flows the", b"Quietly", b"and banks"))


def test_damage_is_told(tmp_path: Path) -> None:
    """An index whose pages do not fit together is told to be unsound."""
    connection = _database(tmp_path / "index.db")
    table = FullText(connection)
    table.create()
    table.put([document(number, f"word{number} and more") for number in range(200)])
    assert unsound(table) == []
    connection.execute("UPDATE fulltext_data SET block = zeroblob(length(block)) WHERE id > 10")
    broken = FullText(_database(tmp_path / "index.db"))
    assert len(unsound(broken)) == 1


def test_a_batch_is_one_transaction_of_its_caller() -> None:
    """Nothing is kept of a transaction that its owner rolls back."""
    connection = apsw.Connection(":memory:")
    table = FullText(connection)
    table.create()
    connection.execute("BEGIN")
    table.put([document(0, "word")])
    connection.execute("ROLLBACK")
    assert found(table, "word") == []
