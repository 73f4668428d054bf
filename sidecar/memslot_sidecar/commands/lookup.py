"""``memslot lookup``: lists names, and what is known about them, without any body."""

from __future__ import annotations

import argparse

import memslot
from memslot_sidecar.commands import arguments, printing
from memslot_sidecar.commands.conditions import add_conditions, condition
from memslot_sidecar.commands.connection import add_command, add_connection, connected

_ABOUT = "Lists slots, the most important first. Bodies are never shown: read one by its name."
_PAGE_LIMIT = 1000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``lookup``."""
    parser = add_command(subparsers, "lookup", "list slots without their bodies", _ABOUT)
    parser.add_argument(
        "prefix", metavar="PREFIX", nargs="?", default="", help="only names that start so (no character is a wildcard)"
    )
    add_conditions(parser)
    parser.add_argument("--recursive", action="store_true", help="also in the namespaces below")
    parser.add_argument(
        "--order", type=arguments.order, default=memslot.Order.RANK, metavar="BY",
        help="rank (default), name, updated, created, accessed, expires or size",
    )  # fmt: skip
    parser.add_argument("--reverse", action="store_true", help="the order backwards")
    parser.add_argument(
        "--limit", type=int, default=50, metavar="N", help="at most so many (default: 50; 0 is no bound)"
    )
    parser.add_argument("--names", action="store_true", help="names only, one a line")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists."""
    with connected(args) as memory:
        # One more than is shown tells whether there are more.
        wanted = args.limit + 1 if args.limit > 0 else None
        found = list(
            memory.lookup(
                args.prefix,
                where=condition(args),
                recursive=args.recursive,
                info=not args.names,
                order=args.order,
                reverse=args.reverse,
                page_size=min(wanted or _PAGE_LIMIT, _PAGE_LIMIT),
                limit=wanted,
            )
        )
    shown = found[: args.limit] if args.limit > 0 else found
    more = len(found) > len(shown)
    if args.json:
        printing.print_json({"slots": [entry.info or entry for entry in shown], "more": more})
    elif args.names:
        for entry in shown:
            printing.say(_name(entry, recursive=args.recursive))
    else:
        _print(shown, args, memory.namespace_path, more=more)
    return 0


def _print(shown: list[memslot.Entry], args: argparse.Namespace, path: str, *, more: bool) -> None:
    if not shown:
        printing.say(f"no slot of namespace {path} matches")
        return
    rows = [_row(entry, entry.info, recursive=args.recursive) for entry in shown if entry.info is not None]
    printing.print_table(("NAME", "SIZE", "CHANGED", "EXPIRES", "TAGS", "DESCRIPTION"), rows)
    if more:
        printing.say(f"and more: raise --limit {args.limit}")


def _row(entry: memslot.Entry, info: memslot.SlotInfo, *, recursive: bool) -> tuple[str, ...]:
    return (
        _name(entry, recursive=recursive),
        printing.size(info.body_bytes),
        printing.moment(info.update_time),
        printing.remaining(info.expire_time),
        ",".join(info.tags),
        info.description,
    )


def _name(entry: memslot.Entry, *, recursive: bool) -> str:
    return f"{entry.namespace}: {entry.name}" if recursive else entry.name
