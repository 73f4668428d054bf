"""Every backend keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.store import StoreContract
from tests.contract.world import World

from memslot_sidecar.stores.ram import RamStore
from memslot_sidecar.stores.sqlite import SqliteStore


class TestRam(StoreContract):
    @pytest.fixture
    def world(self) -> World:
        """A store in RAM."""
        return World(RamStore)


class TestSqlite(StoreContract):
    @pytest.fixture
    def world(self, tmp_path: Path) -> World:
        """A store in a directory of its own."""
        return World(lambda clock: SqliteStore(tmp_path, clock))
