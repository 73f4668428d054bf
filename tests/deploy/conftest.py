"""What the tests of `deploy/` share. Those that are marked `container` need what `deploy/check` installs and builds."""

from __future__ import annotations

import os

import pytest
from tests.deploy.containers import CHECK


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line("markers", f"container: runs containers, on what {CHECK} makes; skipped elsewhere")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Says what to run instead."""
    if item.get_closest_marker("container") and "MEMSLOT_DEPLOY_READY" not in os.environ:
        pytest.skip(f"needs container tools and an image: run {CHECK}, which installs and builds them")
