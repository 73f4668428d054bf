"""``memslot read``: prints a body, because it was asked for by name."""

from __future__ import annotations

import argparse
import base64
import sys
from pathlib import Path
from typing import Any

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import Refused, add_command, add_connection, connected
from memslot_sidecar.errors import UsageError

_ABOUT = """Prints the body of a slot to standard output, byte for byte (on a terminal, text is ended with a new line). With --json the value stands
beside the slot's information; a body that is neither text nor JSON is given in base64 as value_base64.

With --summary a short text that stands for the body is printed instead, and the read counts as none: the summary that is kept of it, or, if
the body is no longer than a summary would be, the body itself."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``read``."""
    parser = add_command(subparsers, "read", "print a slot's body", _ABOUT)
    parser.add_argument("name", metavar="NAME", help="the slot")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--revision", type=int, metavar="R", help="an earlier version, where the namespace keeps any")
    which.add_argument("--summary", action="store_true", help="a summary in place of the body")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the body to a file instead")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reads."""
    if args.summary:
        return _summarised(args)
    with connected(args) as memory:
        slot = memory.read_version(args.name, args.revision) if args.revision else memory.read(args.name)
    if args.output is not None:
        _save(args.output, slot.body)
    elif args.json:
        printing.print_json({"info": slot.info} | value_of(slot))
    else:
        _show(slot.body)
    return 0


def _summarised(args: argparse.Namespace) -> int:
    """Raises Refused when there is no summary."""
    with connected(args) as memory:
        summary = memory.summary(args.name)
    if summary is None:
        raise Refused(f"slot {args.name} has no summary: its body is no text")
    if args.output is not None:
        _save(args.output, summary.text.encode())
    elif args.json:
        printing.print_json({"summary": summary})
    else:
        _show(summary.text.encode())
    return 0


def value_of(slot: memslot.Slot) -> dict[str, Any]:
    """The body for JSON: as a value where it is one, otherwise in base64."""
    value = slot.value
    return {"value_base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else {"value": value}


def _save(path: Path, body: bytes) -> None:
    try:
        path.write_bytes(body)
    except OSError as error:
        raise UsageError(f"--output {path}: {error.strerror or error}") from error


def _show(body: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(body)
    if sys.stdout.isatty() and not body.endswith(b"\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
