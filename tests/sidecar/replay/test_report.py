"""The report gives each run and the total, and what a reader must know to judge them."""

from __future__ import annotations

from memslot_sidecar.replay.counting import count_run
from memslot_sidecar.replay.keeping import RaisedLimit
from memslot_sidecar.replay.messages import Message, Run
from memslot_sidecar.replay.plan import plan_run
from memslot_sidecar.replay.report import ReplayedRun, Report, as_json, as_text


def _replayed(trace_id: str, size: int, visible_calls: int, *raised: RaisedLimit) -> ReplayedRun:
    messages = [
        Message("user", "x" * 1000),
        Message("assistant", "y" * 10),
        Message("tool", "z" * size),
        Message("assistant", ""),
    ]
    plan = plan_run(Run(trace_id, messages), "demo")
    return ReplayedRun(plan, count_run(plan, visible_calls), raised)


def _report(size: int = 4000, visible_calls: int = 0, cached_price: float = 1.0) -> Report:
    raised = RaisedLimit("body_limit_bytes", 3000, size)
    idle = plan_run(Run("idle", []), "demo")
    runs = [_replayed("用户", size, visible_calls, raised), ReplayedRun(idle, count_run(idle))]
    return Report(runs, visible_calls, cached_price)


def test_the_table() -> None:
    """Columns are aligned whatever the script of a run's name, and a run without model calls has no ratio."""
    lines = as_text(_report()).splitlines()
    assert lines[0] == "run    calls  results  traditional  with memslot  ratio  output  bytes outside"
    assert lines[2] == "用户       2        1        6,010         2,038   2.95      10          4,000"
    assert lines[3] == "idle       0        0            0             0      -       0              0"
    assert lines[5] == "total      2        1        6,010         2,038   2.95      10          4,000"


def test_what_stands_below_the_table() -> None:
    """The choices behind the figures and every raised limit are told."""
    text = as_text(_report(visible_calls=2, cached_price=0.25))
    assert "stays for 2 model calls, then is a receipt" in text
    assert "count 0.25 each, in both columns" in text
    assert "Raised for demo/用户: body_limit_bytes from 3,000 to 4,000." in text


def test_a_replay_that_does_not_pay_says_so() -> None:
    """Where the receipts are larger than the results the report says that memslot does not pay, and only there."""
    assert "does not pay" not in as_text(_report())
    assert "Here memslot does not pay" in as_text(_report(size=5))


def test_the_object() -> None:
    """As JSON the report has whole characters where nothing is weighed, null for a ratio that does not exist, and the raised limits."""
    told = as_json(_report())
    figures = {
        "model_calls": 2,
        "tool_results": 1,
        "prompt_characters_traditional": 6010,
        "prompt_characters_memslot": 2038,
        "output_characters": 10,
        "body_bytes_outside": 4000,
        "ratio": 2.949,
    }
    raised = {"body_limit_bytes": {"from": 3000, "to": 4000}}
    assert told["runs"][0] == {"trace_id": "用户", "namespace": "demo/用户", **figures, "raised_limits": raised}
    assert told["runs"][1]["ratio"] is None
    assert told["total"] == figures
    assert isinstance(told["total"]["prompt_characters_memslot"], int)
    assert as_json(_report(cached_price=0.1))["total"]["prompt_characters_traditional"] == 5010 + 0.1 * 1000
