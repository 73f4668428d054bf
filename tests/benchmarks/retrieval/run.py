"""``python -m tests.benchmarks.retrieval.run``: how well memslot finds what was asked for. README.md beside it says how to read it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.report import busy
from tests.benchmarks.retrieval.asking import ask, judge
from tests.benchmarks.retrieval.dataset import Dataset, load, own
from tests.benchmarks.retrieval.report import Outcome, as_json, table
from tests.benchmarks.retrieval.served import MODES, Backend, filled

BACKENDS = ("exact", "hnsw", "chroma", "sqlite-vss", "auto")


def main(argv: Sequence[str] | None = None) -> int:
    """Fills a sidecar a backend, asks every question in every mode, prints the table. Returns 0 whatever was found."""
    args = _parser().parse_args(argv)
    if bool(args.slots) != bool(args.queries):
        raise SystemExit("--slots and --queries go together")
    dataset = load(args.slots, args.queries) if args.slots else load(*own())
    sys.stderr.write(busy())
    outcomes: list[Outcome] = []
    for kind in args.backends:
        sys.stderr.write(f"filling a sidecar with {kind} and {args.embedder}\n")
        backend = Backend(kind, args.embedder, tuple(args.flag))
        outcomes += measured(backend, dataset, args.modes, args.neighbor_weight)
    sys.stdout.write(table(outcomes, kinds=args.kinds) + "\n")
    if args.json:
        args.json.write_text(json.dumps(as_json(outcomes), indent=2) + "\n", encoding="utf-8")
    return 0


def measured(backend: Backend, dataset: Dataset, modes: Sequence[str], neighbor_weight: float) -> list[Outcome]:
    """Asks every question in each mode, in a sidecar of its own."""
    outcomes = []
    with (
        tempfile.TemporaryDirectory(prefix="memslot-retrieval-") as data_dir,
        filled(backend, dataset, Path(data_dir)) as sidecar,
    ):
        for mode in modes:
            answers = ask(dataset.queries, sidecar.searcher(mode, neighbor_weight), f"{backend.vector_index} {mode}")
            outcomes.append(Outcome(backend.vector_index, mode, judge(dataset.queries, answers)))
    return outcomes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.retrieval.run",
        description="Measures how well memslot finds what was asked for.",
    )
    parser.add_argument("--slots", type=Path, nargs="+", metavar="FILE", help="slots as JSON Lines (the repository's)")
    parser.add_argument("--queries", type=Path, nargs="+", metavar="FILE", help="questions (the repository's)")
    parser.add_argument("--modes", type=_of(MODES), default=list(MODES), metavar="MODE,...", help=", ".join(MODES))
    parser.add_argument(
        "--backends", type=_of(BACKENDS), default=["exact"], metavar="KIND,...", help=f"{', '.join(BACKENDS)} (exact)"
    )
    parser.add_argument("--embedder", default="e5", metavar="WHAT", help="as for `memslot serve` (e5)")
    parser.add_argument(
        "--neighbor-weight", type=float, default=0.5, metavar="X", help="of the modes with neighbors (0.5)"
    )
    parser.add_argument(
        "--flag", action="append", default=[], metavar="TEXT", help="one more word for `memslot serve`, e.g. --flag=--chroma --flag=host:8000"
    )  # fmt: skip
    parser.add_argument("--kinds", action="store_true", help="a line for each kind of question too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    return parser


def _of(known: Sequence[str]) -> Callable[[str], list[str]]:
    def names(text: str) -> list[str]:
        given = text.split(",")
        if unknown := set(given) - set(known):
            raise argparse.ArgumentTypeError(f"not known: {', '.join(sorted(unknown))}")
        return given

    return names


if __name__ == "__main__":
    sys.exit(main())
