"""The log is truncated however closely searches follow one another, so that nothing of what was erased is left in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from memslot_index.database import connections as module
from memslot_index.database.connections import NAME, Connections

_WAIT_S = 20.0


class Reader(threading.Thread):
    """Reads, from the moment at which ``begun`` is set until ``end`` is."""

    def __init__(self, connections: Connections, begun: threading.Event) -> None:
        super().__init__()
        self._connections = connections
        self.begun = begun
        self.end = threading.Event()

    def run(self) -> None:
        """Holds one state of the file."""
        with self._connections.reading() as connection:
            connection.execute("SELECT count(*) FROM spaces").fetchall()
            self.begun.set()
            self.end.wait(_WAIT_S)


class Door(threading.Event):
    """Open, and says whenever somebody stands before it while it is closed, where he waits however long that is."""

    def __init__(self, arrived: threading.Event) -> None:
        super().__init__()
        self._arrived = arrived
        self.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is open."""
        assert timeout is not None
        if not self.is_set():
            self._arrived.set()
        return super().wait(_WAIT_S)


@pytest.fixture
def connections(tmp_path: Path) -> Iterator[Connections]:
    """Those of an index in a file, with something in its log."""
    connections = Connections(tmp_path)
    with connections.writing() as connection:
        connection.execute("CREATE TABLE gone(body)")
        connection.execute("INSERT INTO gone VALUES('what is to be erased')")
    yield connections
    connections.close()


def busy(connections: Connections, once: Callable[[], None]) -> None:
    """Has ``once`` called when the truncation meets somebody who reads; whoever it meets after that keeps it from its end."""

    def met(before: int) -> bool:
        if not before:
            once()
        return not before

    connections.writer.set_busy_handler(met)


def test_searches_that_begin_wait_until_the_log_is_truncated(tmp_path: Path, connections: Connections) -> None:
    """One reads when the truncation begins, and ends once another one has come, who would else keep it from its end."""
    came = threading.Event()
    connections._open_to_readers = Door(came)
    first, next_one = Reader(connections, threading.Event()), Reader(connections, came)

    def another_comes() -> None:
        next_one.start()
        assert came.wait(_WAIT_S)
        first.end.set()
        first.join()

    first.start()
    assert first.begun.wait(_WAIT_S)
    busy(connections, another_comes)
    try:
        connections.vacuum()
        assert (tmp_path / f"{NAME}-wal").stat().st_size == 0
    finally:
        next_one.end.set()
        next_one.join()


def test_who_begins_waits_no_longer_than_a_pause(
    tmp_path: Path, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one who reads may depend on him, and end only after he has begun; the truncation comes after both."""
    monkeypatch.setattr(module, "_PAUSE_S", 0.01)
    first, next_one = Reader(connections, threading.Event()), Reader(connections, threading.Event())

    def another_comes() -> None:
        next_one.start()
        assert next_one.begun.wait(_WAIT_S)
        for reader in (next_one, first):
            reader.end.set()
            reader.join()

    first.start()
    assert first.begun.wait(_WAIT_S)
    busy(connections, another_comes)
    connections.vacuum()
    assert (tmp_path / f"{NAME}-wal").stat().st_size == 0


def test_a_truncation_that_fails_leaves_the_door_open(tmp_path: Path, connections: Connections) -> None:
    """Searches that begin after it do not wait."""
    reader = Reader(connections, threading.Event())
    reader.start()
    assert reader.begun.wait(_WAIT_S)
    connections.writer.set_busy_handler(lambda _: False)
    with pytest.raises(apsw.BusyError):
        connections.vacuum()
    reader.end.set()
    reader.join()
    assert connections._open_to_readers.is_set()
    connections.vacuum()
    assert (tmp_path / f"{NAME}-wal").stat().st_size == 0
