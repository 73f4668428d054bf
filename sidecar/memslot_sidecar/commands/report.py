"""``memslot report``: what the recorded turns cost, against a prompt that holds every body; as a table, as JSON, or as a picture."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import StartupError, UsageError

_ABOUT = """Shows turn by turn what the prompts of a namespace's agents were made of, and what they would have been with all live memory in them.
Turns are recorded by RecordTurn (memory.record_turn). Figures are tokens unless --characters is given; the table says what counted them.

  memslot report --conversation c-17
  memslot report --plot saving.svg"""
_HEAD = (
    "TURN", "PROMPT", "INLINED", "SLOTS", "INSTRUCTION", "RECEIPTS", "INJECTED", "LEAKED", "OUTPUT", "ACTIONS", "PROVIDER", "CACHED",
)  # fmt: skip
_PARTS = ("instruction", "receipts", "injected", "leaked", "output", "actions")
_PICTURES = (".png", ".svg")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``report``."""
    parser = add_command(subparsers, "report", "show what turns cost, and what memslot saved", _ABOUT)
    parser.add_argument(
        "--conversation", default="", metavar="ID", help="only turns of this conversation (default: all)"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=100,
        metavar="N",
        help="at most so many of the latest turns (default: 100; at most 1000)",
    )
    parser.add_argument("--characters", action="store_true", help="show characters instead of tokens")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="of the verdict (default: en)")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path,
        help="also draw a picture, .png or .svg: prompts as they were, and with all memory inlined (needs memslot[report])",
    )  # fmt: skip
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows the report."""
    if args.plot is not None and args.plot.suffix not in _PICTURES:
        raise UsageError(f"--plot: {str(args.plot)!r} is no picture: end it in {' or '.join(_PICTURES)}")
    with connected(args) as memory:
        report = memory.token_report(conversation=args.conversation, limit=args.limit, language=args.language)
    characters = args.characters or report.mixed_counters
    if args.json:
        printing.print_json(_plain(report))
    else:
        _print(report, memory.namespace_path, characters=characters)
    if args.plot is not None:
        _plot(report, args.plot, characters=characters)
    return 0


def _plain(report: memslot.TokenReport) -> dict[str, object]:
    return {
        "turns": report.turns,
        "total": report.total,
        "saved": report.saved,
        "ratio": report.ratio,
        "verdict": report.verdict,
        "verdict_text": report.verdict_text,
        "problems": report.problems,
        "mixed_counters": report.mixed_counters,
        "revision": report.revision,
    }


def _print(report: memslot.TokenReport, path: str, *, characters: bool) -> None:
    if report.total is None:
        printing.say(f"no turn of namespace {path} was recorded: see memory.record_turn")
        return
    rows = [_row(account.turn, account, characters=characters) for account in report]
    printing.print_table(_HEAD, [*rows, _row("total", report.total, characters=characters)])
    printing.say(
        f"counted in characters{'; turns have different counters' if report.mixed_counters else ''}"
        if characters
        else f"counted in tokens by {report.total.token_counter}; provider and cached are the provider's"
    )
    printing.say(report.verdict_text)
    for problem in report.problems:
        printing.say(f"- {problem.text}")


def _row(turn: str, account: memslot.TurnAccount, *, characters: bool) -> tuple[str, ...]:
    def told(amount: memslot.Amount) -> str:
        return f"{amount.characters if characters else amount.tokens:,}"

    said = (account.usage.prompt_tokens, account.usage.cached_tokens)
    return (
        turn,
        told(account.prompt),
        told(account.inlined),
        f"{account.slots:,}",
        *(told(getattr(account, part)) for part in _PARTS),
        *("-" if value is None else f"{value:,}" for value in said),
    )


def _plot(report: memslot.TokenReport, path: Path, *, characters: bool) -> None:
    if report.total is None:
        raise UsageError("--plot: no turn was recorded, so there is nothing to draw")
    try:
        from memslot_sidecar.commands.report_plot import draw  # noqa: PLC0415 - slow to import, and an extra
    except ImportError as error:
        raise StartupError(f"--plot needs a package: pip install 'memslot[report]' ({error})") from None
    try:
        draw(report, path, characters=characters)
    except OSError as error:
        raise StartupError(f"--plot: {path} cannot be written: {error.strerror or error}") from None
    sys.stderr.write(f"memslot: drew {path}\n")
