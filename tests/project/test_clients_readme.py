"""clients/README.md: whoever has another language generates code by the commands that stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"


def test_code_for_other_languages_is_made_by_the_commands_of_the_readme(tmp_path: Path) -> None:
    """Each shell block works, from the .proto files and from the descriptor set."""
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    (tmp_path / "clients").symlink_to(CLIENTS)
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", (CLIENTS / "README.md").read_text(), re.MULTILINE | re.DOTALL))
    # The one that generates the Java code, where `make check-generated` was run.
    protoc = shutil.which("protoc", path=f"{os.environ['PATH']}{os.pathsep}{ROOT / '.venv-generate/java'}")
    if protoc is None:
        pytest.skip("protoc is missing: apt-get install protobuf-compiler, or make check-generated")
    (tmp_path / "bin").mkdir()
    shutil.copy(protoc, tmp_path / "bin/protoc")
    # It looks there for google/protobuf, which every installed protoc brings along.
    (tmp_path / "bin/include").symlink_to(Path(str(files("grpc_tools") / "_proto")))
    env = os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, env=env, check=True)
    assert (tmp_path / "build/ruby/memslot/v1/slot_service_pb.rb").is_file()
    assert (tmp_path / "build/ruby/google/rpc/status_pb.rb").is_file()
    assert (tmp_path / "build/csharp/SlotService.cs").is_file()


COLUMNS = {
    "Python": "python/memslot/**/*.py",
    "Go": "go/*.go",
    "TypeScript": "typescript/src/**/*.ts",
    "Java": "java/src/main/**/*.java",
}
OF_THE_LANGUAGES = {
    "a", "as", "catch", "class", "ctx", "err", "error", "errors", "except", "fn", "Hour", "how", "Is", "instanceof", "job", "n",
    "ofHours", "ofSeconds", "time", "true", "with",
}  # fmt: skip


def test_names_of_the_table_are_those_of_the_clients() -> None:
    """Each name that stands there for a language is one of its client."""
    table = (CLIENTS / "README.md").read_text().split("\n## The same thing in four languages\n")[1].split("\n## ")[0]
    head, _, *rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in head[1:]] == list(COLUMNS)
    assert len(rows) > 10
    for place, (language, pattern) in enumerate(COLUMNS.items(), 1):
        sources = "\n".join(path.read_text() for path in CLIENTS.glob(pattern))
        known = set(re.findall(r"\w+", sources)) | OF_THE_LANGUAGES
        for row in rows:
            spans = " ".join(re.findall(r"`([^`]+)`", row[place]))
            names = set(re.findall(r"[A-Za-z]\w*", spans))
            assert names <= known, (language, names - known)


def test_the_descriptor_set_is_whole_and_has_the_comments() -> None:
    """All of our files and all that they import are in it, and what an RPC promises stands beside it."""
    described = FileDescriptorSet.FromString((CLIENTS / "memslot.binpb").read_bytes())
    there = {file.name: file for file in described.file}
    ours = {path.relative_to(ROOT / "proto").as_posix() for path in (ROOT / "proto/memslot").rglob("*.proto")}
    assert ours <= there.keys()
    assert {name for file in described.file for name in file.dependency} <= there.keys()
    comments = [place.leading_comments for place in there["memslot/v1/slot_service.proto"].source_code_info.location]
    assert any("request_id" in comment for comment in comments)
