"""The server's log: told apart from the audit trail, and without bodies."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest

from memslot_sidecar import log
from memslot_sidecar.errors import SlotNotFound
from memslot_sidecar.explaining import explained

CANARY = "the body that nobody may see"


@pytest.fixture(autouse=True)
def _kept_logging() -> Iterator[None]:
    """Gives logging back as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def test_a_line_is_json_and_says_that_it_is_the_servers() -> None:
    """Each line is an object with the log, the time, the level, the logger and the text."""
    stream = io.StringIO()
    log.configure(stream)
    logging.getLogger("memslot_sidecar.server").warning("draining %d calls", 3)
    told = json.loads(stream.getvalue())
    assert told.pop("time").endswith("Z")
    assert told == {
        "log": "server",
        "level": "warning",
        "logger": "memslot_sidecar.server",
        "event": "draining 3 calls",
    }


def test_a_person_reads_text() -> None:
    """On a terminal the lines are text."""
    stream = io.StringIO()
    log.configure(stream, human=True)
    logging.getLogger("memslot_sidecar.server").warning("draining")
    assert "draining" in stream.getvalue()
    assert "{" not in stream.getvalue()


@pytest.mark.parametrize("human", [True, False])
def test_an_exceptions_text_is_not_told(human: bool) -> None:
    """An exception may quote a body, so its types and places are told, and only the texts of errors that never do."""
    stream = io.StringIO()
    log.configure(stream, human=human)
    try:
        try:
            raise ValueError(CANARY)
        except ValueError as cause:
            raise SlotNotFound("no slot 'plan'") from cause
    except SlotNotFound:
        logging.getLogger("memslot_sidecar").exception("it failed")
    told = stream.getvalue()
    assert CANARY not in told
    assert "builtins.ValueError" in told
    assert "SlotNotFound: no slot 'plan'" in told
    assert "test_log.py" in told


async def test_the_event_loops_complaints_quote_nothing() -> None:
    """What the event loop complains about is told without the texts of the objects involved."""
    stream = io.StringIO()
    log.configure(stream)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log.on_loop_exception)
    loop.call_exception_handler({"message": "never retrieved", "exception": ValueError(CANARY), "task": CANARY})
    told = stream.getvalue()
    assert CANARY not in told
    assert "never retrieved" in told
    assert "builtins.ValueError" in told


def test_a_cycle_of_causes_ends() -> None:
    """Exceptions that name each other as their cause are told once each."""
    first, second = ValueError(), KeyError()
    first.__cause__, second.__cause__ = second, first
    assert explained(first) == "builtins.KeyError\nled to\nbuiltins.ValueError"
