"""The command ``memslot``: finds the command's module and runs it."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from memslot_sidecar.errors import StartupError

COMMANDS = (
    "serve",
    "write",
    "read",
    "forget",
    "lookup",
    "search",
    "act",
    "describe",
    "namespaces",
    "stats",
    "health",
    "backup",
    "restore",
    "check",
    "reindex",
    "replay",
    "report",
    "doctor",
    "audit",
)
"""The modules of :mod:`memslot_sidecar.commands`; a module is imported when its command is run, or for help."""

_UNREAD = 141
"""The exit code where nobody reads the output to its end: that of a program which SIGPIPE ends."""
_EXTRA = {"apsw", "grpc_health", "grpc_reflection", "grpc_status", "orjson", "structlog", "tomli", "tqdm"}


class CommandParser(argparse.ArgumentParser):
    """Takes flags anywhere, also between a name and an optional value: ``write NAME --ttl 7d VALUE``. Mistakes are told in one line, by the
    command that knows what it takes: of several nested ones, the innermost."""

    _mixing = False
    _unknown: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses mixed what can be: not a command with commands of its own, nor what comes with ``--``, which says itself what is no flag.

        Nothing is left over: what is not known ends the process.
        """
        nested = any(action.nargs == argparse.PARSER for action in self._actions)
        if self._mixing:
            return super().parse_known_args(args, namespace)
        if nested or "--" in (args or ()):
            parsed, unknown = super().parse_known_args(args, namespace)
        else:
            self._mixing, self._unknown = True, self._unknown_flags(args or ())
            parsed, unknown = self.parse_known_intermixed_args(args, namespace)
            self._mixing = False
        if unknown:
            self.error(self._unrecognized(unknown))
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """Ends the process with exit code 2. A flag that is not known comes before what is missing: it may have been meant for that."""
        message = self._unrecognized(self._unknown) if self._unknown else message
        self.exit(2, f"{self.prog}: {message}; see '{self.prog} --help'\n")

    def _unrecognized(self, given: Sequence[str]) -> str:
        import difflib  # noqa: PLC0415 - for mistakes alone

        first = next((arg.partition("=")[0] for arg in given if arg.startswith("--")), "")
        near = difflib.get_close_matches(first, self._option_string_actions, 1, 0.75)
        return f"unrecognized arguments: {' '.join(given)}{f' (did you mean {near[0]}?)' if near else ''}"

    def _unknown_flags(self, args: Sequence[str]) -> list[str]:
        """Of those with two dashes; what has a space in it is a value, as argparse sees it."""
        flags = [arg for arg in args if arg.startswith("--") and " " not in arg]
        return [flag for flag in flags if flag.partition("=")[0] not in self._option_string_actions]


class Version(argparse.Action):
    """``--version``: the package is looked up when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Prints the version and ends the process."""
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        sys.stdout.write(f"memslot {version('memslot')}\n")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns the process's exit code."""
    try:
        try:
            return _run(sys.argv[1:] if argv is None else list(argv))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough, as head does. What is left is thrown away, or Python would complain of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREAD


def _run(given: Sequence[str]) -> int:
    try:
        args = _parser(given).parse_args(given)
        code: int = args.run(args)
    except StartupError as error:
        return _failed(str(error), error.exit_code)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        return _failed(f"the module {error.name} is missing; install it with: pip install 'memslot[sidecar]'", 1)
    except KeyboardInterrupt:
        return 130
    return code


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = CommandParser(prog="memslot", description="Memory for LLM agents, in named slots outside the prompt.")
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for name in given[:1] if given and given[0] in COMMANDS else COMMANDS:
        importlib.import_module(f"memslot_sidecar.commands.{name}").add_parser(subparsers)
    return parser


def _failed(message: str, code: int) -> int:
    sys.stderr.write(f"memslot: {message}\n")
    return code
