"""``memslot audit``: what the audit trail looks like, and whether it is whole."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memslot_sidecar.audit.facts import of_directory, of_target
from memslot_sidecar.audit.reconcile import Findings, Reconciliation, StoreFacts
from memslot_sidecar.commands.printing import counted
from memslot_sidecar.errors import UsageError

if TYPE_CHECKING:
    from memslot_sidecar.audit.trail import Damage

_WRITER_DELAY_S = 0.5

_ABOUT = """Proves that no event of a mutation is missing. A store numbers its revisions from 1 without gaps, and each revision has one
event, so the files are compared with the numbers from the first revision that they tell (or from 1 with --from-start) to the last one
of the store (without --data-dir and --target, to the last one in the files). Give all rotated files, in any order, .gz too. Lines
of a process are numbered as well: a gap there is a lost line. --data-dir reads the files of a stopped store and changes nothing."""
_EXIT_CODES = """exit codes: 0 nothing is missing; 1 a revision, line or part is missing, there twice, or damaged;
2 wrong usage or a file cannot be read; 5 the store cannot be read"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``audit`` with its subcommands."""
    about = "check the audit trail, or print its schema"
    parser = subparsers.add_parser("audit", help=about, description=f"{about.capitalize()}.", allow_abbrev=False)
    actions = parser.add_subparsers(metavar="COMMAND", required=True)
    schema = actions.add_parser("schema", help="print the JSON Schema of an audit event", allow_abbrev=False)
    schema.set_defaults(run=run_schema)
    reconcile = actions.add_parser(
        "reconcile",
        help="compare audit files with the store's revisions",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    reconcile.add_argument(
        "--audit-file",
        nargs="+",
        action="extend",
        type=Path,
        required=True,
        metavar="FILE",
        help="a file of the trail, or the folder of a series",
    )
    store = reconcile.add_mutually_exclusive_group()
    store.add_argument("--data-dir", type=Path, metavar="DIR", help="the data directory of a stopped sidecar")
    store.add_argument("--target", metavar="ADDR", help="a running sidecar, such as 127.0.0.1:7420 or unix:PATH")
    reconcile.add_argument("--from-start", action="store_true", help="ask for proof from revision 1 on")
    reconcile.add_argument(
        "--at-least-once",
        action="store_true",
        help="allow events that are there again under the same event id, and in any order, as in what a collector kept",
    )
    reconcile.add_argument("--json", action="store_true", help="print one JSON object")
    reconcile.set_defaults(run=run_reconcile)


def schema_text() -> str:
    """The JSON Schema of an audit event."""
    return (files("memslot_sidecar.audit") / "event.schema.json").read_text(encoding="utf-8")


def run_schema(_args: argparse.Namespace) -> int:
    """Prints the schema."""
    sys.stdout.write(schema_text())
    return 0


def run_reconcile(args: argparse.Namespace) -> int:
    """Compares; the exit code tells whether all is there. Raises UsageError, StoreUnusable."""
    from memslot_sidecar.audit.trail import Trail  # noqa: PLC0415 - needs the sidecar's packages; --help does not

    store = _facts(args)
    reconciliation = Reconciliation(store, from_start=args.from_start, at_least_once=args.at_least_once)
    try:
        trail = Trail(args.audit_file)
        reconciliation.take(trail)
    except OSError as error:
        raise UsageError(f"--audit-file: {error.filename}: {error.strerror or error}") from error
    found = reconciliation.findings()
    if store is None and not (found.mutations or found.other_events or found.of_other_stores or trail.damages):
        raise UsageError(
            "--audit-file: there is no audit event in it, which proves nothing; name the trail, or also --data-dir or --target"
        )
    damaged = [damage for damage in trail.damages if not damage.torn]
    complete = found.complete and not damaged
    if args.json:
        report: dict[str, Any] = {"complete": complete, **asdict(found), "damages": [asdict(d) for d in trail.damages]}
        sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(_told(found, trail.damages, store)) + "\n")
    return 0 if complete else 1


def _facts(args: argparse.Namespace) -> StoreFacts | None:
    """The store's last revision, asked before the files are read, so that a sidecar at work has written up to it by then."""
    if args.data_dir is None and args.target is None:
        return None
    store = of_directory(args.data_dir) if args.data_dir is not None else of_target(args.target)
    time.sleep(_WRITER_DELAY_S)
    return store


def _told(found: Findings, damages: Sequence[Damage], store: StoreFacts | None) -> list[str]:
    until = "the store's last revision" if store else "the last revision in the files"
    lines = [
        f"store {found.store_id or 'unknown'}: revisions {found.first} to {found.last} ({until})",
        f"{found.mutations} revisions told ({found.recovered} lines recovered), {found.other_events} other events",
    ]
    notes = {
        "lines are of other stores": found.of_other_stores,
        "events were dropped under the policy 'drop', none of them a mutation's": found.dropped,
        "lines are there again under the same event id": found.repeated_count,
    }
    lines += [f"note: {count} {text}" for text, count in notes.items() if count]
    lines += [f"MISSING revision {_range(*span)}" for span in found.missing]
    lines += [f"TWICE {_about(again)}" for again in found.duplicates]
    lines += [f"LOST line {_range(first, last)} of instance {instance}" for instance, first, last in found.lost_lines]
    lines += [f"LOST part {part} of event {event_id}" for event_id, part in found.lost_parts]
    lines += [f"{'note: torn last line' if d.torn else 'DAMAGED line'} {d.line} of {d.file}" for d in damages]
    problems = found.missing_count + found.duplicate_count + found.lost_line_count + found.lost_part_count
    problems += sum(not damage.torn for damage in damages)
    lines.append(counted(problems, "problem") if problems else "complete: each revision is told exactly once")
    return lines


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _about(again: dict[str, Any]) -> str:
    if "revision" not in again:
        return f"line {again['sequence']} of instance {again['instance_id']}"
    part = f", part {again['part']}" if "part" in again else ""
    return f"revision {again['revision']} (event {again['event_id']}{part})"
