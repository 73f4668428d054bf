"""The searches that are measured, and what makes an answer right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count

import numpy as np
from tests.benchmarks import corpus as made
from tests.benchmarks.connection import Sidecar
from tests.benchmarks.corpus import BLOCK, NAMESPACE, Corpus, Question, number_of
from tests.benchmarks.load import Filling

from memslot.v1.slot_service_pb2 import (
    MATCH_BODY,
    MATCH_VECTOR,
    SEARCH_MODE_FULLTEXT,
    SEARCH_MODE_HYBRID,
    SEARCH_MODE_VECTOR,
    SearchMode,
    SearchRequest,
    SearchResponse,
    WriteRequest,
)

HITS = 10


def to_be_found(corpus: Corpus) -> Filling:
    """What a store is filled with so that the corpus is found in it."""

    @lru_cache(maxsize=8)
    def block(number: int) -> list[WriteRequest]:
        rows = zip(corpus.numbers(number), corpus.bodies(number), corpus.vectors(number).tolist(), strict=True)
        return [
            WriteRequest(name=made.name_of(slot), body=body.encode(), content_type="text/plain", vector=vector)
            for slot, body, vector in rows
        ]

    def write_of(slot: int) -> WriteRequest:
        return block(slot // BLOCK)[slot % BLOCK]

    return Filling(NAMESPACE, corpus.slots, made.name_of, lambda slot: write_of(slot).body, write_of)


async def caught_up(sidecar: Sidecar, corpus: Corpus) -> None:
    """Answers when the words and the vectors of all that was written are searched by the index, and not row by row."""
    question = corpus.questions(1, 1)[0]
    request = SearchRequest(namespace=NAMESPACE, text=question.text, vector=question.vector.tolist())
    for _ in range(2):
        # The first one has the graph loaded, the second one waits for it.
        request.min_revision = (await sidecar.slots.Search(request)).revision


class Searches:
    """Asks one question after the other. An answer that equals the one before to the same question is right without being looked
    through again, so that verifying takes little of the time that is measured."""

    def __init__(self, sidecar: Sidecar, corpus: Corpus, questions: Sequence[Question], mode: SearchMode) -> None:
        self._search = sidecar.slots.Search
        self._corpus = corpus
        self._questions = questions
        self._mode = mode
        self._requests = [_request(question, mode) for question in questions]
        self._checked: dict[int, SearchResponse] = {}
        self._turns = count()

    @classmethod
    async def prepared(
        cls, sidecar: Sidecar, corpus: Corpus, questions: Sequence[Question], mode: SearchMode
    ) -> Searches:
        """After each question was asked once: looking an answer through takes longer than getting it."""
        searches = cls(sidecar, corpus, questions, mode)
        for index in range(len(questions)):
            await searches.ask(index)
        return searches

    async def __call__(self, _caller: int) -> None:
        """Asks the next question. Raises AssertionError when the answer is wrong."""
        await self.ask(next(self._turns) % len(self._requests))

    async def ask(self, index: int) -> list[int]:
        """The numbers of the slots that answer one question. Raises AssertionError when they are wrong."""
        reply = await self._search(self._requests[index])
        if reply != self._checked.get(index):
            check(self._corpus, self._mode, self._questions[index], reply)
            self._checked[index] = reply
        return [number_of(hit.name) for hit in reply.hits]

    async def recall(self) -> float:
        """Which part of the true nearest is found, over all questions; for a search by vectors."""
        shares = [
            len({*await self.ask(index)} & {*self._corpus.nearest(question.vector, HITS)}) / HITS
            for index, question in enumerate(self._questions)
        ]
        return float(np.mean(shares))


def check(corpus: Corpus, mode: SearchMode, question: Question, reply: SearchResponse) -> None:
    """Raises AssertionError unless a reply has ten different hits, best first, each of them explained by what its slot holds; and where
    words alone are searched, those slots that hold most of them."""
    numbers = [number_of(hit.name) for hit in reply.hits]
    scores = [hit.score for hit in reply.hits]
    whole = reply.mode == mode and not reply.degraded and len(set(numbers)) == len(numbers) == HITS
    if not whole or scores != sorted(scores, reverse=True):
        raise AssertionError(f"a search was answered with other than {HITS} different hits, best first: {reply}")
    held = corpus.all_marked[:, list(question.markers)].sum(axis=1)
    for number, hit in zip(numbers, reply.hits, strict=True):
        if not _explained(mode, set(hit.matched_by), held=bool(held[number])):
            raise AssertionError(f"a hit is not explained by what its slot holds: {hit}")
    most = np.sort(np.partition(held, -HITS)[-HITS:])
    if mode == SEARCH_MODE_FULLTEXT and (np.sort(held[numbers]) != most).any():
        raise AssertionError("a search by words was answered without the slots that have most of them")


def _explained(mode: SearchMode, matched_by: set[int], *, held: bool) -> bool:
    allowed = {
        SEARCH_MODE_FULLTEXT: {MATCH_BODY},
        SEARCH_MODE_VECTOR: {MATCH_VECTOR},
        SEARCH_MODE_HYBRID: {MATCH_BODY, MATCH_VECTOR},
    }[mode]
    return bool(matched_by) and matched_by <= allowed and (held or MATCH_BODY not in matched_by)


def _request(question: Question, mode: SearchMode) -> SearchRequest:
    return SearchRequest(
        namespace=NAMESPACE,
        text=question.text if mode != SEARCH_MODE_VECTOR else "",
        vector=question.vector.tolist() if mode != SEARCH_MODE_FULLTEXT else (),
        mode=mode,
        limit=HITS,
    )
