"""What every VectorIndex promises. A backend's class says how to open one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.index.vectors.points import DIMENSIONS, SPACE, slots, unit

from memslot_index.vectors.base import VectorIndex

POOL = unit(48)
few = st.lists(st.integers(1, 30), max_size=12, unique=True)
changes = st.lists(st.tuples(st.sampled_from(["put", "put", "remove"]), few, st.integers(0, 35)), max_size=8)


class VectorIndexContract:
    """Everything that :mod:`memslot_index.vectors.base` promises."""

    tolerance = 1e-5
    """How far a similarity may be off."""

    def open(self, folder: Path, dimensions: int) -> VectorIndex:
        """Return an empty index."""
        raise NotImplementedError

    @pytest.fixture
    def index(self, tmp_path: Path) -> Iterator[VectorIndex]:
        """An empty index, closed in the end."""
        index = self.open(tmp_path, DIMENSIONS)
        yield index
        index.close()

    def test_the_nearest_come_first_with_their_similarity(self, index: VectorIndex) -> None:
        """A search returns ids in the order of their cosine similarity, and each one's similarity."""
        index.put(slots(*range(1, 41)), POOL[:40])
        ids, scores = index.search(POOL[47], 10)
        truth = POOL[:40] @ POOL[47]
        assert ids.dtype == np.int64
        assert scores.dtype == np.float32
        assert ids.tolist() == [SPACE | int(row) + 1 for row in np.argsort(-truth)[:10]]
        assert scores == pytest.approx(np.sort(truth)[::-1][:10], abs=self.tolerance)

    def test_a_put_replaces(self, index: VectorIndex) -> None:
        """The vector of an id that is there is replaced, and only found as what it is now."""
        index.put(slots(1, 2, 3), POOL[:3])
        index.put(slots(2, 4), POOL[[9, 4]])
        assert len(index) == 4
        assert index.similarities(POOL[9], slots(1, 2, 3, 4)) == pytest.approx(
            POOL[[0, 9, 2, 4]] @ POOL[9], abs=self.tolerance
        )
        assert index.search(POOL[9], 1)[0].tolist() == slots(2).tolist()

    def test_what_was_removed_is_not_found(self, index: VectorIndex) -> None:
        """A removed id is in no result any more; removing what is not there changes nothing."""
        index.put(slots(1, 2, 3), POOL[:3])
        index.remove(slots(2, 99))
        index.remove(slots(2))
        assert len(index) == 2
        assert set(index.search(POOL[1], 10)[0].tolist()) == set(slots(1, 3).tolist())
        assert index.search(POOL[1], 10, slots(2))[0].tolist() == []
        index.put(slots(2), POOL[1:2])
        assert index.search(POOL[1], 1)[0].tolist() == slots(2).tolist()

    @pytest.mark.parametrize("limit", [1, 7, 30, 1000])
    def test_a_limit_is_filled(self, index: VectorIndex, limit: int) -> None:
        """A search returns as many different ids as it may and can."""
        index.put(slots(*range(1, 31)), POOL[:30])
        ids, scores = index.search(POOL[40], limit)
        assert len(set(ids.tolist())) == len(ids) == len(scores) == min(limit, 30)
        assert (np.diff(scores) <= 0).all()

    def test_an_empty_index_finds_nothing(self, index: VectorIndex) -> None:
        """Without vectors every answer is empty."""
        index.put(slots(), POOL[:0])
        index.remove(slots(1))
        ids, scores = index.search(POOL[0], 5)
        assert (len(index), len(ids), len(scores), len(index.ids())) == (0, 0, 0, 0)
        assert np.isnan(index.similarities(POOL[0], slots(1))).all()
        assert index.search(POOL[0], 5, slots(1, 2))[0].tolist() == []

    def test_within_means_only_these(self, index: VectorIndex) -> None:
        """A search within some ids returns the nearest of them, and none that is not there."""
        index.put(slots(*range(1, 41)), POOL[:40])
        within = [3, 9, 12, 27, 40]
        ids, scores = index.search(POOL[44], 3, slots(*within, 99))
        truth = sorted(within, key=lambda number: -float(POOL[number - 1] @ POOL[44]))[:3]
        assert ids.tolist() == slots(*truth).tolist()
        assert scores == pytest.approx([POOL[number - 1] @ POOL[44] for number in truth], abs=self.tolerance)
        assert set(index.search(POOL[44], 100, slots(*within, 99))[0].tolist()) == set(slots(*within).tolist())
        assert index.search(POOL[44], 3, slots())[0].tolist() == []

    def test_similarities_are_those_of_the_ids_asked_for(self, index: VectorIndex) -> None:
        """Similarities come in the order of the ids, NaN for one that is not there."""
        index.put(slots(1, 2, 3), POOL[:3])
        scores = index.similarities(POOL[7], slots(3, 99, 1))
        assert scores.dtype == np.float32
        assert scores == pytest.approx([POOL[2] @ POOL[7], np.nan, POOL[0] @ POOL[7]], abs=self.tolerance, nan_ok=True)

    def test_large_ids_are_ids(self, index: VectorIndex) -> None:
        """Every positive 64-bit id is kept as it is."""
        ids = np.array([1, 2**31, 2**32 + 1, 2**53 + 1, 2**63 - 1], np.int64)
        index.put(ids, POOL[:5])
        assert sorted(index.ids().tolist()) == ids.tolist()
        assert [index.search(POOL[row], 1)[0].item() for row in range(5)] == ids.tolist()

    def test_a_wrong_shape_is_refused(self, index: VectorIndex) -> None:
        """Vectors of another length, or not one for each id, are an error that says so, and nothing is changed."""
        with pytest.raises(ValueError, match=r"\(2, 5\); the index takes \(2, 16\)"):
            index.put(slots(1, 2), unit(2, 5))
        with pytest.raises(ValueError, match=r"\(1, 16\); the index takes \(2, 16\)"):
            index.put(slots(1, 2), POOL[:1])
        with pytest.raises(ValueError, match=r"\(5,\); the index takes \(16,\)"):
            index.search(unit(1, 5)[0], 1)
        with pytest.raises(ValueError, match=r"\(5,\); the index takes \(16,\)"):
            index.similarities(unit(1, 5)[0], slots(1))
        assert len(index) == 0

    def test_a_large_batch_is_taken(self, index: VectorIndex) -> None:
        """A put and a removal may be as large as the caller likes."""
        ids = slots(*range(1, 3001))
        index.put(ids, unit(3000, seed=1))
        index.remove(ids[:2900])
        assert sorted(index.ids().tolist()) == ids[2900:].tolist()
        assert sorted(index.search(POOL[0], 1000)[0].tolist()) == ids[2900:].tolist()

    def test_a_wiped_index_finds_the_same(self, index: VectorIndex) -> None:
        """Wiping what was removed leaves what was not."""
        index.put(slots(*range(1, 31)), POOL[:30])
        index.remove(slots(*range(1, 16)))
        index.wipe()
        assert sorted(index.ids().tolist()) == slots(*range(16, 31)).tolist()
        assert index.search(POOL[20], 1)[0].tolist() == slots(21).tolist()

    def test_a_dropped_index_is_gone(self, index: VectorIndex, tmp_path: Path) -> None:
        """What was dropped does not come back with an index that is opened in its place."""
        index.put(slots(1, 2), POOL[:2])
        index.drop()
        again = self.open(tmp_path, DIMENSIONS)
        assert len(again) == 0
        again.close()

    @given(changes=changes)
    @settings(
        max_examples=25,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.differing_executors,
            HealthCheck.too_slow,
        ],
    )
    def test_it_holds_what_was_put(self, index: VectorIndex, changes: list[tuple[str, list[int], int]]) -> None:
        """After any puts, replacements and removals an index holds and finds exactly what a dictionary would hold."""
        index.remove(index.ids())
        held: dict[int, int] = {}
        for change, numbers, row in changes:
            if change == "put":
                rows = [(row + place) % 48 for place in range(len(numbers))]
                index.put(slots(*numbers), POOL[rows])
                held.update(zip(slots(*numbers).tolist(), rows, strict=True))
            else:
                index.remove(slots(*numbers))
                held = {slot: row for slot, row in held.items() if slot not in slots(*numbers)}
        ids, scores = index.search(POOL[0], 100)
        assert sorted(index.ids().tolist()) == sorted(held) == sorted(ids.tolist())
        assert scores == pytest.approx([float(POOL[held[slot]] @ POOL[0]) for slot in ids.tolist()], abs=self.tolerance)

    def test_searches_and_changes_go_on_side_by_side(self, index: VectorIndex) -> None:
        """While ids come, change and go, searches find all that stay, no id twice, and never another id's similarity."""
        staying, moving = slots(*range(1, 21)), slots(*range(21, 41))
        index.put(staying, POOL[:20])
        done, failures = Event(), list[str]()
        known = {
            slot: {round(float(POOL[row % 48] @ POOL[45]), 2) for row in rows} for slot, rows in _rows(staying, moving)
        }

        def watch() -> None:
            while not done.is_set() and not failures:
                ids, scores = index.search(POOL[45], 40)
                found = dict(zip(ids.tolist(), scores.tolist(), strict=True))
                if len(found) != len(ids) or not found.keys() >= set(staying.tolist()):
                    failures.append(f"found {sorted(found)}")
                if wrong := {
                    slot for slot, score in found.items() if all(abs(score - true) > 0.02 for true in known[slot])
                }:
                    failures.append(f"similarities of {wrong}")

        watchers = [Thread(target=watch) for _ in range(2)]
        for watcher in watchers:
            watcher.start()
        try:
            for _ in range(6):
                index.put(moving, POOL[20:40])
                index.put(moving, POOL[25:45])
                index.remove(moving)
        finally:
            done.set()
            for watcher in watchers:
                watcher.join()
        assert failures == []
        assert sorted(index.ids().tolist()) == staying.tolist()


def _rows(staying: np.ndarray, moving: np.ndarray) -> list[tuple[int, set[int]]]:
    """Which rows of the pool an id has in the course of the test."""
    fixed = [(slot, {row}) for row, slot in enumerate(staying.tolist())]
    return fixed + [(slot, {20 + row, 25 + row}) for row, slot in enumerate(moving.tolist())]
