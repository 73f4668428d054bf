"""What searches are measured with is what it is said to be, and a wrong answer ends the measurement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.benchmarks import corpus as made
from tests.benchmarks.bench import Bench
from tests.benchmarks.cases import search, search_peers, write_fulltext
from tests.benchmarks.corpus import MARKERS, WORDS, Corpus
from tests.benchmarks.graphs import graph
from tests.benchmarks.plan import QUICK
from tests.benchmarks.searching import HITS, check, to_be_found

from memslot.v1.slot_service_pb2 import (
    MATCH_BODY,
    MATCH_VECTOR,
    SEARCH_MODE_FULLTEXT,
    SEARCH_MODE_HYBRID,
    SearchHit,
    SearchMode,
    SearchResponse,
)
from memslot_index.fulltext.query import parse

BRIEF = replace(QUICK, found=2_000, vectors=1_000, rounds=1, round_s=0.05, warm_s=0)


def test_a_corpus_is_made_from_numbers() -> None:
    """Whoever makes a block of a corpus, and in whatever order, gets the same texts and vectors."""
    one, other = Corpus(1_000), Corpus(1_000)
    assert [one.bodies(block) for block in (3, 1)] == [other.bodies(block) for block in (1, 3)][::-1]
    assert np.array_equal(one.vectors(5), other.all_vectors[one.numbers(5)])
    assert [one.body(number) for number in (0, 999)] == [other.bodies(0)[0], other.bodies(7)[-1]]
    assert [made.number_of(made.name_of(number)) for number in (0, 999)] == [0, 999]
    assert len(one.all_vectors) == len(one.all_marked) == 1_000


def test_texts_hold_the_markers_that_they_are_said_to_hold() -> None:
    """Each marker stands in about one text of a hundred, and a text has nothing but its words."""
    corpus = Corpus(20_000)
    words = [body.split() for block in corpus.blocks[:8] for body in corpus.bodies(block)]
    held = [[marker in text for marker in MARKERS] for text in words]
    assert {len(text) for text in words} == {WORDS}
    assert np.array_equal(held, corpus.all_marked[: len(words)])
    shares = corpus.all_marked.mean(axis=0)
    assert (shares > 0.007).all()
    assert (shares < 0.013).all()


def test_markers_are_searched_as_they_are() -> None:
    """No marker is shortened, left out or taken apart, so that a raw query and ours look for the same words."""
    for marker in MARKERS:
        query = parse(marker)
        assert query is not None
        assert query.match() == f'("{marker}")'


def test_vectors_stand_in_clusters() -> None:
    """A slot's nearest are much nearer than the rest, as with embeddings of texts about the same things."""
    corpus = Corpus(2_000)
    assert np.allclose(np.linalg.norm(corpus.all_vectors, axis=1), 1, atol=1e-5)
    similar = np.sort(corpus.all_vectors @ corpus.questions(1, 3)[0].vector)
    assert similar[-HITS] > 0.6
    assert np.median(np.abs(similar)) < 0.1


def test_sentences_have_their_size_and_a_word_of_their_own() -> None:
    """What writes are measured with is exactly as long as said, and told apart by one word."""
    numbers = range(0, 5_000_000, 4_999)
    texts = [made.sentence(number, 1_024) for number in numbers]
    assert {len(text.encode()) for text in texts} == {1_024}
    assert [text.split()[0] for text in texts] == [made.word_of(number) for number in numbers]
    assert len(set(texts)) == len(texts)


def test_a_filling_is_the_corpus() -> None:
    """What is written has the corpus's texts and vectors."""
    corpus = Corpus(300)
    write = to_be_found(corpus).write_of(299)
    assert write.body == corpus.body(299).encode()
    assert np.array_equal(np.array(write.vector, dtype=np.float32), corpus.all_vectors[299])


@pytest.mark.parametrize(
    ("mode", "spoil"),
    [
        (SEARCH_MODE_FULLTEXT, lambda reply: reply.hits.pop()),
        (SEARCH_MODE_FULLTEXT, lambda reply: setattr(reply.hits[-1], "name", reply.hits[0].name)),
        (SEARCH_MODE_FULLTEXT, lambda reply: setattr(reply.hits[-1], "score", 100)),
        (SEARCH_MODE_FULLTEXT, lambda reply: setattr(reply, "mode", SEARCH_MODE_HYBRID)),
        (SEARCH_MODE_FULLTEXT, lambda reply: reply.degraded.append("only words were searched")),
        (SEARCH_MODE_FULLTEXT, lambda reply: reply.hits[0].matched_by.append(MATCH_VECTOR)),
        (SEARCH_MODE_HYBRID, lambda reply: reply.hits[0].ClearField("matched_by")),
    ],
)
def test_a_wrong_answer_is_noticed(mode: SearchMode, spoil: object) -> None:
    """Too few hits, one twice, a wrong order, mode or explanation: no figure is made of it."""
    corpus = Corpus(2_000)
    question = corpus.questions(1, 3)[0]
    reply = _right(corpus, question.markers, mode)
    check(corpus, mode, question, reply)
    assert callable(spoil)
    spoil(reply)
    with pytest.raises(AssertionError):
        check(corpus, mode, question, reply)


def test_an_answer_without_the_best_is_noticed() -> None:
    """A search by words that leaves out a slot with more of them is wrong, however well it explains its hits."""
    corpus = Corpus(20_000)
    question = corpus.questions(1, 3)[0]
    reply = _right(corpus, question.markers, SEARCH_MODE_FULLTEXT)
    held = corpus.all_marked[:, list(question.markers)].sum(axis=1)
    assert held.max() > 1
    for hit, number in zip(reply.hits, np.flatnonzero(held == 1), strict=False):
        hit.name = made.name_of(int(number))
    with pytest.raises(AssertionError, match="most of them"):
        check(corpus, SEARCH_MODE_FULLTEXT, question, reply)


async def test_a_missing_peer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where another store is not installed its case is left out, and says what to install; the others go on."""
    monkeypatch.setattr(search_peers, "_NEEDED", ("there_is_no_such_store.sqlite",))
    async with Bench(BRIEF, tmp_path, tmp_path / "stores") as bench:
        assert (await search_peers.run(bench)).figures == ()
    assert "pip install --group peers" in capsys.readouterr().err


@pytest.mark.slow
async def test_a_graph_is_built_once_and_answers(tmp_path: Path) -> None:
    """A graph in a process of its own tells what it takes, is kept, and is searched."""
    async with graph(tmp_path, 500) as first:
        assert (await first.turn(BRIEF, HITS)).calls > 0
    kept = (tmp_path / "graph-500").stat().st_mtime_ns
    async with graph(tmp_path, 500) as second:
        assert second.built == first.built
        assert second.loaded["file_bytes"] > 500 * 768
    assert (tmp_path / "graph-500").stat().st_mtime_ns == kept


@pytest.mark.slow
async def test_search_is_measured(tmp_path: Path) -> None:
    """The case of searches runs from an empty store to its figures, and a small graph finds all of the nearest."""
    async with Bench(BRIEF, tmp_path, tmp_path / "stores") as bench:
        outcome = await search.run(bench)
    figures = {figure.name: figure.value for figure in outcome.figures}
    assert figures["recall@10 of vector Search (hnsw)"] > 0.97
    assert figures["slots written and indexed, Commits of 128"] > 0


@pytest.mark.slow
async def test_writes_are_measured_with_their_words_found(tmp_path: Path) -> None:
    """The case of writes runs to its figures, which it only does when the words that were written last are found."""
    async with Bench(BRIEF, tmp_path, tmp_path / "stores") as bench:
        outcome = await write_fulltext.run(bench)
    assert [figure.name for figure in outcome.figures if figure.limit] == [
        f"Write/s, full text over keys, {callers} callers" for callers in write_fulltext.CALLERS
    ]


def _right(corpus: Corpus, markers: tuple[int, ...], mode: SearchMode) -> SearchResponse:
    held = corpus.all_marked[:, list(markers)].sum(axis=1)
    best = np.argsort(-held, kind="stable")[:HITS].tolist()
    hits = [
        SearchHit(name=made.name_of(number), score=HITS - at, matched_by=[MATCH_BODY]) for at, number in enumerate(best)
    ]
    return SearchResponse(hits=hits, mode=mode)
