"""Graphs of vectors in processes of their own, built once and kept in files."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Turn
from tests.benchmarks.plan import Plan
from tests.benchmarks.processes import ROOT

_MODULE = "tests.benchmarks.graph_process"


class Graph:
    """A graph that answers in a process of its own. ``built`` and ``loaded`` are what its processes told of it."""

    def __init__(self, process: subprocess.Popen[bytes], vectors: int, built: dict[str, Any], loaded: dict[str, Any]):
        self._process = process
        self.vectors = vectors
        self.built = built
        self.loaded = loaded

    async def turn(self, plan: Plan, hits: int) -> Turn:
        """Queries of one caller for so many hits, for as long as a turn takes."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([plan.round_s, plan.warm_s, hits]).encode() + b"\n")
        self._process.stdin.flush()
        return Turn(**await _told(self._process))


@asynccontextmanager
async def graph(stores_dir: Path, vectors: int) -> AsyncIterator[Graph]:
    """A graph of so many vectors while the block runs, from the file that is kept in ``stores_dir``, or made for it."""
    path = stores_dir / f"graph-{vectors}"
    built = await _built(path, vectors)
    process = _started("open", vectors, path)
    try:
        yield Graph(process, vectors, built, await _told(process))
    finally:
        await asyncio.to_thread(process.communicate)


async def _built(path: Path, vectors: int) -> dict[str, Any]:
    """What building it took, now or earlier."""
    kept = path.with_suffix(".json")
    if not kept.exists():
        sys.stderr.write(f"building a graph of {vectors:,} vectors; a million takes minutes\n")
        process = _started("build", vectors, path)
        facts = await _told(process)
        await asyncio.to_thread(process.communicate)
        kept.write_text(json.dumps(facts) + "\n")
    facts = json.loads(kept.read_text())
    return dict(facts)


def _started(what: str, vectors: int, path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", _MODULE, what, str(vectors), str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


async def _told(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    line = await asyncio.to_thread(process.stdout.readline)
    if not line:
        raise RuntimeError("the process of a graph ended without an answer; see above")
    return dict(json.loads(line))
