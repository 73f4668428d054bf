"""``memslot reindex``: makes the index anew from the store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected

_ABOUT = """Makes the index anew from the store, while the sidecar goes on serving. Words of a namespace can be searched again when its turn is
done. When the command is interrupted, the rest is done in the background."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``reindex``."""
    parser = add_command(subparsers, "reindex", "make the index anew", _ABOUT)
    parser.add_argument(
        "-n", "--namespace", default="", metavar="N", help="only this namespace and those below it (default: all)"
    )
    parser.add_argument(
        "--vectors", action="store_true", help="vectors too, where neither the body nor the model has changed"
    )
    add_connection(parser, namespace=False, timeout_s=3600)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes it anew."""
    with connected(args) as memory, _progress() as progress:
        done = memory.reindex(args.namespace, vectors=args.vectors, progress=progress, timeout=args.timeout)
    if args.json:
        printing.print_json({"slots": done.done, "revision": done.revision})
    else:
        printing.say(f"indexed {printing.counted(done.done, 'slot')} at revision {done.revision}")
    return 0


@contextmanager
def _progress() -> Iterator[Callable[[memslot.Reindexing], None]]:
    """A bar that a person sees when it takes longer than a second."""
    from tqdm import tqdm  # noqa: PLC0415 - slow to import, and of no use for --help

    with tqdm(unit="slot", delay=1, disable=not sys.stderr.isatty()) as bar:

        def show(now: memslot.Reindexing) -> None:
            bar.total = now.total
            bar.set_postfix_str(printing.visible(now.namespace), refresh=False)
            bar.update(now.done - bar.n)

        yield show
