"""``memslot write``: stores a value in a slot."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import memslot
from memslot_sidecar.commands import arguments, printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import UsageError
from memslot_sidecar.rules import BODY_LIMIT_CEILING_BYTES

_ABOUT = """Stores a value in a slot, creating it or replacing what is there. The value is the second argument, a file, or standard input:

  memslot write user_pref 'likes window seats'
  memslot write report --file report.md --ttl 7d
  date | memslot write log --append"""
_MODES = {"append": "add to what is there", "patch": "change a JSON body by a merge patch (RFC 7396)"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``write``."""
    parser = add_command(subparsers, "write", "store a value in a slot", _ABOUT)
    parser.add_argument("name", metavar="NAME", help="the slot")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="the text to store (default: standard input)")
    parser.add_argument("--file", metavar="FILE", help="take the bytes of a file; - is standard input")
    mode = parser.add_mutually_exclusive_group()
    for flag, text in _MODES.items():
        mode.add_argument(f"--{flag}", dest="mode", action="store_const", const=flag, help=text)
    parser.add_argument(
        "--content-type", metavar="TYPE", help="e.g. application/json (default: text/plain, or bytes if it is no text)"
    )
    parser.add_argument("--description", metavar="TEXT", help="one line for a model, at most 160 characters")
    parser.add_argument("--task-type", metavar="TYPE", help="the kind of work it belongs to")
    parser.add_argument("--tag", action="append", metavar="TAG", dest="tags", help="a label; may be repeated")
    parser.add_argument(
        "--attribute",
        action="append",
        type=arguments.attribute,
        metavar="KEY=VALUE",
        help="a value to filter by: true, false and numbers are what they look like, '\"7\"' is text; may be repeated",
    )
    parser.add_argument("--importance", type=float, metavar="X", help="0 to 1")
    parser.add_argument("--pinned", action=argparse.BooleanOptionalAction, default=None, help="never evict it")
    parser.add_argument("--origin", type=arguments.origin, metavar="WHO", help="user, model, tool or operator")
    parser.add_argument("--summary", metavar="TEXT", help="a summary of the value, at most 2000 characters")
    parser.add_argument(
        "--vector", metavar="FILE", help="a JSON array of numbers: the value's meaning, for mode hybrid"
    )
    expiry = parser.add_mutually_exclusive_group()
    expiry.add_argument(
        "--ttl", type=arguments.span, metavar="TIME", help="expire after 90s, 24h, 7d, ... (default: the namespace's)"
    )
    expiry.add_argument("--never", action="store_const", const=memslot.NEVER, dest="ttl", help="do not expire")
    condition = parser.add_mutually_exclusive_group()
    condition.add_argument("--if-absent", action="store_true", help="only when there is no such slot")
    condition.add_argument("--if-revision", type=int, metavar="R", help="only when the slot is at this revision")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes, and says when the slot expires and how to keep it longer."""
    body = _body(args)
    details = _details(args)
    with connected(args) as memory:
        if args.mode == "append":
            receipt = memory.append(args.name, body, **details)
        elif args.mode == "patch":
            receipt = memory.patch(args.name, _json(body), **details)
        else:
            receipt = memory.write(args.name, body, **details)
        path = memory.namespace_path
    if args.json:
        printing.print_json({"namespace": path, "receipt": receipt})
        return 0
    printing.say(_told(receipt, args, path))
    return 0


def _told(receipt: memslot.Receipt, args: argparse.Namespace, path: str) -> str:
    text = f"{receipt.outcome.name.lower()} {receipt.name} (revision {receipt.revision})"
    if receipt.expire_time is None:
        text += ", it does not expire"
    else:
        text += f", expires {printing.remaining(receipt.expire_time)}"
        text += "" if args.ttl else ": keep it longer with --ttl 7d or --never"
    if receipt.evicted:
        text += f"; evicted {', '.join(receipt.evicted)}"
    if memslot.ReceiptWarning.TTL_CLAMPED in receipt.warnings:
        text += "; the namespace's ttl_max allows no longer"
    if memslot.ReceiptWarning.SLOT_LIMIT_NEAR in receipt.warnings:
        text += f"; the namespace is nearly full: raise it with memslot namespaces set '{path}' --slot-limit"
    return text


def _body(args: argparse.Namespace) -> str | bytes:
    """Text where it is text, so that the sidecar stores it as such."""
    if args.value is not None:
        if args.file is not None:
            raise UsageError("give the value or --file, not both")
        return str(args.value)
    if args.file in (None, "-"):
        if sys.stdin.isatty():
            sys.stderr.write("reading the value from standard input, end it with Ctrl-D\n")
        raw = sys.stdin.buffer.read(BODY_LIMIT_CEILING_BYTES + 1)
    else:
        try:
            with Path(args.file).open("rb") as file:
                raw = file.read(BODY_LIMIT_CEILING_BYTES + 1)
        except OSError as error:
            raise UsageError(f"--file {args.file}: {error.strerror or error}") from error
    if len(raw) > BODY_LIMIT_CEILING_BYTES:
        raise UsageError(
            f"the value has more than {BODY_LIMIT_CEILING_BYTES:,} bytes, which no slot may hold: split it"
        )
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _json(body: str | bytes) -> bytes:
    text = body.encode() if isinstance(body, str) else body
    try:
        json.loads(text)
    except ValueError as error:
        raise UsageError(f"the merge patch is not JSON: {error}") from None
    return text


def _vector(path: str) -> list[float]:
    try:
        found = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"--vector {path}: {error.strerror or error}") from error
    except ValueError:
        found = None
    if not isinstance(found, list) or not found or not all(type(number) in (int, float) for number in found):
        raise UsageError(f"--vector {path}: it must hold a JSON array of numbers")
    return found


def _details(args: argparse.Namespace) -> Any:
    details = {
        "content_type": args.content_type,
        "description": args.description,
        "task_type": args.task_type,
        "tags": args.tags,
        "attributes": dict(args.attribute) if args.attribute else None,
        "importance": args.importance,
        "pinned": args.pinned,
        "origin": args.origin,
        "summary": args.summary,
        "vector": None if args.vector is None else _vector(args.vector),
        "ttl": args.ttl,
        "if_absent": args.if_absent or None,
        "if_revision": args.if_revision,
    }
    return {key: value for key, value in details.items() if value is not None}
