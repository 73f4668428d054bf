"""Without the libraries of vectors: words are found, and what needs more says so; and who needs nothing loads nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.asking import write
from tests.system.process import PATIENCE_S, Served

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import slot_service_pb2 as pb

PROGRAM = """
import asyncio, json, sys
for library in sys.argv[2].split():
    sys.modules[library] = None
from pathlib import Path
from memslot.v1 import admin_service_pb2 as admin, namespace_service_pb2 as spaces, slot_service_pb2 as pb
from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config
from memslot_sidecar.errors import MemslotError

async def main():
    sidecar = Sidecar(Config(store="sqlite", data_dir=Path(sys.argv[1]), index_mode="fulltext"))
    await sidecar.start()
    told = []
    async def call(method, request):
        try:
            reply = await asyncio.wait_for(sidecar.dispatch(method, request), 20)
        except MemslotError as error:
            told.append([error.reason, str(error)])
            return
        hits = [hit.name for hit in getattr(reply, "hits", ())]
        told.append([hits, list(getattr(reply, "degraded", ()))])
    for step in json.loads(sys.argv[3]):
        match step:
            case ["write", name, *vector]:
                request = pb.WriteRequest(namespace="a", name=name, body=b"zebra", never=True, vector=vector)
                await call("SlotService/Write", request)
            case ["forget", name]:
                await call("SlotService/Forget", pb.ForgetRequest(namespace="a", name=name))
            case ["search", mode, revision]:
                request = pb.SearchRequest(namespace="a", text="zebra", mode=mode, min_revision=revision)
                await call("SlotService/Search", request)
            case ["set", settings]:
                request = spaces.UpdateNamespaceRequest(namespace="a", settings=spaces.NamespaceSettings(**settings))
                await call("NamespaceService/UpdateNamespace", request)
            case ["stats"]:
                await call("AdminService/Stats", admin.StatsRequest(namespace="a"))
    await sidecar.stop()
    print(json.dumps([told, sorted({"numpy", "usearch", "chromadb", "httpx"} & set(sys.modules))]))

asyncio.run(main())
"""
AUTO, FULLTEXT, VECTOR, HYBRID = (int(mode) for mode in pb.SearchMode.values()[1:5])
MADE = {"index_mode": "INDEX_MODE_HYBRID", "embedder": "hashing"}


def run(directory: Path, without: str, *steps: object) -> tuple[list[tuple[object, object]], list[str]]:
    """What each step was answered, with some libraries away; and which of those that are heavy were loaded."""
    command = [sys.executable, "-c", PROGRAM, str(directory), without, json.dumps(steps)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    told, loaded = json.loads(done.stdout)
    return told, loaded


def test_without_numpy_words_are_found_and_vectors_refused(tmp_path: Path) -> None:
    """No namespace can be set to HYBRID, with an error that says what to install; nothing else is different."""
    told, _ = run(
        tmp_path,
        "numpy usearch",
        ["write", "n"],
        ["set", MADE],
        ["write", "m"],
        ["search", AUTO, 0],
        ["search", HYBRID, 0],
    )
    assert told[1][0] == "INVALID_FIELD"
    assert "pip install" in str(told[1][1])
    assert told[3] == [["m", "n"], []] or told[3] == [["n", "m"], []]
    assert told[4][0] == "INDEX_NOT_ENABLED"


def test_numpy_that_is_gone_leaves_words_and_comes_back(tmp_path: Path) -> None:
    """A namespace had vectors when it was there: words go on being indexed and found, searches say what is missing, vectors that are sent
    are kept by the store; and all is found by vectors when it is there again."""
    run(tmp_path, "", ["set", MADE], ["write", "a"], ["write", "b"], ["search", VECTOR, 3])
    told, _ = run(
        tmp_path,
        "numpy usearch",
        ["write", "c"],
        ["forget", "b"],
        ["write", "d"],
        ["search", AUTO, 0],
        ["search", FULLTEXT, 0],
        ["search", VECTOR, 0],
        ["stats"],
    )
    for hits, degraded in told[3:5]:
        assert sorted(hits) == ["a", "c", "d"]  # type: ignore[call-overload]
        assert not degraded or "pip install" in str(degraded)
    assert "pip install" in str(told[3][1])
    assert told[5][0] == "INDEX_NOT_ENABLED"
    assert "pip install" in str(told[5][1])
    told, _ = run(tmp_path, "", ["search", VECTOR, 6])
    assert sorted(told[0][0]) == ["a", "c", "d"]  # type: ignore[call-overload]


@pytest.mark.parametrize("library", ["chromadb", "sqlite_vss", "usearch"])
def test_a_backend_that_is_not_installed_is_refused(tmp_path: Path, library: str) -> None:
    """A namespace cannot choose it, and is told what to install; what it had goes on."""
    kind = {"chromadb": "CHROMA", "sqlite_vss": "SQLITE_VSS", "usearch": "HNSW"}[library]
    told, _ = run(
        tmp_path,
        library,
        ["set", MADE],
        ["set", {"vector_index": f"VECTOR_INDEX_KIND_{kind}"}],
        ["write", "n"],
        ["search", VECTOR, 2],
    )
    assert told[1][0] == "INVALID_FIELD"
    assert "pip install" in str(told[1][1])
    assert told[3] == [["n"], []]


def test_words_load_nothing_of_vectors(tmp_path: Path) -> None:
    """A namespace that is found by words needs no numpy."""
    _, loaded = run(tmp_path, "", ["write", "n"], ["search", AUTO, 0], ["stats"], ["forget", "n"])
    assert loaded == []


def test_who_is_found_by_name_only_loads_nothing_and_keeps_nothing(tmp_path: Path) -> None:
    """A served sidecar of mode KEYS, written to, read, searched in vain, asked for its numbers: no library of vectors, no file."""
    with Served("--data-dir", tmp_path, "--listen", "127.0.0.1:0") as served:
        slots = served.ready().slots()
        slots.Write(write("n", b"zebra"), timeout=PATIENCE_S)
        slots.Forget(pb.ForgetRequest(namespace="acme/task", name="n", erase=True), timeout=PATIENCE_S)
        served.admin().Stats(admin.StatsRequest(namespace="acme/task"), timeout=PATIENCE_S)
        mapped = Path(f"/proc/{served.pid}/maps").read_text()
        threads = Path(f"/proc/{served.pid}/task")
        names = [(thread / "comm").read_text().strip() for thread in threads.iterdir()]
        assert served.stop() == 0
    assert not [library for library in ("numpy", "usearch", "chromadb", "onnx") if library in mapped]
    assert not [name for name in names if name.startswith(("memslot-index", "memslot-search", "memslot-vector"))]
    assert not [path.name for path in tmp_path.iterdir() if "index" in path.name or "vectors" in path.name]
