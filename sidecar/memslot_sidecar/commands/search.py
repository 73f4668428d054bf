"""``memslot search``: finds slots by words, by meaning, or both, without any body."""

from __future__ import annotations

import argparse
import sys

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.conditions import add_conditions, condition
from memslot_sidecar.commands.connection import add_command, add_connection, connected

_ABOUT = """Finds slots by words, by meaning, or both, and lists the best first. Bodies are never shown: read one by its name.

Words are alternatives: a slot that has more of them, or rarer ones, comes first. A "phrase" in double quotes must be there; pref* stands
for any ending. Shells take quotes away, so put the whole into single ones:

  memslot search customer prefers
  memslot search '"seat at the window" flight*' --tag travel

A namespace is searched by what its index_mode says: memslot namespaces set N --index-mode fulltext"""
_MODES = ("auto", "fulltext", "vector", "hybrid")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``search``."""
    parser = add_command(subparsers, "search", "find slots by words or meaning", _ABOUT)
    parser.add_argument("words", metavar="WORD", nargs="+", help="what to look for")
    parser.add_argument(
        "--mode", choices=_MODES, default="auto",
        help="by words (fulltext), by meaning (vector), or by both (hybrid); auto (default) is all that the namespace has",
    )  # fmt: skip
    add_conditions(parser)
    parser.add_argument(
        "--limit", type=int, default=10, metavar="N", help="at most so many (default: 10; at most 1000)"
    )
    parser.add_argument(
        "--neighbor-weight", type=float, metavar="W",
        help="how much slots that were written next to each other lend each other of their score: 0 (default) to 1; 0.5 suits conversations",
    )  # fmt: skip
    parser.add_argument(
        "--min-revision",
        type=int,
        metavar="R",
        help="wait, within --timeout, until this revision is indexed, vectors too",
    )
    parser.add_argument(
        "--summaries", action="store_true", help="show summaries in place of descriptions, where there are any"
    )
    parser.add_argument("--names", action="store_true", help="names only, one a line")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Searches."""
    with connected(args) as memory:
        found = memory.search(
            " ".join(args.words),
            mode=args.mode,
            where=condition(args),
            limit=args.limit,
            min_revision=args.min_revision,
            neighbor_weight=args.neighbor_weight,
            info=not args.names,
            summaries=args.summaries and not args.names,
        )
    if args.json:
        printing.print_json(_plain(found))
        return 0
    for reason in found.degraded:
        sys.stderr.write(f"memslot: {printing.visible(reason)}\n")
    if args.names:
        for name in found.names:
            printing.say(name)
    else:
        _print(found, args, memory.namespace_path)
    return 0


def _plain(found: memslot.SearchResult) -> dict[str, object]:
    return {
        "hits": found.hits,
        "more": bool(found.next_page_token),
        "mode": found.mode,
        "indexed_revision": found.indexed_revision,
        "degraded": found.degraded,
        "revision": found.revision,
    }


def _print(found: memslot.SearchResult, args: argparse.Namespace, path: str) -> None:
    if not found:
        printing.say(f"no slot of namespace {path} matches")
        return
    last = "SUMMARY" if args.summaries else "DESCRIPTION"
    printing.print_table(("NAME", "SCORE", "MATCHED", last), [_row(hit, summaries=args.summaries) for hit in found])
    if found.next_page_token:
        printing.say(f"and more: raise --limit {args.limit}")


def _row(hit: memslot.Hit, *, summaries: bool) -> tuple[str, ...]:
    shown = hit.info.description if hit.info else ""
    if summaries and hit.summary:
        shown = printing.one_line(hit.summary.text)
    return hit.name, f"{hit.score:.3g}", ", ".join(match.name.lower() for match in hit.matched_by), shown
