"""What a reader of standard output sees."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.sidecar.audit.harness import call, events_in, started

from memslot_sidecar.audit.sinks.stream import StreamSink

RUNTIME_READS_BYTES = 8191


@contextmanager
def portions() -> Iterator[tuple[int, list[bytes]]]:
    """The writing end of a pipe, and what a container runtime reads from the other: 8 KiB at once. Complete after the ``with``."""
    reading, writing = os.pipe()
    found: list[bytes] = []

    def read() -> None:
        while portion := os.read(reading, RUNTIME_READS_BYTES):
            found.append(portion)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield writing, found
    finally:
        os.close(writing)
        reader.join()
        os.close(reading)


@pytest.mark.parametrize("names", [1, 30], ids=["short", "of 6 KiB"])
async def test_no_line_is_cut_by_who_reads_eight_kibibytes(names: int) -> None:
    """A container runtime that reads 8 KiB at once finds whole lines each time, so that it need not mark any as partial."""
    with portions() as (pipe, found):
        async with started(StreamSink(pipe)) as (audit, _):
            for number in range(300):
                audit.finished(call("Read", *(f"{number}-{name}{'x' * 180}" for name in range(names))), "OK")
                if number % 40 == 0:
                    await audit.flush()
    assert [portion for portion in found if not portion.endswith(b"\n")] == []
    assert len(events_in(b"".join(found))) == 300


async def test_lines_above_eight_kibibytes_arrive_whole() -> None:
    """Longer lines are cut by such a reader, and lose nothing."""
    with portions() as (pipe, found):
        async with started(StreamSink(pipe)) as (audit, _):
            for number in range(20):
                audit.finished(call("Read", *(f"{number}-{name}{'x' * 200}" for name in range(60))), "OK")
    assert any(not portion.endswith(b"\n") for portion in found)
    assert len(events_in(b"".join(found))) == 20
