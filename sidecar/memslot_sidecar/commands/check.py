"""``memslot check``: checks the store of a running sidecar."""

from __future__ import annotations

import argparse

from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected

_ABOUT = (
    "Checks the store's files, and that its counters, bodies and change feed agree; and the index's files: a damaged index is made anew"
    " from the store, while searches say so. A problem makes the exit code 1."
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``check``."""
    parser = add_command(subparsers, "check", "check the store", _ABOUT)
    add_connection(parser, namespace=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Checks; 1 when something is wrong."""
    with connected(args) as memory:
        report = memory.check()
    if args.json:
        printing.print_json(report)
    else:
        for problem in report.problems:
            printing.say(problem)
        verdict = printing.counted(len(report.problems), "problem") if report.problems else "all is well"
        printing.say(f"{verdict}: {printing.counted(report.slots_checked, 'slot')} at revision {report.revision}")
    return 1 if report.problems else 0
