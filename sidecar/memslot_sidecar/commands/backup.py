"""``memslot backup``: saves a consistent copy of the store while it goes on serving."""

from __future__ import annotations

import argparse
from pathlib import Path

from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import UsageError

_ABOUT = """Saves a consistent copy of the store to a new file while the sidecar goes on serving. 'memslot restore' makes a data directory of it.
The copy holds bodies: what is erased later stays in it."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``backup``."""
    parser = add_command(subparsers, "backup", "save a copy of the store", _ABOUT)
    parser.add_argument("file", type=Path, metavar="FILE", help="a new file")
    add_connection(parser, namespace=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Saves. Raises UsageError when the file cannot be made."""
    try:
        with connected(args) as memory:
            saved = memory.backup(args.file)
    except FileExistsError as error:
        raise UsageError(f"{args.file} exists: nothing is overwritten, name a new file") from error
    except OSError as error:
        raise UsageError(f"{args.file}: {error.strerror or error}") from error
    if args.json:
        printing.print_json(saved)
    else:
        printing.say(f"saved {printing.size(saved.total_bytes)} at revision {saved.revision} to {args.file}")
    return 0
