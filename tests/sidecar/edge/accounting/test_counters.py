"""What counts tokens: exact where there is a tokenizer, near where there is none, and refused by name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.sidecar.services.served import served

from memslot.v1 import agent_service_pb2 as pb
from memslot.v1.slot_service_pb2 import WriteRequest
from memslot_sidecar.config import Config
from memslot_sidecar.edge.accounting.counters import KINDS, counter_of, ready_counter, setting_counter
from memslot_sidecar.errors import InvalidField, UsageError
from memslot_sidecar.model import EffectiveSettings

ROOT = Path(__file__).resolve().parents[4]
DATA = ROOT / "tests/benchmarks/retrieval/data"


def _texts(name: str) -> str:
    rows = [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()[:300]]
    return "\n".join(str(value) for row in rows for value in row.values() if isinstance(value, str))


@pytest.mark.parametrize(
    ("name", "expected"),
    # Of tiktoken 0.14.
    [("chars", 32), ("o200k", 14), ("cl100k", 17)],
)
def test_known_counts(name: str, expected: int) -> None:
    """A tokenizer counts what its makers' own counts, offline, in any script."""
    assert counter_of(name).count('Hello world, 你好世界！ {"id": 12345}') == expected


@pytest.mark.parametrize("name", KINDS)
def test_any_text_is_counted(name: str) -> None:
    """Nothing costs nothing, and a half of a surrogate pair is counted like any other text."""
    counter = counter_of(name)
    assert counter.name == name
    assert counter.count("") == 0
    assert counter.count("\ud800 x <|endoftext|>") > 1


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("English", (ROOT / "LICENSE").read_text("utf-8")),
        ("Markdown", (ROOT / "sidecar/DESIGN.md").read_text("utf-8")),
        ("English chat", _texts("diaries_en_slots.jsonl")),
        ("Chinese", _texts("diaries_zh_slots.jsonl")),
        ("code", (ROOT / "sidecar/memslot_sidecar/app.py").read_text("utf-8")),
        ("JSON", (DATA / "agent_slots.jsonl").read_text("utf-8")[:50_000]),
    ],
)
def test_estimate_is_near(kind: str, text: str) -> None:
    """The estimate is within 12 % of o200k for English, Chinese, code and JSON."""
    exact = counter_of("o200k").count(text)
    assert abs(counter_of("estimate").count(text) / exact - 1) < 0.12, kind


def test_unknown_counter_is_told_what_there_is() -> None:
    """An unknown counter is refused with its field and the choices; a path is never opened for a request."""
    for name in ("gpt-9", "", "file:/etc/passwd"):
        with pytest.raises(InvalidField, match="choose one of chars, estimate, o200k, cl100k") as told:
            counter_of(name)
        assert told.value.field == "token_counter"


def test_counter_that_is_not_installed_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra is missing, a request is told how to install it and what needs none."""
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    counter_of.__globals__["_loaded"].cache_clear()
    with pytest.raises(InvalidField, match=r"pip install 'memslot\[tokens\]', or choose 'estimate'"):
        counter_of("o200k")


async def test_loading_leaves_the_loop_free() -> None:
    """A counter can be awaited while its vocabulary is loaded."""
    assert (await ready_counter("cl100k")).name == "cl100k"
    assert (await ready_counter("estimate")).name == "estimate"


def test_tokenizer_file(tmp_path: Path) -> None:
    """A tokenizer.json counts under a name that tells its content and not its path, which requests may then choose."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = tokenizers.models.WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(vocabulary)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    name = setting_counter(f"file:{tmp_path / 'tokenizer.json'}")
    assert name.startswith("file:tokenizer.json@")
    assert counter_of(name).count("a b \ud800") == 3


def test_setting_that_cannot_be_used_stops_the_start(tmp_path: Path) -> None:
    """A missing file, one that is no tokenizer, and an unknown name are told at the start."""
    (tmp_path / "bad.json").write_text("{", "utf-8")
    for setting in (f"file:{tmp_path / 'none.json'}", f"file:{tmp_path / 'bad.json'}", "gpt-9"):
        with pytest.raises(UsageError, match="token_counter"):
            setting_counter(setting)
    assert Config().token_counter == "estimate"


async def test_a_tokenizer_is_given_no_more_than_it_takes() -> None:
    """A body of more than a million characters is counted by every tokenizer, shown and found: bpe-openai takes no text of that length."""
    text = "The quick brown fox jumps over the lazy dog. " * 23_000
    async with served(defaults=EffectiveSettings(body_limit_bytes=3_900_000)) as run:
        await run(WriteRequest(namespace="n", name="a", body=text.encode(), content_type="text/plain"))
        inspected = await run(pb.InspectPromptRequest(namespace="n", prompt=text, token_counter="o200k"))
        assert inspected.findings[0].tokens > 200_000
        shown = await run(pb.InjectRequest(namespace="n", names=["a"], max_chars=2_000_000, token_counter="o200k"))
        assert shown.tokens > 200_000
