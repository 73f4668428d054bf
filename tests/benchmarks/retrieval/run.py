"""``python -m tests.benchmarks.retrieval.run``: how well memslot finds what was asked for. README.md beside it says how to read it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.report import busy
from tests.benchmarks.retrieval.asking import ask, judge
from tests.benchmarks.retrieval.dataset import QUERY_FIELDS, SLOT_FIELDS, Dataset, load, own
from tests.benchmarks.retrieval.report import Outcome, as_json, note_misses, table
from tests.benchmarks.retrieval.served import MODES, Backend, filled

BACKENDS = ("exact", "hnsw", "chroma", "sqlite-vss", "auto")


def main(argv: Sequence[str] | None = None) -> int:
    """Fills a sidecar a backend, asks every question in every mode, prints the table. Returns 0 whatever was found."""
    args = _parser().parse_args(argv)
    if bool(args.slots) != bool(args.queries):
        raise SystemExit("--slots and --queries go together")
    try:
        dataset = load(args.slots, args.queries) if args.slots else load(*own())
    except (OSError, ValueError) as error:
        raise SystemExit(f"the dataset cannot be used: {error}") from None
    sys.stderr.write(busy())
    if args.misses:
        args.misses.write_text("", encoding="utf-8")
    outcomes: list[Outcome] = []
    for kind in args.backends:
        sys.stderr.write(f"filling a sidecar with {kind} and {args.embedder}: {dataset}\n")
        backend = Backend(kind, args.embedder, tuple(args.flag))
        outcomes += measured(backend, dataset, args.modes, args.neighbor_weight, args.misses)
    sys.stdout.write(table(outcomes, kinds=args.kinds) + "\n")
    if args.json:
        args.json.write_text(json.dumps(as_json(outcomes), indent=2) + "\n", encoding="utf-8")
    return 0


def measured(
    backend: Backend, dataset: Dataset, modes: Sequence[str], neighbor_weight: float, misses: Path | None = None
) -> list[Outcome]:
    """Asks every question in each mode, in a sidecar of its own. Questions whose slots were not all found are added to the file ``misses``."""
    outcomes = []
    with (
        tempfile.TemporaryDirectory(prefix="memslot-retrieval-") as data_dir,
        filled(backend, dataset, Path(data_dir)) as sidecar,
    ):
        for mode in modes:
            answers = ask(dataset.queries, sidecar.searcher(mode, neighbor_weight), f"{backend.vector_index} {mode}")
            if misses is not None:
                note_misses(misses, f"{backend.vector_index} {mode}", dataset.queries, answers)
            outcomes.append(Outcome(backend.vector_index, mode, judge(dataset.queries, answers)))
    return outcomes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.retrieval.run",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--slots",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="slots as JSON Lines, any number of files (the repository's)",
    )
    parser.add_argument(
        "--queries",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="questions as JSON Lines, any number of files, each with figures of its own",
    )
    parser.add_argument("--modes", type=_of(MODES), default=list(MODES), metavar="MODE,...", help=", ".join(MODES))
    parser.add_argument(
        "--backends", type=_of(BACKENDS), default=["exact"], metavar="KIND,...", help=f"{', '.join(BACKENDS)} (exact)"
    )
    parser.add_argument("--embedder", default="e5", metavar="WHAT", help="as for `memslot serve` (e5)")
    parser.add_argument(
        "--neighbor-weight", type=_weight, default=0.5, metavar="X",
        help="how much slots that were written next to each other lend each other in hybrid+neighbors, 0 to 1 (0.5); "
        "0.8 for long conversations",
    )  # fmt: skip
    parser.add_argument(
        "--flag", action="append", default=[], metavar="TEXT", help="one more word for `memslot serve`, e.g. --flag=--chroma --flag=host:8000"
    )  # fmt: skip
    parser.add_argument("--kinds", action="store_true", help="a line for each kind of question too")
    parser.add_argument(
        "--misses",
        type=Path,
        metavar="FILE",
        help="write to FILE, as JSON Lines, each question of which a slot is not among the first 10, and what came instead",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    return parser


_DESCRIPTION = """\
Measures how well memslot finds what was asked for: recall@k, MRR and latency of a real `memslot serve`, which is filled with slots and
asked questions through the Python client. Without files it takes the repository's own.

a conversation:  python -m tests.benchmarks.retrieval.run --slots S.jsonl --queries Q.jsonl --modes hybrid,hybrid+neighbors --neighbor-weight 0.8
diaries:         python -m tests.benchmarks.retrieval.run --slots A.jsonl B.jsonl --queries Q.jsonl --modes hybrid"""


def _fields(title: str, fields: Mapping[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<12} {said}" for name, said in fields.items())])


_EPILOG = f"""\
{_fields("a line of a file of slots is a JSON object with", SLOT_FIELDS)}

{_fields("a line of a file of questions is a JSON object with", QUERY_FIELDS)}"""


def _weight(text: str) -> float:
    weight = float(text)
    if not 0 <= weight <= 1:
        raise argparse.ArgumentTypeError("give a number from 0 to 1")
    return weight


def _of(known: Sequence[str]) -> Callable[[str], list[str]]:
    def names(text: str) -> list[str]:
        given = text.split(",")
        if unknown := set(given) - set(known):
            raise argparse.ArgumentTypeError(f"not known: {', '.join(sorted(unknown))}")
        return given

    return names


if __name__ == "__main__":
    sys.exit(main())
