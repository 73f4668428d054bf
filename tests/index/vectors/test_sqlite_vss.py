"""sqlite-vss, within its limits."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memslot_index.vectors.base import BackendMissing, BackendUnavailable, Durable
from memslot_index.vectors.choice import VectorSettings, check_backend, kept_spaces, open_index

try:
    check_backend("sqlite-vss")
except BackendMissing as missing:
    pytest.skip(str(missing), allow_module_level=True)

from tests.index.vectors.contract import VectorIndexContract
from tests.index.vectors.points import slots, unit

from memslot_index.vectors import sqlite_vss
from memslot_index.vectors.sqlite_vss import SqliteVssIndex

POOL = unit(48)


class TestSqliteVssInAFile(VectorIndexContract):
    """The contract, in a file."""

    def open(self, folder: Path, dimensions: int) -> SqliteVssIndex:
        """Return an empty index."""
        return SqliteVssIndex(dimensions, folder / "vectors.db")


class TestSqliteVssInMemory(VectorIndexContract):
    """The contract, without a file."""

    def open(self, folder: Path, dimensions: int) -> SqliteVssIndex:
        """Return an empty index."""
        return SqliteVssIndex(dimensions)


def test_its_folder_is_for_its_user_alone(tmp_path: Path) -> None:
    """A vector tells of its text, so that nobody else may read it, also in a directory that is open to all."""
    tmp_path.chmod(0o755)
    open_index("sqlite-vss", 16, 5, VectorSettings(directory=tmp_path)).close()
    assert (tmp_path / "sqlite-vss").stat().st_mode & 0o777 == 0o700


def test_what_was_put_outlives_the_index(tmp_path: Path) -> None:
    """A file that is opened again holds what it held, and says up to which change of the table."""
    settings = VectorSettings(directory=tmp_path)
    index = open_index("sqlite-vss", 16, 5, settings)
    assert isinstance(index, Durable)
    assert index.load(tmp_path) is None
    index.put(slots(1, 2, 3), POOL[:3])
    index.save(tmp_path, seq=2**62)
    index.put(slots(3), POOL[3:4])
    index.save(tmp_path, seq=2**62 + 1)
    index.close()
    again = open_index("sqlite-vss", 16, 5, settings)
    assert isinstance(again, Durable)
    assert again.load(tmp_path) == 2**62 + 1
    assert again.search(POOL[1], 1)[0].tolist() == slots(2).tolist()
    assert kept_spaces("sqlite-vss", settings) == [5]
    again.drop()
    assert kept_spaces("sqlite-vss", settings) == []
    assert list((tmp_path / "sqlite-vss").iterdir()) == []


def _saved(path: Path) -> None:
    index = SqliteVssIndex(16, path)
    index.put(slots(*range(40)), POOL[:40])
    index.save(path, seq=7)
    index.close()


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, b"SQLite format 3\0" + b"\1" * 5000])
def test_a_file_that_cannot_be_read_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    """What is not a database of ours is replaced by an empty one, which says that it has nothing."""
    path = tmp_path / "vectors.db"
    path.write_bytes(content)
    _assert_begun_anew(path)


@pytest.mark.parametrize("broken", [b"garbage", b""])
def test_a_broken_index_does_not_end_the_process(tmp_path: Path, broken: bytes) -> None:
    """An index at whose sight the extension would abort is not shown to it."""
    path = tmp_path / "vectors.db"
    _saved(path)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("UPDATE vectors_index SET idx = ?", (broken,))
    _assert_begun_anew(path)


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    """A file in which a vector is not what was saved is not trusted."""
    path = tmp_path / "vectors.db"
    _saved(path)
    content = path.read_bytes()
    assert content.count(POOL[5].tobytes()) == 1
    path.write_bytes(content.replace(POOL[5].tobytes(), POOL[6].tobytes()))
    _assert_begun_anew(path)


def test_what_was_changed_and_not_saved_is_not_trusted(tmp_path: Path) -> None:
    """After a put, a removal or a wipe the file counts only when it was saved again."""
    path = tmp_path / "vectors.db"
    for change in (
        lambda index: index.put(slots(50), POOL[:1]),
        lambda index: index.remove(slots(1)),
        lambda index: index.wipe(),
    ):
        _saved(path)
        index = SqliteVssIndex(16, path)
        assert len(index) == 40
        change(index)
        index.close()
        _assert_begun_anew(path)


def test_a_change_of_nothing_breaks_no_seal(tmp_path: Path) -> None:
    """Putting or removing no ids leaves a saved file as it is."""
    path = tmp_path / "vectors.db"
    _saved(path)
    for _ in range(2):
        index = SqliteVssIndex(16, path)
        assert index.load(path) == 7
        index.put(slots(), POOL[:0])
        index.remove(slots())
        index.close()


def _assert_begun_anew(path: Path) -> None:
    index = SqliteVssIndex(16, path)
    assert index.load(path) is None
    assert index.search(POOL[0], 3)[0].tolist() == []
    index.put(slots(1), POOL[:1])
    assert index.search(POOL[0], 3)[0].tolist() == slots(1).tolist()
    index.drop()


def test_an_index_of_another_embedder_begins_empty(tmp_path: Path) -> None:
    """Vectors of other dimensions are not taken over, nor what was noted of them."""
    index = SqliteVssIndex(16, tmp_path / "vectors.db")
    index.put(slots(1), POOL[:1])
    index.save(tmp_path, seq=9)
    index.close()
    other = SqliteVssIndex(8, tmp_path / "vectors.db")
    assert other.load(tmp_path) is None
    assert len(other) == 0
    other.put(slots(1), unit(1, 8))
    assert other.search(unit(1, 8)[0], 5)[0].tolist() == slots(1).tolist()
    other.close()


def test_a_full_index_says_so_and_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A put that would make the index larger than SQLite allows is refused as a whole, with what to use instead."""
    monkeypatch.setattr(sqlite_vss, "_VALUE_BYTES", 30 * (4 * 16 + 8))
    index = SqliteVssIndex(16, tmp_path / "vectors.db")
    index.put(slots(*range(28)), POOL[:28])
    index.put(slots(0, 1, 2, 28), POOL[[40, 1, 2, 28]])
    with pytest.raises(BackendUnavailable, match="room for 30 vectors of 16 dimensions; use hnsw"):
        index.put(slots(0, 29, 30), POOL[:3])
    assert sorted(index.ids().tolist()) == slots(*range(29)).tolist()
    assert index.similarities(POOL[40], slots(0)) == pytest.approx([1.0], abs=1e-5)
    index.close()


def test_a_failure_of_sqlite_is_told_in_our_words(tmp_path: Path) -> None:
    """When the file cannot be used the error is BackendUnavailable."""
    with pytest.raises(BackendUnavailable, match="'sqlite-vss' does not answer: CantOpenError"):
        SqliteVssIndex(16, tmp_path / "missing" / "vectors.db")
    index = SqliteVssIndex(16, tmp_path / "vectors.db")
    index.put(slots(1), POOL[:1])
    index._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(BackendUnavailable, match="ReadOnlyError"):
        index.put(slots(2), POOL[1:2])
    index._connection.execute("PRAGMA query_only = OFF")
    index.put(slots(3), POOL[2:3])
    assert sorted(index.search(POOL[0], 5)[0].tolist()) == slots(1, 3).tolist()
    index.close()


def test_a_wiped_file_holds_nothing_of_what_was_removed(tmp_path: Path) -> None:
    """After a wipe no byte of a removed vector is in the file."""
    path = tmp_path / "vectors.db"
    index = SqliteVssIndex(16, path)
    index.put(slots(*range(40)), POOL[:40])
    assert POOL[39].tobytes() in path.read_bytes()
    index.remove(slots(39))
    assert index.wipe()
    assert POOL[39].tobytes() not in path.read_bytes()
    assert POOL[38].tobytes() in path.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["vectors.db"]
    index.close()


def test_a_kill_in_the_middle_of_a_put_is_survived(tmp_path: Path) -> None:
    """After kill -9 while it was written a file is begun anew, and the process that opens it lives."""
    path = tmp_path / "vectors.db"
    _saved(path)
    code = (
        "import sys, itertools, numpy as np\n"
        "from pathlib import Path\n"
        "from memslot_index.vectors.sqlite_vss import SqliteVssIndex\n"
        "index = SqliteVssIndex(16, Path(sys.argv[1]))\n"
        "print(len(index), flush=True)\n"
        "for batch in itertools.count(1):\n"
        "    index.put(np.arange(batch * 64, batch * 64 + 64), np.ones((64, 16)))\n"
        "    print(batch, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(4)] == ["40\n", "1\n", "2\n", "3\n"]
        process.send_signal(signal.SIGKILL)
    _assert_begun_anew(path)


def _told(preparation: str) -> str:
    """Return what the check says in a process that was prepared so."""
    code = (
        f"import sys; {preparation}\n"
        "from memslot_index.vectors.choice import BackendMissing, check_backend\n"
        "try: check_backend('sqlite-vss')\n"
        "except BackendMissing as error: print(error)"
    )
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout


def test_an_extension_that_does_not_load_names_what_it_needs() -> None:
    """Where the libraries of the system are not there, the error says which packages have them."""
    told = _told("import sqlite_vss; sqlite_vss.vss_loadable_path = lambda: '/nowhere/vss0'")
    assert "cannot be used" in told
    assert "apt-get install libblas3 liblapack3 libgomp1" in told


def test_it_is_not_loaded_after_hnsw() -> None:
    """It would abort a process into which usearch was loaded before it; in the other order both work."""
    assert "usearch (hnsw) was loaded into this process first" in _told("import usearch.index")


def test_hnsw_is_loaded_after_it() -> None:
    """Where it came first, hnsw is used beside it, and it goes on."""
    code = """
import numpy as np
from memslot_index.vectors.choice import VectorSettings, check_backend, open_index
check_backend("sqlite-vss")
for kind in ("hnsw", "sqlite-vss", "hnsw"):
    index = open_index(kind, 2, 1, VectorSettings())
    index.put(np.array([1, 2]), np.eye(2, dtype=np.float32))
    assert index.search(np.array([0, 1], np.float32), 1)[0].tolist() == [2]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("rival", ["hnswlib", "sqlite_vec"])
def test_it_is_not_loaded_beside_what_it_cannot_stand(rival: str) -> None:
    """In a process that has loaded a library beside which it would abort, it is refused instead."""
    assert f"{rival} is loaded in this process" in _told(
        f"import types; sys.modules[{rival!r}] = types.ModuleType('rival')"
    )
