"""``memslot act``: executes the memory actions in a model's output, and prints what the model is told."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.commands.read import value_of
from memslot_sidecar.errors import UsageError

_ABOUT = """Reads a model's raw output, as text or as a provider's message in JSON, executes the memory actions in it, and prints a receipt for
each: a line without any body. Rejects, which only looked like actions, are among them.

  memslot act output.txt --validate-only
  echo '{"action": "mem_write", "slot": "user_pref", "value": "tea"}' | memslot act
  memslot act --in-process --json < message.json

With --in-process or --data-dir no sidecar is needed. The exit code is 1 when something was refused, not found or rejected."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``act``."""
    parser = add_command(subparsers, "act", "execute the memory actions in a model's output", _ABOUT)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the output; - (default): standard input")
    parser.add_argument("--validate-only", action="store_true", help="parse and check, and execute nothing")
    parser.add_argument(
        "--lenient", action="store_true", help="also take what has exactly one reading once it is mended, and mark it"
    )
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="of the receipts (default: en)")
    parser.add_argument(
        "--on-read", choices=("application", "show_once"), default="application",
        help="show_once: print what was read below the receipts, as it is shown to the model; --json holds it in either case",
    )  # fmt: skip
    parser.add_argument("--turn", default="", metavar="T", help="the turn that this belongs to, for accounting")
    parser.add_argument("--in-process", action="store_true", help="use a store in the RAM of this process")
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="use the store of this directory, while no sidecar does"
    )
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Acts. Raises UsageError for a file that is no text."""
    if args.target and (args.in_process or args.data_dir):
        raise UsageError("--target and a store in this process are both given: choose one")
    if args.in_process and args.data_dir:
        raise UsageError("--in-process and --data-dir are both given: choose one")
    output = _output(args.file)
    with connected(args, args.data_dir, in_process=args.in_process) as memory:
        acted = memory.act(
            output,
            lenient=args.lenient,
            validate_only=args.validate_only,
            on_read=args.on_read,
            turn=args.turn,
            language=args.language,
        )
    if args.json:
        printing.print_json(_plain(acted))
    else:
        _print(acted)
    return 1 if acted.rejects or any(action.error is not None for action in acted.actions) else 0


def _output(file: str) -> str:
    try:
        read = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    try:
        return read.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 at byte {error.start}") from None


def _print(acted: memslot.Acted) -> None:
    if not acted:
        printing.say("no memory action")
    for line in acted.model_text.split("\n") if acted else ():
        printing.say(line)
    if acted.injection:
        sys.stdout.write("\n")
        for line in acted.injection.splitlines():
            printing.say(line)


def _plain(acted: memslot.Acted) -> dict[str, Any]:
    return {
        "actions": [_action(action) for action in acted.actions],
        "rejects": acted.rejects,
        "model_text": acted.model_text,
        "tool_messages": acted.tool_messages,
        "user_text": acted.user_text,
        "injection": acted.injection,
        "injected": acted.injected,
        "revision": acted.revision,
    }


def _action(action: memslot.Action) -> dict[str, Any]:
    """The action with its own result."""
    told: dict[str, Any] = {
        "action": action.action,
        "arguments": action.arguments,
        "arguments_json": action.arguments_json,
        "span": action.span,
        "repaired": action.repaired,
        "call_id": action.call_id,
        "shape": action.shape,
        "outcome": action.outcome,
        "line": action.line,
    }
    if action.receipt is not None:
        told["receipt"] = action.receipt
    if action.slot is not None:
        told["slot"] = {"info": action.slot.info, **value_of(action.slot)}
    if action.found is not None:
        told["found"] = action.found
    if action.error is not None:
        told["error"] = {"reason": action.error.reason, "code": action.error.code, "message": action.error.message}
    return told
