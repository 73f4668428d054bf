"""What every test of memslot may use.

Tests are plain functions. One that needs an event loop is an `async def` and runs in a loop of its own; fixtures are synchronous,
and resources that belong to a loop are opened in the test by `async with`. Code that several test modules share lives beside
them and is imported as `tests.<folder>.<module>`; contract modules get pytest's readable assertions too.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from contextlib import suppress

import pytest
from hypothesis import settings
from tests.conformance.summary import pytest_terminal_summary  # noqa: F401 - a hook

from memslot_index.vectors.base import BackendMissing
from memslot_index.vectors.choice import check_backend

pytest.register_assert_rewrite("tests.contract")

with suppress(BackendMissing):
    # It can only be loaded before hnsw, which a test of another module may want first.
    check_backend("sqlite-vss")

settings.register_profile("default", deadline=None, print_blob=True)
# The same examples in every run, so that a red CI is about the change.
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an `async def` test to its end in a new event loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True
