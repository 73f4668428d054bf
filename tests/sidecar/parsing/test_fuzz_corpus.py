"""What the fuzzer found, and some of the texts that it holds to be different from each other, without the fuzzer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.sidecar.parsing.invariants import check

TEXTS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/fuzz_corpus.jsonl").read_text(encoding="ascii").split("\n")
    if line
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_holds_for_every_text_holds_for_what_the_fuzzer_made(text: str) -> None:
    """A text that once broke the parser does so no more, and neither do its neighbours."""
    check(text)
