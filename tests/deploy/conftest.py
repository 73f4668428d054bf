"""What the tests of `deploy/` share. Those here that are marked `container` need what `deploy/check` installs and builds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.deploy.containers import CHECK

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves them out where CI runs them in a step of its own; elsewhere says what to run instead."""
    if "MEMSLOT_DEPLOY_READY" in os.environ:
        return
    needing = [item for item in items if item.get_closest_marker("container") and item.path.parent == HERE]
    if os.environ.get("CI") == "true":
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item not in needing]
        return
    for item in needing:
        item.add_marker(
            pytest.mark.skip(f"needs container tools and an image: run {CHECK}, which installs and builds them")
        )
