"""Calls of all kinds upon a real sidecar, and the trail that they leave."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
from tests.faults.asking import attempt, read, write
from tests.system.process import PATIENCE_S, Served

from memslot.v1 import slot_service_pb2 as pb
from memslot_sidecar.commands.audit import schema_text

VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema_text()))
WRITERS = 3
ODD_NAMES = (
    'say "hi"',
    "it's \\n no line",
    "back\\slash \\u0041 \\\\",
    "😀 family 👨‍👩‍👧",
    "用户偏好",
    "{curly: [json]}",
    "100% $HOME `x` %msg% <b>",
    "tab-free but " + "long " * 20 + "end",
    "é à ñ",
)
REFUSED_NAME = "two\nlines\tand a tab"

Event = dict[str, Any]


def call_all_kinds(served: Served) -> None:
    """Names that parsers trip over, a refused name, a failure, and an operation whose event is told in parts."""
    slots = served.slots()
    for name in ODD_NAMES:
        slots.Write(write(name, namespace="acme/odd"), timeout=PATIENCE_S)
        slots.Read(read(name, namespace="acme/odd"), timeout=PATIENCE_S)
    assert attempt(slots.Read, read(REFUSED_NAME)).code == "INVALID_ARGUMENT"
    assert attempt(slots.Read, read("not there")).code == "NOT_FOUND"
    for number in range(400):
        slots.Write(write(f"{number:03} {'x' * 110}", namespace="acme/many"), timeout=PATIENCE_S)
    slots.ForgetMatching(pb.ForgetMatchingRequest(namespace="acme/many", all=True), timeout=PATIENCE_S)


@contextmanager
def load(served: Served) -> Iterator[Counter[str]]:
    """Writers and readers at work until the end of the ``with``; what they did is in the counter then."""
    done, calls = threading.Event(), Counter[str]()

    def work(number: int) -> int:
        slots, count = served.slots(), 0
        while not done.is_set():
            slots.Write(write(f"worker {number}", b"%d" % count), timeout=PATIENCE_S)
            slots.Read(read(f"worker {number}"), timeout=PATIENCE_S)
            count += 1
        return count

    with ThreadPoolExecutor(WRITERS) as pool:
        workers = [pool.submit(work, number) for number in range(WRITERS)]
        try:
            yield calls
        finally:
            done.set()
        for worker in workers:
            calls["Write"] += worker.result()
            calls["Read"] += worker.result()


def lines_of(files: Iterable[Path]) -> list[str]:
    """The lines of a trail's files, in the order of their numbers."""
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    return sorted(lines, key=lambda line: (json.loads(line)["time"], json.loads(line)["sequence"]))


def key(event: Event) -> tuple[str, int]:
    """What tells a line from others: its operation, and which part of it. A line that comes twice has the same."""
    return event["event_id"], event.get("part", 0)


def once(events: Iterable[Event]) -> list[Event]:
    """The events without repeats, in the order of their lines. A repeat must say the same."""
    kept: dict[tuple[str, int], Event] = {}
    for event in events:
        assert kept.setdefault(key(event), event) == event
    return sorted(kept.values(), key=lambda event: (event["time"], event["sequence"]))
