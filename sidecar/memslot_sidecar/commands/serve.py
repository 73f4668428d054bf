"""``memslot serve``: runs the sidecar until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Coroutine
from types import ModuleType
from typing import Any

from memslot_sidecar import config

_ABOUT = """Serves slots over gRPC until SIGTERM or SIGINT.

Each setting is a flag, an environment variable (--drain-grace is MEMSLOT_DRAIN_GRACE) or a key of the TOML file that
--config names (drain_grace); a flag wins over the environment, that over the file. Times are written 500ms, 10s, 5m,
24h, 7d; sizes 4096, 64KiB, 10MB. What a person should read goes to standard error, so that audit events on standard
output stay lines of JSON."""
_EXIT_CODES = """exit codes: 0 stopped by a signal; 1 cannot start; 2 a setting is wrong; 3 the data directory is in use;
4 an address or socket is in use; 5 the store is damaged or was written by a newer memslot"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``serve``."""
    parser = subparsers.add_parser(
        "serve",
        help="run the sidecar",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    config.add_flags(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves; returns when it has drained. Raises StartupError."""
    settings = config.from_flags(args)
    for name, near in config.misspelled().items():
        _say(f"warning: {name} is no setting and is ignored: did you mean {near}?")
    log = _imported_log()
    from memslot_sidecar.server import serve  # noqa: PLC0415

    log.configure(level=logging.WARNING)

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(log.on_loop_exception)
        await serve(settings, _say)

    _run(main())
    return 0


def _run(main: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine in the fastest event loop there is."""
    try:
        import uvloop  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _imported_log() -> ModuleType:
    """The log's module, after the settings: a wrong one is told at once.

    structlog takes rich along wherever that is installed: 5 MB for tracebacks that this log does not show.
    """
    absent = "rich" not in sys.modules
    if absent:
        sys.modules["rich"] = None  # type: ignore[assignment]
    try:
        from memslot_sidecar import log  # noqa: PLC0415
    finally:
        if absent:
            del sys.modules["rich"]
    return log
