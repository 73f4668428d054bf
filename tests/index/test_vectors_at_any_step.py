"""Searches by vectors against a comparison of all, while writers come between any two steps and what follows them is held back."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memslot_index import followed, vector_spaces
from memslot_index.candidates import Wanted
from memslot_index.changes import Entry, Removal
from memslot_index.database import vector_rows
from memslot_index.database.stopping import Stop
from memslot_index.index import Index
from memslot_index.sizes import SizeChanged
from memslot_index.vectors.choice import VectorSettings
from memslot_index.vectors.exact import ExactIndex
from memslot_index.vectors.hnsw import HnswIndex

_NAMES = [f"n{at}" for at in range(12)]
_SPACES = ("a", "b")


class Held:
    """In place of the thread that follows: does what it was given when it is told to."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Future[None], Callable[..., None], tuple[Any, ...]]] = []

    def submit(self, work: Callable[..., None], *args: Any) -> Future[None]:
        """Keeps it for later."""
        self._waiting.append((future := Future(), work, args))
        return future

    def step(self) -> None:
        """Does the first of the waiting, if there is any."""
        if self._waiting:
            future, work, args = self._waiting.pop(0)
            assert future.set_running_or_notify_cancel()
            work(*args)
            future.set_result(None)

    def shutdown(self, **_: bool) -> None:
        """What waits is never done."""
        self._waiting.clear()


class World:
    """An index, what is true of it, and what comes between its steps."""

    def __init__(self, folder: Path | None, seed: int) -> None:
        self.chance = random.Random(seed)
        self.truth: dict[str, dict[str, np.ndarray]] = {space: {} for space in _SPACES}
        self.folder, self.revision, self.deep = folder, 0, 0
        self.pending: tuple[str, dict[str, np.ndarray]] | None = None
        self.writing = self.following = self.locked = False

    def open(self) -> None:
        """Opens the index."""
        self.index = Index(self.folder, VectorSettings(directory=self.folder))
        self.index.vectors._thread.shutdown()
        self.held = Held()
        self.index.vectors._thread = self.held  # type: ignore[assignment]

    def act(self) -> None:
        """Does something."""
        self.chance.choices([self.write, self.search, self.follow, self.restart], [5, 4, 3, 0.5])[0]()

    def meanwhile(self) -> None:
        """What another thread does between two steps."""
        if self.deep > 2 or self.index.vectors._opening.locked() or self.chance.random() < 0.5:
            return
        self.deep += 1
        # In memory nobody writes while somebody reads.
        if self.chance.random() < 0.6 and not (self.writing or self.locked or self.folder is None):
            self.write()
        elif self.chance.random() < 0.3:
            self.follow()
        else:
            self.search()
        self.deep -= 1

    def write(self) -> None:
        """Changes some slots of a namespace, now and then by vectors of another size, in place of which those of the first go."""
        space = self.chance.choice(_SPACES)
        true = self.truth[space]
        size = self._size(true)
        if self.chance.random() < 0.1:
            size = 24 - size
        new: dict[str, Any] = {}
        for name in self.chance.sample(_NAMES, self.chance.randint(1, 4)):
            vector = np.array([self.chance.gauss(0, 1) for _ in range(size)], "<f4")
            new[name] = None if self.chance.random() < 0.35 else vector / np.linalg.norm(vector)
        if all(vector is None for vector in new.values()):
            size = self._size(true)
        self.revision += 1
        changes = [
            Removal(space, name)
            if vector is None
            else Entry(space, name, self.revision, 1, "", (), "", "text", vector=vector.astype("<f4").tobytes())
            for name, vector in new.items()
        ]
        after = {name: vector for name, vector in true.items() if len(vector) == size and name not in new}
        after |= {name: vector for name, vector in new.items() if vector is not None}
        self.pending, self.writing = (space, after), True
        try:
            self.index.apply(changes)
        finally:
            self.writing = False

    @staticmethod
    def _size(true: dict[str, np.ndarray]) -> int:
        return len(next(iter(true.values()))) if true else 8

    def committed(self) -> None:
        """From now on what is being written is true."""
        if self.pending is not None:
            space, after = self.pending
            self.truth[space], self.pending = after, None

    def search(self) -> None:
        """Searches, and holds what was found against the truth, if that stayed the same meanwhile."""
        space = self.chance.choice(_SPACES)
        true = self.truth[space]
        size = self._size(true)
        vector = np.array([self.chance.gauss(0, 1) for _ in range(size)], "<f4")
        vector /= np.linalg.norm(vector)
        names = self.chance.sample(_NAMES, 6) if self.chance.random() < 0.3 else None
        wanted = Wanted(None, vector, 50, self.chance.choice(["auto", "auto", "exact", "hnsw"]), names=names)
        before, revision = self._true(space), self.revision
        try:
            found = {item.name: item.score for item in self.index.search(space, wanted, Stop()).items}
        except SizeChanged:
            assert self.revision != revision or self.pending
            return
        same = {name: one for name, one in before.items() if self._true(space).get(name) is one}
        expected = {name: float(one @ vector) for name, one in same.items() if names is None or name in names}
        if self.revision == revision and not self.pending:
            assert found.keys() == expected.keys()
        assert found.keys() >= expected.keys()
        assert {name: found[name] for name in expected} == pytest.approx(expected, abs=0.01)

    def _true(self, space: str) -> dict[str, np.ndarray]:
        """What is there for certain, whether or not what is being written is committed yet."""
        true = self.truth[space]
        if self.pending is None or self.pending[0] != space:
            return true
        return {name: one for name, one in true.items() if self.pending[1].get(name) is one}

    def follow(self) -> None:
        """Lets an index follow that is behind."""
        if not (self.following or self.writing):
            self.held.step()

    def restart(self) -> None:
        """Closes the index and opens it anew, as after a crash or saved."""
        if self.deep or self.folder is None:
            return
        if self.chance.random() < 0.5:
            self.index.vectors._loaded.clear()
        self.deep = 9
        self.index.close()
        self.open()
        self.deep = 0


@contextmanager
def stepped(world: World) -> Iterator[None]:
    """Other threads come between the steps."""

    def between(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **more: Any) -> Any:
            world.meanwhile()
            result = real(*args, **more)
            world.meanwhile()
            return result

        return step

    def told(real: Callable[..., Any]) -> Callable[..., Any]:
        def tell(*args: Any) -> Any:
            world.committed()
            world.meanwhile()
            return real(*args)

        return tell

    def apart(real: Callable[..., Any]) -> Callable[..., Any]:
        def follow(self: Any) -> None:
            before = world.following, world.locked
            # Whoever writes waits while an exact index follows.
            world.following, world.locked = True, world.locked or self.index.kind == "exact"
            try:
                real(self)
            finally:
                world.following, world.locked = before

        return follow

    with pytest.MonkeyPatch.context() as patched:
        for where, name in (
            (ExactIndex, "put"),
            (ExactIndex, "search"),
            (ExactIndex, "remove"),
            (HnswIndex, "put"),
            (HnswIndex, "search"),
            (HnswIndex, "remove"),
            (vector_rows, "last_seq"),
            (vector_rows, "_arrays"),
        ):
            patched.setattr(where, name, between(getattr(where, name)))
        patched.setattr(followed.Followed, "follow", apart(followed.Followed.follow))
        patched.setattr(Index, "_tell", told(Index._tell))
        patched.setattr(vector_spaces, "automatic", lambda count: "hnsw" if count > 6 else "exact")
        patched.setattr(vector_rows, "PORTION", 3)
        yield


@pytest.mark.parametrize("filed", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_a_search_finds_what_is_there_whatever_comes_between(tmp_path: Path, seed: int, filed: bool) -> None:
    """What nobody changed while it was searched is found, all of it and by its present vector."""
    pytest.importorskip("usearch")
    world = World(tmp_path if filed else None, seed)
    world.open()
    with stepped(world):
        for _ in range(30):
            world.act()
    world.index.close(keep=False)
