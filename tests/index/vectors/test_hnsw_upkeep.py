"""What a graph needs now and then: to be measured, to be built anew, to be saved."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from tests.index.vectors.points import clustered, slots, unit

from memslot_index.vectors.graph import EXPANSION
from memslot_index.vectors.hnsw import HnswIndex
from memslot_index.vectors.saved import GraphRefused, read


def test_calibration_keeps_more_candidates_where_it_must() -> None:
    """Where everything is far from everything the number of candidates is raised, and recall with it; where not, it stays."""
    easy, hard = HnswIndex(256, threads=2), HnswIndex(256, threads=2)
    easy.put(slots(*range(4000)), clustered(4000, 256))
    hard.put(slots(*range(4000)), unit(4000, 256))
    assert easy.calibrate() >= 0.98
    assert easy.expansion == EXPANSION
    least = hard.calibrate(most=EXPANSION)
    assert hard.expansion == EXPANSION
    assert hard.calibrate() > least
    assert hard.expansion > EXPANSION


def test_calibration_is_due_when_the_size_has_doubled() -> None:
    """An index wants to be calibrated at first and each time it has twice as many vectors."""
    index = HnswIndex(8)
    assert not index.needs_calibration
    index.put(slots(*range(50)), unit(50, 8))
    assert index.needs_calibration
    assert index.calibrate() == 1.0
    assert not index.needs_calibration
    index.put(slots(*range(50, 100)), unit(50, 8))
    assert index.needs_calibration


def test_what_takes_long_can_be_ended() -> None:
    """A calibration or a compaction that is to end leaves the index as it was, and still to be done."""
    index = HnswIndex(16)
    index.put(slots(*range(3000)), clustered(3000, 16))
    asked = iter([False] * 5)
    assert index.calibrate(ending=lambda: next(asked, True)) == 0
    assert index.needs_calibration
    index.remove(slots(*range(1500)))
    asked = iter([False] * 5)
    index.compact(lambda: next(asked, True))
    assert (len(index), index.removed, index.needs_compaction) == (1500, 1500, True)
    index.compact()
    assert (len(index), index.removed) == (1500, 0)


def test_compaction_drops_what_was_removed() -> None:
    """A graph of which more than 30 % were removed wants to be built anew; afterwards it holds the same vectors and no others."""
    index = HnswIndex(16)
    vectors = clustered(3000, 16)
    index.put(slots(*range(3000)), vectors)
    index.remove(slots(*range(900)))
    assert not index.needs_compaction
    index.remove(slots(*range(901)))
    assert index.needs_compaction
    before = index.similarities(vectors[0], slots(*range(3000)))
    index.wipe()
    assert (index.removed, index.needs_compaction, len(index)) == (0, False, 2099)
    assert np.array_equal(index.similarities(vectors[0], slots(*range(3000))), before, equal_nan=True)
    assert sorted(index.search(vectors[0], 3000)[0].tolist()) == slots(*range(901, 3000)).tolist()


def test_changes_during_a_compaction_are_kept() -> None:
    """What is put, replaced and removed while the graph is built anew is in the new one."""
    index = HnswIndex(16)
    vectors, others = clustered(4000, 16), clustered(4000, 16, seed=1)
    index.put(slots(*range(3000)), vectors[:3000])
    index.remove(slots(*range(100)))
    compaction = Thread(target=index.compact)
    compaction.start()
    changes = 0
    for start in range(100, 2900, 50):
        index.put(slots(*range(start, start + 40)), others[start : start + 40])
        index.remove(slots(*range(start + 40, start + 50)))
        index.put(slots(3000 + start), vectors[3000:3001])
        changes += compaction.is_alive()
    compaction.join()
    assert changes
    held = {slot: row for row, slot in enumerate(slots(*range(3000)).tolist()) if row >= 100}
    expected = {slot: (others if row < 2900 and row % 50 < 40 else vectors)[row] for slot, row in held.items()}
    expected = {slot: vector for slot, vector in expected.items() if held[slot] >= 2900 or held[slot] % 50 < 40}
    expected.update(dict.fromkeys(slots(*range(3100, 5900, 50)).tolist(), vectors[3000]))
    ids = np.array(sorted(expected), np.int64)
    assert sorted(index.ids().tolist()) == ids.tolist()
    truth = np.stack([expected[slot] for slot in ids.tolist()]) @ vectors[7]
    assert index.similarities(vectors[7], ids) == pytest.approx(truth, abs=2e-3)


def _saved(path: Path) -> HnswIndex:
    index = HnswIndex(16)
    index.put(slots(*range(3000)), clustered(3000, 16))
    index.remove(slots(*range(100)))
    index.save(path, seq=2**40)
    return index


def test_a_saved_graph_is_the_same_again(tmp_path: Path) -> None:
    """A loaded graph answers as the one that was saved, can be changed, and says up to which change it goes."""
    path = tmp_path / "graph"
    index = _saved(path)
    index.calibrate()
    index.save(path, seq=7)
    loaded = HnswIndex(16)
    seq = loaded.load(path)
    question = unit(1, 16)[0]
    assert seq == 7
    assert (len(loaded), loaded.removed, loaded.expansion) == (2900, 100, index.expansion)
    assert not loaded.needs_calibration
    assert sorted(loaded.ids().tolist()) == slots(*range(100, 3000)).tolist()
    assert loaded.search(question, 50)[0].tolist() == index.search(question, 50)[0].tolist()
    loaded.put(slots(*range(200)), unit(200, 16))
    assert (len(loaded), loaded.removed) == (3000, 0)
    assert loaded.search(question, 1)[0].tolist() == slots(0).tolist()


def test_a_saved_graph_is_for_its_user_alone(tmp_path: Path) -> None:
    """A vector tells of its text, so that nobody else may read it, also in a directory that is open to all."""
    tmp_path.chmod(0o755)
    HnswIndex(4).save(tmp_path / "graph", seq=1)
    assert (tmp_path / "graph").stat().st_mode & 0o777 == 0o600


def test_a_large_seq_is_kept(tmp_path: Path) -> None:
    """The last change may have any 63-bit number."""
    index = HnswIndex(4)
    index.save(tmp_path / "graph", seq=2**63 - 1)
    assert HnswIndex(4).load(tmp_path / "graph") == 2**63 - 1


def test_a_graph_that_is_not_what_was_saved_is_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that was cut off, changed or is of something else is refused and says why; it is never read as a graph."""
    path = tmp_path / "graph"
    _saved(path)
    whole = path.read_bytes()
    broken = [whole[: len(whole) * cut // 7] for cut in range(7)] + [whole[:-1], whole + b"\0", b"memslotG" * 20]
    places = [0, 9, len(whole) // 2, *range(len(whole) - 60, len(whole))]
    broken += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in places]
    for content in broken:
        path.write_bytes(content)
        with pytest.raises(GraphRefused, match=r"torn|not what was written"):
            read(path, 16, 1)
    refused = HnswIndex(16)
    assert refused.load(path) is None
    assert "a vector index is built anew" in caplog.text
    assert refused.load(tmp_path / "none") is None
    assert len(refused) == 0


def test_a_graph_of_other_dimensions_is_refused(tmp_path: Path) -> None:
    """After a change of the embedder the saved graph is not taken for one of the new vectors."""
    _saved(tmp_path / "graph")
    with pytest.raises(GraphRefused, match="16 dimensions, not 32"):
        read(tmp_path / "graph", 32, 1)


def test_a_save_that_fails_leaves_what_was_saved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a new file is whole and durable, the old one stays, and no half file is left behind."""
    path = tmp_path / "graph"
    index = _saved(path)

    def full(_: int) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(OSError, match="no space left"):
            index.save(path, seq=9)
    assert [file.name for file in tmp_path.iterdir()] == ["graph"]
    assert HnswIndex(16).load(path) == 2**40
    with pytest.raises(OSError, match="cannot save a graph"):
        index.save(tmp_path / "missing" / "graph", seq=9)


def test_a_save_that_was_cut_off_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the library writes less than the graph and says nothing, as on a full disk, the file before stays."""
    path = tmp_path / "graph"
    index = _saved(path)
    write = index._graph.save

    def cut_off(written: Path) -> None:
        write(written)
        os.truncate(written, 100_000)

    monkeypatch.setattr(index._graph, "save", cut_off)
    with pytest.raises(OSError, match=r"100000 bytes of \d+; is the disk full"):
        index.save(path, seq=9)
    assert [file.name for file in tmp_path.iterdir()] == ["graph"]
    assert HnswIndex(16).load(path) == 2**40
