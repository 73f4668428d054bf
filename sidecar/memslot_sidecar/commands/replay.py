"""``memslot replay``: what recorded agent runs would have sent with their tool results kept in slots."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import memslot
from memslot_sidecar.commands.connection import NotReached
from memslot_sidecar.edge.accounting.counters import counter_of
from memslot_sidecar.errors import InvalidField, StartupError, UsageError
from memslot_sidecar.replay.book_report import BookedRun, books_as_json, books_as_text
from memslot_sidecar.replay.books import books
from memslot_sidecar.replay.counting import count_run
from memslot_sidecar.replay.keeping import NotKept, keep_results
from memslot_sidecar.replay.plan import Plan, plan_run
from memslot_sidecar.replay.report import ReplayedRun, Report, as_json, as_text
from memslot_sidecar.replay.traces import TraceError, read_runs

_ABOUT = """Takes recorded runs in OpenAI's chat format: JSON Lines of {"trace_id": ..., "messages": [...]}, or one JSON array of messages.
Writes each tool result to a slot, in a namespace of its own for each run (N/<trace_id>), puts a one-line receipt in its place, reads all
slots back, and tells how many characters the prompts hold with all results in them and with results kept outside.

The count: a message is as long as its content plus, for each tool call, the function's name and arguments. Each assistant message is
one model call, whose prompt is all messages before it. Tool schemas and instructions are not counted, and no result is read again.

--report adds the books: the same calls in tokens, in a store in RAM, with the prompt card, the schemas and the receipts that an agent
with memslot would have in its prompts, and results shown to --visible-calls calls as injections."""
_AGENT = "memslot-replay"
_EXIT_CODES = """exit codes: 0 done; 1 a slot could not be written or read back; 2 wrong usage, or the file is no recorded run;
6 no sidecar answered at --target"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``replay``."""
    parser = subparsers.add_parser(
        "replay",
        help="measure recorded agent runs with their tool results kept outside the prompt",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the recorded runs")
    parser.add_argument("--namespace", required=True, metavar="N", help="the namespace above those of the runs")
    parser.add_argument(
        "--target",
        metavar="ADDR",
        help="a running sidecar (MEMSLOT_TARGET); default: a store in the RAM of this process",
    )
    parser.add_argument(
        "--visible-calls", type=_calls, default=0, metavar="K",
        help="leave a result in the prompt for the K model calls after it (default: 0; an agent that must see it once: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--cached-price", type=_price, default=1.0, metavar="P",
        help="what a character of the unchanged beginning of the run's previous prompt counts, 0 to 1 (default: 1, no prompt cache)",
    )  # fmt: skip
    parser.add_argument(
        "--report", action="store_true", help="also tell what each run costs in tokens, with instructions and receipts",
    )  # fmt: skip
    parser.add_argument(
        "--token-counter", default="", metavar="NAME",
        help="with --report: chars, estimate (default), o200k or cl100k (memslot[tokens])",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replays. Raises UsageError for a file that is no recorded run, NotReached, and StartupError when a slot cannot be kept."""
    plans = _plans(args.file, args.namespace)
    target = args.target or os.environ.get("MEMSLOT_TARGET", "")
    counter = _counter(args)
    try:
        with _memory(target) as memory, _progress(sum(len(plan.results) for plan in plans)) as done:
            runs = [_replayed(memory, plan, args.visible_calls, done) for plan in plans]
        booked = _booked(plans, args.visible_calls, counter) if args.report else []
    except memslot.Unreachable as error:
        raise NotReached(error.message) from error
    except (memslot.MemslotError, NotKept) as error:
        raise StartupError(str(error)) from error
    report = Report(runs, args.visible_calls, args.cached_price)
    if args.json:
        told = as_json(report) | ({"books": books_as_json(booked)} if args.report else {})
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return 0
    sys.stdout.write(f"{as_text(report)}\n{_whereabouts(plans, target)}\n")
    if args.report:
        sys.stdout.write(f"\n{books_as_text(booked)}\n")
    return 0


def _booked(plans: Sequence[Plan], visible_calls: int, counter: str) -> Sequence[BookedRun]:
    with books(counter) as kept, _progress(len(plans), "run") as done:
        booked = []
        for plan in plans:
            booked.append(BookedRun(plan.run.trace_id, kept.of(plan, visible_calls)))
            done()
    return booked


def _counter(args: argparse.Namespace) -> str:
    name: str = args.token_counter
    if name and not args.report:
        raise UsageError("--token-counter: it counts for --report, which was not given")
    try:
        return counter_of(name).name if name else ""
    except InvalidField as error:
        raise UsageError(f"--{error.message.replace('token_counter', 'token-counter', 1)}") from None


def _plans(path: Path, namespace: str) -> Sequence[Plan]:
    try:
        return [plan_run(recorded, namespace) for recorded in read_runs(path)]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except TraceError as error:
        raise UsageError(f"{path}: {error}") from error


def _replayed(memory: memslot.Memory, plan: Plan, visible_calls: int, done: Callable[[], object]) -> ReplayedRun:
    return ReplayedRun(plan, count_run(plan, visible_calls), keep_results(memory, plan, done))


def _memory(target: str) -> memslot.Memory:
    try:
        if target:
            return memslot.connect(target, agent=_AGENT)
        return memslot.embedded(agent=_AGENT)
    except ImportError as error:
        raise StartupError(str(error)) from error
    except ValueError as error:
        raise UsageError(f"--target: {error}") from error


@contextmanager
def _progress(total: int, unit: str = "result") -> Iterator[Callable[[], object]]:
    """A bar that a person sees when it takes longer than a second."""
    from tqdm import tqdm  # noqa: PLC0415 - slow to import, and of no use for --help

    with tqdm(total=total, unit=unit, delay=1, disable=not sys.stderr.isatty()) as bar:
        yield bar.update


def _whereabouts(plans: Sequence[Plan], target: str) -> str:
    kept = next((plan for plan in plans if plan.results), None)
    if kept is None:
        return "There was no tool result to keep."
    if not target:
        return "They were in the RAM of this process and are gone; with --target they stay in that sidecar until they expire."
    return f"They are in one namespace for each run until they expire: memslot lookup --namespace '{kept.namespace}'"


def _calls(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _price(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = -1.0
    if not 0 <= price <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return price
