"""Every rule here holds on every store."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sidecar.services.served import StoreMaker, store_maker


@pytest.fixture(params=["ram", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> StoreMaker:
    """Makes stores of one kind; those on SQLite share a directory, so that one opens what another left."""
    return store_maker(request.param, tmp_path)


@pytest.fixture
def durable(tmp_path: Path) -> StoreMaker:
    """Makes stores that find again what another one left."""
    return store_maker("sqlite", tmp_path)
