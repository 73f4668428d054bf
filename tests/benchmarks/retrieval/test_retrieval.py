"""The harness judges rightly. How well memslot finds is asserted nowhere here: that is what it measures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.benchmarks.retrieval.asking import ask, judge
from tests.benchmarks.retrieval.dataset import Dataset, Query, load, own
from tests.benchmarks.retrieval.metrics import Answer, recall_at, reciprocal_rank, scores
from tests.benchmarks.retrieval.report import Outcome, as_json, note_misses, table
from tests.benchmarks.retrieval.run import main

SLOTS = [
    {"namespace": "a", "slot": "later", "text": "Ben: Did you bring the greyhound home?", "task_type": "chat", "order": 2},
    {"namespace": "a", "slot": "first", "body": {"dog": "Biscuit"}, "tags": ["pet"], "description": "The dog", "order": 1},
    {"namespace": "b", "slot": "first", "text": "水煮鱼放多了豆瓣酱", "order": 1},
]  # fmt: skip
QUERIES = [
    {"namespace": "a", "query": "biscuit", "relevant": ["first"], "kind": "easy"},
    {"namespace": "a", "query": "greyhound", "relevant": ["first", "later"], "kind": "hard"},
    {"namespace": "b", "query": "豆瓣酱", "relevant": ["first"]},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A small dataset: its slots and its questions."""
    return _written(tmp_path / "pets_slots.jsonl", SLOTS), _written(tmp_path / "pets_queries.jsonl", QUERIES)


@pytest.fixture
def dataset(files: tuple[Path, Path]) -> Dataset:
    """The same, loaded."""
    return load([files[0]], [files[1]])


@pytest.mark.parametrize(
    ("depth", "expected"), [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (20, 1.0)]
)  # fmt: skip
def test_recall_is_the_share_of_the_relevant_that_was_found(depth: int, expected: float) -> None:
    """Recall at a depth counts what stands above it, as a share of all that should."""
    assert recall_at(depth, ["x", "a", "y", "b"], {"a", "b"}) == expected


def test_what_was_not_found_is_worth_nothing() -> None:
    """The reciprocal rank is that of the first relevant name, and 0 without one."""
    assert reciprocal_rank(["x", "a", "b"], {"a", "b"}) == 0.5
    assert reciprocal_rank(["x"], {"a"}) == reciprocal_rank([], {"a"}) == 0.0


def test_scores_are_means_over_questions() -> None:
    """Every question counts the same, however many slots answer it."""
    judged = [(Answer(("a",), 0.001), {"a"}), (Answer(("x", "a"), 0.003), {"a", "b", "c", "d"})]
    found = scores(judged)
    assert found.recall == (0.5, 0.625, 0.625, 0.625)
    assert (found.queries, found.mrr, found.p50_ms, found.p95_ms) == (2, 0.75, 1.0, 3.0)


def test_slots_come_in_the_order_of_writing(dataset: Dataset) -> None:
    """The order of the file does not matter, that of the slots does: neighbours are made by it."""
    spaces = dataset.by_namespace()
    assert [slot.name for slot in spaces["a"]] == ["first", "later"]
    first = spaces["a"][0]
    assert (first.value, first.tags, first.description) == ({"dog": "Biscuit"}, ("pet",), "The dog")


@pytest.mark.parametrize("relevant", [["nobody"], []])
def test_a_question_without_an_answer_is_refused(files: tuple[Path, Path], relevant: list[str]) -> None:
    """A question that nothing can answer would only lower every figure."""
    queries = _written(files[1], [{"namespace": "a", "query": "who?", "relevant": relevant}])
    with pytest.raises(ValueError, match=r"who\?"):
        load([files[0]], [queries])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"namespace": "a", "text": "no name"}, "has no slot"),
        ({"namespace": "a", "slot": "x"}, "one of text and body"),
        ({"namespace": "a", "slot": "x", "text": "t", "speaker": "Ben"}, "has speaker: known are namespace, slot"),
        (["a"], "no JSON object"),
    ],
)
def test_a_slot_that_cannot_be_used_is_named(files: tuple[Path, Path], line: object, said: str) -> None:
    """Nothing of a stranger's file is left out in silence: the command ends, and says which line and why."""
    slots = _written(files[0], [*SLOTS, line])
    with pytest.raises(SystemExit, match=f"pets_slots.jsonl, line 4: .*{said}"):
        main(["--slots", str(slots), "--queries", str(files[1])])


def test_slots_without_an_order_stay_as_they_stand(tmp_path: Path) -> None:
    """Files in the order of writing need no numbers."""
    lines = [{"namespace": "a", "slot": name, "text": name} for name in "cab"]
    found = load([_written(tmp_path / "s.jsonl", lines)], [])
    assert [slot.name for slot in found.slots] == ["c", "a", "b"]


def test_misses_tell_what_came_instead(dataset: Dataset, tmp_path: Path) -> None:
    """Only questions of which a slot is missing are noted, with the names that were found."""
    path = tmp_path / "misses.jsonl"
    note_misses(path, "exact hybrid", dataset.queries, ask(dataset.queries, lambda query, limit: ["first"]))
    (line,) = map(json.loads, path.read_text().splitlines())
    assert (line["query"], line["missed"], line["found"]) == ("greyhound", ["later"], ["first"])


def test_a_line_that_is_no_json_is_named(files: tuple[Path, Path]) -> None:
    """Who wrote the file learns which line it is."""
    files[1].write_text('{"namespace": "a"', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        load([files[0]], [files[1]])


def test_questions_are_judged_together_by_file_and_by_kind(dataset: Dataset) -> None:
    """A searcher is asked each question of each namespace, and every group has its own figures."""

    def knows_one(query: Query, limit: int) -> Sequence[str]:
        return ["first"][:limit]

    groups = judge(dataset.queries, ask(dataset.queries, knows_one))
    assert {name: (group.queries, group.recall[0]) for name, group in groups.items()} == {
        "all": (3, pytest.approx(2.5 / 3)), "pets": (3, pytest.approx(2.5 / 3)),
        "kind: easy": (1, 1.0), "kind: hard": (1, 0.5), "kind: none": (1, 1.0),
    }  # fmt: skip


@pytest.mark.parametrize("names", [["first", "first"], [str(number) for number in range(21)]])
def test_a_slot_told_twice_or_too_many_end_the_measurement(dataset: Dataset, names: list[str]) -> None:
    """No figure is made of answers that are wrong."""
    with pytest.raises(AssertionError, match="brought"):
        ask(dataset.queries, lambda query, limit: names)


def test_the_table_tells_kinds_only_when_asked(dataset: Dataset) -> None:
    """The JSON holds every group, the table those of kinds when they are asked for."""
    groups = judge(dataset.queries, ask(dataset.queries, lambda query, limit: ["first"]))
    outcomes = [Outcome("exact", "hybrid", groups)]
    assert len(table(outcomes).splitlines()) == 2 + 2
    assert len(table(outcomes, kinds=True).splitlines()) == 2 + 5
    lines = json.loads(json.dumps(as_json(outcomes)))
    assert {line["questions"] for line in lines} == set(groups)
    assert lines[0]["recall@1"] == pytest.approx(2.5 / 3)


def test_the_repository_has_enough_to_measure_by() -> None:
    """The data of the repository loads, in both languages, with every answer in its place."""
    ours = load(*own())
    assert len(ours.slots) >= 900
    assert len(ours.queries) >= 600
    kinds = {query.kind for query in ours.queries}
    assert {"single-hop", "multi-hop", "temporal", "open-domain", "diary-zh", "diary-en", "ja", "ko"} <= kinds


@pytest.mark.slow
def test_a_dataset_of_ones_own_is_measured(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command fills a real sidecar with the files it was given, asks in every mode, and tells table and JSON."""
    told = tmp_path / "figures.json"
    code = main(["--slots", str(files[0]), "--queries", str(files[1]), "--embedder", "hashing", "--json", str(told)])
    assert code == 0
    printed = capsys.readouterr().out
    assert [line.split()[2] for line in printed.splitlines() if line.startswith("pets")] == [
        "fulltext", "vector", "hybrid", "hybrid+neighbors",
    ]  # fmt: skip
    words = next(
        line for line in json.loads(told.read_text()) if (line["mode"], line["questions"]) == ("fulltext", "all")
    )
    assert words["recall@5"] == pytest.approx(2.5 / 3)


def _written(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path
