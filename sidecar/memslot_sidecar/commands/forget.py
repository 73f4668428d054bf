"""``memslot forget``: removes slots."""

from __future__ import annotations

import argparse

from memslot import where
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import UsageError

_ABOUT = """Removes slots with their versions: those that are named, or, with --prefix or --all, all that match (--yes, since it asks nobody).
With --erase it returns when their bytes are in no file of the store; backups are outside of that."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``forget``."""
    parser = add_command(subparsers, "forget", "remove slots", _ABOUT)
    parser.add_argument("names", metavar="NAME", nargs="*", help="a slot")
    many = parser.add_mutually_exclusive_group()
    many.add_argument("--prefix", metavar="TEXT", help="all slots whose names start so")
    many.add_argument("--all", action="store_true", help="all slots of the namespace")
    parser.add_argument("--recursive", action="store_true", help="with --prefix or --all: also in the namespaces below")
    parser.add_argument("--yes", action="store_true", help="really forget many slots")
    parser.add_argument("--if-revision", type=int, metavar="R", help="only when the one slot is at this revision")
    parser.add_argument("--erase", action="store_true", help="also wipe the bytes from the disk")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Forgets."""
    many = args.all or args.prefix is not None
    if bool(args.names) == many:
        raise UsageError("name the slots to forget, or give --prefix or --all, but not both")
    if args.if_revision is not None and len(args.names) != 1:
        raise UsageError("--if-revision belongs to one name")
    return _forget_many(args) if many else _forget_named(args)


def _forget_named(args: argparse.Namespace) -> int:
    with connected(args) as memory:
        receipts = [memory.forget(name, if_revision=args.if_revision, erase=args.erase) for name in args.names]
    if args.json:
        printing.print_json({"receipts": receipts})
        return 0
    for receipt in receipts:
        printing.say(f"{receipt.outcome.name.lower()} {receipt.name}")
    return 0


def _forget_many(args: argparse.Namespace) -> int:
    if not args.yes:
        raise UsageError("this forgets all slots that match: add --yes")
    condition = where.name.startswith(args.prefix) if args.prefix else None
    with connected(args) as memory:
        forgotten = memory.forget_matching(
            condition,
            everything=condition is None,
            recursive=args.recursive,
            erase=args.erase,
            timeout=max(args.timeout, 600),
        )
    if args.json:
        printing.print_json(forgotten)
    else:
        printing.say(f"forgot {printing.counted(forgotten.count, 'slot')}")
    return 0
