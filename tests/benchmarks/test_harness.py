"""The harness counts and reports rightly. What it measures is asserted nowhere: times differ by machine."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.benchmarks import dataset, report
from tests.benchmarks.alternate import Series, Spread, alternate, in_turns
from tests.benchmarks.audit_lines import count_lines
from tests.benchmarks.counting_proxy import counting
from tests.benchmarks.figures import Figure, Outcome, at_least, at_most
from tests.benchmarks.measure import Turn, percentile, take_turn
from tests.benchmarks.plan import QUICK
from tests.benchmarks.run import CASES, main


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([7.0], 0.5, 7.0), ([1.0, 2.0], 0.5, 1.0), ([1.0, 2.0, 3.0], 0.5, 2.0), ([1.0, 2.0, 3.0, 4.0], 0.99, 4.0), ([1.0, 2.0], 0.0, 1.0)],
)  # fmt: skip
def test_percentile_is_the_nearest_rank(values: list[float], share: float, expected: float) -> None:
    """A percentile is a value that was measured, never one between two."""
    assert percentile(values, share) == expected


def test_ratio_pairs_the_rounds() -> None:
    """What slows both contenders in one round does not change their ratio."""
    echo, ours = (_series(rates) for rates in ((100.0, 10.0, 100.0), (80.0, 8.0, 80.0)))
    assert ours.ratio(echo, "per_s") == Spread(0.8, 0.8, 0.8)
    assert ours.spread("per_s") == Spread(80.0, 8.0, 80.0)


def test_series_of_different_lengths_have_no_ratio() -> None:
    """A round that one contender missed is not silently left out."""
    with pytest.raises(ValueError, match="shorter"):
        _series((1.0, 2.0)).ratio(_series((1.0,)), "per_s")


async def test_contenders_take_turns() -> None:
    """Each round meets every contender once, and no contender always comes first."""
    order: list[str] = []

    async def note(name: str) -> str:
        order.append(name)
        return name

    results = await in_turns({name: lambda name=name: note(name) for name in "ab"}, 3)  # type: ignore[misc]
    assert order == list("abbaab")
    assert results == {"a": ["a"] * 3, "b": ["b"] * 3}


async def test_a_turn_counts_its_calls_and_not_those_that_warmed_it_up() -> None:
    """Calls made to warm up are in no figure."""
    made = 0

    async def operation(_caller: int) -> None:
        nonlocal made
        made += 1
        await asyncio.sleep(0)

    turn = await take_turn(operation, callers=3, seconds=0.01, warm_s=0.01)
    assert 0 < turn.calls < made
    assert turn.p50_ms <= turn.p99_ms


async def test_a_wrong_answer_ends_the_measurement() -> None:
    """No figure is made of answers that are wrong."""

    async def operation(_caller: int) -> None:
        raise AssertionError("another body")

    with pytest.raises(AssertionError, match="another body"):
        await alternate({"wrong": operation}, replace(QUICK, rounds=1), callers=2)


def test_limits_are_information() -> None:
    """A figure says whether its limit is kept; one without a limit says nothing."""
    assert [Figure("f", 2, "ratio", limit).holds for limit in (at_least(2), at_most(2), at_least(3), at_most(1), None)] == [
        True, True, False, False, None,
    ]  # fmt: skip


def test_table_has_a_line_for_each_figure() -> None:
    """The table shows value, extremes, limit and whether it is kept."""
    outcome = Outcome(
        (Figure.of("reads", Spread(0.8, 0.75, 1234.5), "ratio", at_least(0.9)), Figure("bytes", 56_777, "bytes"))
    )
    heading, _, reads, size = report.table({"read": outcome}).splitlines()
    assert heading.split() == ["case", "figure", "value", "unit", "low", "..", "high", "limit", "kept"]
    assert reads.split() == ["read", "reads", "0.80", "ratio", "0.75", "..", "1,234", ">=", "0.90", "NO"]
    assert size.split() == ["read", "bytes", "56,777", "bytes"]


def test_json_holds_every_turn() -> None:
    """The JSON says on what machine, by what plan, and which turns the figures come from."""
    outcome = Outcome((Figure("reads", 1.0, "ratio", at_least(0.75)),), {"echo": _series((5.0, 6.0))})
    written = json.loads(json.dumps(report.as_json({"read": outcome}, QUICK)))
    assert written["plan"]["slots"] == QUICK.slots
    assert written["machine"]["cores"] >= 1
    case = written["cases"]["read"]
    assert case["figures"][0]["limit"] == {"relation": ">=", "value": 0.75}
    assert case["figures"][0]["holds"] is True
    assert [turn["per_s"] for turn in case["turns"]["echo"]] == [5.0, 6.0]


def test_slots_are_made_from_their_number() -> None:
    """A slot's name leads back to its number, its body has the stated size, and no two bodies are alike."""
    numbers = range(5_000)
    assert [dataset.number_of(dataset.name_of(number)) for number in numbers] == list(numbers)
    bodies = {dataset.body_of(number) for number in numbers}
    assert len(bodies) == len(numbers)
    assert {len(body) for body in bodies} == {dataset.BODY_BYTES}


def test_the_small_store_has_fifty_slots_for_each_lookup() -> None:
    """Both stores answer every measured lookup with a full page."""
    small = range(1_000)
    for share in (dataset.tag_of, dataset.task_type_of, lambda number: dataset.name_of(number)[0]):
        counts = [sum(share(number) == value for number in small) for value in {share(number) for number in small}]
        assert counts == [100] * 10


async def test_proxy_counts_both_directions() -> None:
    """What passes the proxy is counted, byte for byte."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(3)
        writer.write(b"12345")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    async with server, counting(f"{host}:{port}") as proxy:
        reader, writer = await asyncio.open_connection(*proxy.address.rsplit(":", 1))
        writer.write(b"abc")
        assert await reader.read() == b"12345"
        writer.close()
        assert (proxy.bytes_to_server, proxy.bytes_to_client, proxy.bytes_moved) == (3, 5, 8)


def test_audit_lines_are_counted_by_operation(tmp_path: Path) -> None:
    """Only the events of the operation asked for are counted."""
    lines = ['{"operation":"Read"}', '{"operation":"ReadVersion"}', '{"operation":"Read","code":"OK"}']
    (tmp_path / "audit.jsonl").write_text("\n".join(lines))
    assert count_lines(tmp_path, "Read") == 2


def test_an_unknown_case_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The harness says which case it does not know instead of measuring nothing."""
    with pytest.raises(SystemExit):
        main(["--only", "read,raed"])
    assert "no such case: raed" in capsys.readouterr().err
    assert "read" in CASES


def _series(rates: tuple[float, ...]) -> Series:
    return Series(tuple(Turn(1, rate, 1.0, 2.0) for rate in rates))
