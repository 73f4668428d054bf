"""Which slots a command is about, as far as flags say it: those of lookup and search."""

from __future__ import annotations

import argparse
from functools import reduce
from operator import and_

from memslot import where
from memslot.where import Condition
from memslot_sidecar.commands import arguments


def add_conditions(parser: argparse.ArgumentParser) -> None:
    """Adds --tag, --task-type and --since."""
    parser.add_argument("--tag", action="append", metavar="TAG", help="only with this tag; repeated: with all of them")
    parser.add_argument("--task-type", metavar="TYPE", help="only of this task type")
    parser.add_argument(
        "--since", type=arguments.since, metavar="TIME", help="only changed since: 2h, 2026-11-30, 2026-11-30T12:00"
    )


def condition(args: argparse.Namespace) -> Condition | None:
    """What the flags ask for, all of it; None when they ask for nothing."""
    parts: list[Condition] = []
    if args.tag:
        parts.append(where.tags.all(*args.tag))
    if args.task_type is not None:
        parts.append(where.task_type == args.task_type)
    if args.since is not None:
        parts.append(where.updated.since(args.since))
    return reduce(and_, parts) if parts else None
