"""``memslot doctor``: what went wrong in a turn, step by step."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import UsageError

_ABOUT = """Walks the five steps of a turn (raw output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands
on what Act, GetPromptCard, Inject and RecordTurn noted of the turn; files given here are looked at besides. No body is printed.

  memslot doctor --turn 7
  memslot doctor --turn 7 --slot user_pref --answer "You prefer trains."
  memslot doctor --output output.txt --prompt messages.json

Looked for is an answer that holds none of the words of a slot, not one that gets a part of it wrong. A step of which nothing was
noted is unknown; that is no fault. The exit code is 1 when a step broke."""
_MARKS = {"UNSPECIFIED": "?", "OK": "+", "WARNING": "!", "BROKEN": "x"}
_NAMES = {
    "OUTPUT": "1 output",
    "PARSE": "2 parse",
    "STORE": "3 store",
    "PROMPT": "4 next prompt",
    "TOKENS": "5 tokens",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``doctor``."""
    parser = add_command(subparsers, "doctor", "find out which step of a turn went wrong", _ABOUT)
    parser.add_argument("--turn", default="", metavar="T", help="the turn (default: the latest)")
    parser.add_argument("--conversation", default="", metavar="ID", help="its conversation (default: any)")
    parser.add_argument(
        "--slot", default="", metavar="NAME", help="the slot that matters (default: those of its actions)"
    )
    parser.add_argument("--output", metavar="FILE", help="what the model wrote; - is standard input")
    parser.add_argument("--prompt", metavar="FILE", help="what it got next, as text or as a JSON array of messages")
    parser.add_argument(
        "--answer",
        default="",
        metavar="TEXT",
        help="what the user was told: compared with what the turn read, or with --slot",
    )
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="of the findings (default: en)")
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Diagnoses. Raises UsageError for a file that is no text, and for two files in one place."""
    if args.output == args.prompt == "-":
        raise UsageError("--output and --prompt are both -: standard input can be read once")
    output, prompt = _text(args.output), _text(args.prompt)
    with connected(args) as memory:
        found = memory.diagnose(
            args.turn,
            conversation=args.conversation,
            slot=args.slot,
            output=output,
            prompt=prompt,
            answer=args.answer,
            language=args.language,
        )
    if args.json:
        printing.print_json(_plain(found))
    else:
        _print(found)
    return 1 if found.first_broken is not None else 0


def _text(file: str | None) -> str:
    if file is None:
        return ""
    try:
        read = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return read.decode("utf-8").removeprefix("\ufeff")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 at byte {error.start}") from None


def _print(found: memslot.Diagnosis) -> None:
    printing.say(f"turn {found.turn or '(unnamed)'}: {found.summary}")
    for step in found.steps:
        first = "   <- the first that broke" if step.step is found.first_broken else ""
        went = step.verdict.name.lower() if step.verdict else "unknown"
        printing.say(f"{_NAMES[step.step.name]:<14} {went}{first}")
        for finding in step.findings:
            printing.say(f"  {_MARKS[finding.verdict.name]} {finding.text}")


def _plain(found: memslot.Diagnosis) -> dict[str, Any]:
    return {
        "turn": found.turn,
        "summary": found.summary,
        "first_broken": found.first_broken,
        "steps": found.steps,
        "revision": found.revision,
    }
