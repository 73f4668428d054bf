"""What every command that talks to a running sidecar shares: where it is, which namespace, and how a failure is told.

Exit codes: 0 done; 1 the sidecar refused (no such slot, a full namespace, a precondition); 2 wrong usage or a value
that is not taken; 6 no sidecar answered.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memslot
from memslot_sidecar.errors import StartupError, UsageError

EXIT_CODES = """exit codes: 0 done; 1 the sidecar refused, for instance because there is no such slot;
2 wrong usage, or a value that is not taken (a name, a body above its limit); 6 no sidecar answered"""
_AGENT = "memslot-cli"


class Refused(StartupError):
    """The sidecar answered with an error."""


class NotReached(StartupError):
    """No sidecar answered."""

    exit_code = 6


def add_connection(
    parser: argparse.ArgumentParser, *, namespace: bool = True, nested: bool = False, timeout_s: float = 10
) -> None:
    """Adds --target, --namespace, --timeout and --json. Those of a ``nested`` parser say nothing unless they are given, so that the same
    flags may stand before the nested command."""

    def default(value: object) -> Any:
        return argparse.SUPPRESS if nested else value

    parser.add_argument(
        "--target",
        default=default(None),
        metavar="ADDR",
        help="host:port or unix:PATH (MEMSLOT_TARGET; default: 127.0.0.1:7420)",
    )
    if namespace:
        parser.add_argument(
            "-n",
            "--namespace",
            metavar="N",
            help="the namespace, e.g. acme/support/task-42 (MEMSLOT_NAMESPACE; default: default)",
        )
    parser.add_argument(
        "--timeout",
        type=float,
        default=default(float(timeout_s)),
        metavar="SECONDS",
        help=f"give up after so long (default: {timeout_s:g})",
    )
    parser.add_argument(
        "--json", action="store_true", default=default(False), help="print one JSON object instead of text for a person"
    )


def add_command(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, short: str, about: str
) -> argparse.ArgumentParser:
    """A command's parser with its exit codes below."""
    return subparsers.add_parser(
        name,
        help=short,
        description=about,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


@contextmanager
def connected(
    args: argparse.Namespace, data_dir: Path | None = None, *, in_process: bool = False
) -> Iterator[memslot.Memory]:
    """A client for the command: of the sidecar, or of a store in this process.

    Raises UsageError, Refused or NotReached with a sentence for the person at the terminal.
    """
    about: dict[str, Any] = {"namespace": getattr(args, "namespace", None), "timeout": args.timeout, "agent": _AGENT}
    try:
        here = in_process or data_dir is not None
        with memslot.embedded(data_dir, **about) if here else memslot.connect(args.target, **about) as memory:
            yield memory
    except memslot.InvalidRequest as error:
        raise UsageError(error.message) from error
    except memslot.errors.IndexBehind as error:
        raise Refused(error.message) from error
    except (memslot.Unreachable, memslot.errors.DeadlineExceeded) as error:
        raise NotReached(_where(args, error)) from error
    except memslot.OutcomeUnknown as error:
        raise NotReached(f"{error.message}; {_where(args, error)}") from error
    except memslot.MemslotError as error:
        if isinstance(error, memslot.Unavailable) and not error.reason:
            raise NotReached(_where(args, error)) from error
        raise Refused(error.message or error.code) from error
    except ValueError as error:
        raise UsageError(str(error)) from error


def _where(args: argparse.Namespace, error: memslot.MemslotError) -> str:
    target = args.target or os.environ.get("MEMSLOT_TARGET") or "127.0.0.1:7420"
    return f"no sidecar answered at {target} ({error.code}): start one with 'memslot serve', or say where it is with --target"
