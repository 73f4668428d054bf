"""Fuzz the parser of model outputs: `make fuzz ARGS='-max_total_time=60'`, or with any other option of libFuzzer.

The corpus grows in `build/fuzz/corpus`; it starts with the outputs of `tests/sidecar/parsing/data`. A text for which something does not
hold is written to `build/fuzz/` and printed: mend the parser, then add the text to `fuzz_corpus.jsonl` there, which the tests check.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import atheris  # type: ignore[import-not-found, unused-ignore]

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "sidecar" / "parsing" / "data"
BUILD = ROOT / "build" / "fuzz"
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["memslot_sidecar.parsing"]):
    from tests.sidecar.parsing.invariants import check

LONGEST_SEED = 1500


def outputs() -> list[str]:
    """All outputs that the tests know."""
    lines = [line for path in sorted(DATA.glob("*.jsonl")) for line in path.read_text("utf-8").split("\n") if line]
    found = [json.loads(line) for line in lines]
    return [one if isinstance(one, str) else one["output"] for one in found if isinstance(one, str) or "output" in one]


def seed(corpus: Path) -> None:
    """Put the outputs where the fuzzer starts from."""
    corpus.mkdir(parents=True, exist_ok=True)
    for number, output in enumerate(outputs()):
        if len(output) <= LONGEST_SEED:
            (corpus / f"seed-{number}").write_bytes(encoded(output))


def dictionary(path: Path) -> None:
    """Write the words and marks that outputs are made of, in libFuzzer's form."""
    pieces = {piece for output in outputs() for piece in re.findall(r"[<\[]?[|/]?\w+[>\]|=:]*|[^\w\s]{1,8}", output)}
    words = [piece for piece in pieces if len(piece) < 30]
    entries = ("".join(f"\\x{byte:02x}" for byte in encoded(word)) for word in sorted(words))
    path.write_text("".join(f'"{entry}"\n' for entry in entries))


def encoded(text: str) -> bytes:
    """A text as the fuzzer sees it; lone surrogates too have bytes."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """Any bytes as a text; those that are no UTF-8 become lone surrogates."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def one_input(data: bytes) -> None:
    """What libFuzzer calls."""
    text = decoded(data)
    try:
        check(text)
    except Exception:
        sys.stderr.write(f"{json.dumps(text)}\n")
        raise


def splicer() -> Callable[[bytes, int, int], bytes]:
    """A mutator that knows what outputs are made of: every other time it puts a piece of one output into another, or takes one out."""
    pieces = [re.findall(r"\w+|\s+|[^\w\s]", output) for output in outputs() if len(output) <= LONGEST_SEED]

    def mutate(data: bytes, longest: int, number: int) -> bytes:
        chosen = random.Random(number)
        if chosen.random() < 0.5:
            return bytes(atheris.Mutate(data, longest))
        words = re.findall(r"\w+|\s+|[^\w\s]", decoded(data))
        at, length = chosen.randrange(len(words) + 1), chosen.randint(1, 25)
        other = chosen.choice(pieces)
        start = chosen.randrange(len(other))
        words[at : at + chosen.choice((0, 0, length))] = other[start : start + length] if chosen.random() < 0.8 else []
        return encoded("".join(words))[:longest]

    return mutate


def main() -> None:
    """Prepare the corpus, then fuzz until libFuzzer ends."""
    corpus, words = BUILD / "corpus", BUILD / "words.dict"
    seed(corpus)
    dictionary(words)
    options = [f"-artifact_prefix={BUILD}/", f"-dict={words}", "-timeout=20", "-max_len=3000", *sys.argv[1:]]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one_input, custom_mutator=splicer())
    atheris.Fuzz()


if __name__ == "__main__":
    main()
