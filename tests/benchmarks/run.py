"""``python -m tests.benchmarks.run``: measures, prints a table, and writes JSON if asked to. README.md beside it says how to read it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.bench import Bench
from tests.benchmarks.cases import (
    act,
    clients,
    http,
    inspect,
    lookup,
    memory,
    parser,
    peers_table,
    read,
    read_large,
    search,
    search_million,
    search_peers,
    startup,
    write,
    write_fulltext,
)
from tests.benchmarks.event_loop import run
from tests.benchmarks.figures import Outcome
from tests.benchmarks.plan import QUICK, Plan
from tests.benchmarks.report import as_json, busy, table

Case = Callable[[Bench], Awaitable[Outcome]]

CASES: dict[str, Case] = {
    "parser": parser.run,
    "read": read.run,
    "http": http.run,
    "write": write.run,
    "clients": clients.run,
    "act": act.run,
    "write-fulltext": write_fulltext.run,
    "peers-table": peers_table.run,
    "lookup": lookup.run,
    "read-large": read_large.run,
    "memory": memory.run,
    "startup": startup.run,
    "inspect": inspect.run,
    "search": search.run,
    "search-peers": search_peers.run,
    "search-million": search_million.run,
}
"""In the order in which they run: what needs the large store comes last."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the cases asked for. Returns 0 whatever was measured: a wrong answer raises, a slow one is told in the table."""
    args = _parser().parse_args(argv)
    plan = _plan(args)
    sys.stderr.write(busy())
    with tempfile.TemporaryDirectory(prefix="memslot-bench-") as work:
        outcomes = run(_measured(args.only, plan, Path(work), args.stores or Path(work) / "stores"))
    sys.stdout.write(table(outcomes) + "\n")
    if args.json:
        args.json.write_text(json.dumps(as_json(outcomes, plan), indent=2) + "\n")
    return 0


async def _measured(only: Sequence[str], plan: Plan, work_dir: Path, stores_dir: Path) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    async with Bench(plan, work_dir, stores_dir) as bench:
        for name, case in CASES.items():
            if name in only:
                sys.stderr.write(f"measuring {name}\n")
                outcomes[name] = await case(bench)
    return outcomes


def _plan(args: argparse.Namespace) -> Plan:
    plan = QUICK if args.quick else Plan()
    sizes = ("slots", "found", "vectors", "peers", "rounds", "round_s")
    given = {name: getattr(args, name) for name in sizes if getattr(args, name) is not None}
    return replace(plan, **given, unix=args.unix)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.run", description="Measures memslot beside a bare gRPC echo."
    )
    parser.add_argument(
        "--only",
        type=_names,
        default=list(CASES),
        metavar="CASE,...",
        help=f"of {', '.join(CASES)}; all of them by default",
    )
    parser.add_argument("--quick", action="store_true", help="a small store and short rounds: shows that it runs")
    parser.add_argument("--slots", type=int, metavar="N", help="slots of the large store (1,000,000)")
    parser.add_argument("--found", type=int, metavar="N", help="slots of the store that is searched (100,000)")
    parser.add_argument("--vectors", type=int, metavar="N", help="vectors of the large graph (1,000,000)")
    parser.add_argument("--peers", type=int, metavar="N", help="slots that are searched in other stores too (10,000)")
    parser.add_argument("--rounds", type=int, metavar="N", help="turns of each contender (7)")
    parser.add_argument("--round-s", type=float, metavar="S", help="seconds of one turn (2)")
    parser.add_argument("--unix", action="store_true", help="Unix sockets in place of TCP")
    parser.add_argument(
        "--stores", type=Path, metavar="DIR", help="keep the filled stores in DIR, and use those that are there"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and every turn to FILE")
    return parser


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := set(names) - set(CASES):
        raise argparse.ArgumentTypeError(f"no such case: {', '.join(sorted(unknown))}")
    return names


if __name__ == "__main__":
    sys.exit(main())
