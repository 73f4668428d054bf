"""What the tests of `deploy/` share. Those here that are marked `container` need what `deploy/check` installs and builds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.deploy.containers import CHECK

HERE = Path(__file__).parent


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Says what to run instead."""
    here = item.get_closest_marker("container") and item.path.parent == HERE
    if here and "MEMSLOT_DEPLOY_READY" not in os.environ:
        pytest.skip(f"needs container tools and an image: run {CHECK}, which installs and builds them")
