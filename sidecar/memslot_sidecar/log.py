"""The server's log on standard error: lines of JSON, or for a person when it is a terminal. ``log`` is ``server`` in each line, which
tells it from the audit trail where both go to one stream.

Like all that leaves the process, a line never holds a body. An exception's text might quote one, so that only that of errors which are
known not to is told; of others, the types and where they were raised.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, Processor

from memslot_sidecar.explaining import explained

_log = logging.getLogger(__name__)


def configure(stream: TextIO | None = None, level: int = logging.INFO, *, human: bool | None = None) -> None:
    """Sends the process's log to ``stream``; ``human`` is whether that is a terminal, unless it is said."""
    target = sys.stderr if stream is None else stream
    if human is None:
        human = target.isatty()
    handler = logging.StreamHandler(target)
    handler.setFormatter(_formatter(human, colors=human and target.isatty()))
    root = logging.getLogger()
    for other in root.handlers[:]:
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(level)


def on_loop_exception(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An event loop's exception handler: logs what happened without showing objects, whose texts might quote a body."""
    error = context.get("exception")
    _log.error("in the event loop: %s", context.get("message", "an exception"), exc_info=error)


def _formatter(human: bool, *, colors: bool) -> logging.Formatter:
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time")
    before: list[Processor] = [_mark, structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, stamp, _explain]
    render: list[Processor]
    if human:
        render = [_unmark, structlog.dev.ConsoleRenderer(colors=colors, timestamp_key="time")]
    else:
        render = [structlog.processors.JSONRenderer()]
    return structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render], foreign_pre_chain=before
    )


def _mark(_logger: Any, _method: str, event: EventDict) -> EventDict:
    return {"log": "server", **event}


def _unmark(_logger: Any, _method: str, event: EventDict) -> EventDict:
    del event["log"]
    return event


def _explain(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Replaces an exception by what may be told of it."""
    exc_info: ExcInfo | None = event.pop("exc_info", None)
    if isinstance(exc_info, tuple) and exc_info[1] is not None:
        event["exception"] = explained(exc_info[1])
    return event
