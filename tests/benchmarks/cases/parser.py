"""The parser of model outputs, in this process: MB/s of plain text, and how time grows with texts made to be hard."""

from __future__ import annotations

from time import process_time

from tests.benchmarks.alternate import Spread
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Outcome, at_least, at_most
from tests.benchmarks.parsed_texts import ADVERSARIAL, PLAIN, repeated

_PLAIN_LENGTH = 1_000_000
_LEAST_S = 0.03
"""The shorter of two texts takes at least so long, so that the clock's grain does not matter."""
_LONGEST = 3_000_000


async def run(bench: Bench) -> Outcome:
    """CPU time of one process. A megabyte is a million bytes of UTF-8; lenient mode, which does more, for what is hard."""
    return Outcome((*_speeds(bench.plan.rounds), *_growths(bench.plan.rounds)))


def _speeds(rounds: int) -> list[Figure]:
    texts = {name: repeated(unit, _PLAIN_LENGTH) for name, unit in PLAIN.items()}
    rates: dict[str, list[float]] = {name: [] for name in texts}
    for _ in range(rounds):
        for name, text in texts.items():
            rates[name].append(len(text.encode()) / 1e6 / _seconds(text, lenient=False))
    return [Figure.of(f"{name}, MB/s", Spread.of(taken), "MB/s", at_least(20)) for name, taken in rates.items()]


def _growths(rounds: int) -> list[Figure]:
    return [
        Figure.of(f"{name}: ten times the text, time", _growth(unit, rounds), "ratio", at_most(12))
        for name, unit in ADVERSARIAL.items()
    ]


def _growth(unit: str, rounds: int) -> Spread:
    length = 30_000
    while length < _LONGEST and _seconds(repeated(unit, length)) < _LEAST_S:
        length *= 2
    short, long = repeated(unit, length), repeated(unit, 10 * length)
    return Spread.of([_seconds(long) / _seconds(short) for _ in range(rounds)])


def _seconds(text: str, *, lenient: bool = True) -> float:
    # Imported here: the other cases measure servers in processes of their own, and need no parser in this one.
    from memslot_sidecar.parsing import parse

    begin = process_time()
    parse(text, lenient=lenient)
    return process_time() - begin
