"""The books of replayed runs: what each part of the prompts costs, call by call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sidecar.replay.test_command import EXAMPLE, _replay

from memslot_sidecar.errors import UsageError
from memslot_sidecar.replay.book_report import BookedRun, books_as_json, books_as_text
from memslot_sidecar.replay.books import Books, books
from memslot_sidecar.replay.messages import Message, Run, ToolCall
from memslot_sidecar.replay.plan import plan_run

RESULT = json.dumps({"orders": [{"id": number, "state": f"sent in the week {number * 7}"} for number in range(60)]})
CALL = Message("assistant", "", (ToolCall("c1", "list_orders", '{"user": 7}'),))


@pytest.fixture
def kept() -> Iterator[Books]:
    """Books that count characters."""
    with books("chars") as opened:
        yield opened


def _run(trace_id: str = "a", result: str = RESULT, calls: int = 4) -> Run:
    """One result, and ``calls`` model calls that could see it."""
    messages = [Message("user", "Where are my orders?"), CALL, Message("tool", result, (), "list_orders", "c1")]
    return Run(trace_id, [*messages, *[Message("assistant", "One moment.")] * calls])


def test_a_result_is_a_receipt_in_all_calls_behind_it(kept: Books) -> None:
    """Its line counts as a receipt in each of them, card and schemas as instruction, and no body is in any prompt."""
    report = kept.of(plan_run(_run(), "demo"), 0)
    assert len(report) == 5
    assert [account.receipts.characters for account in report] == [0] + [len("stored list_orders-1")] * 4
    assert min(account.instruction.characters for account in report) > 1_000
    assert [(account.leaked.characters, account.injected.characters) for account in report] == [(0, 0)] * 5
    assert [account.slots for account in report] == [0, 1, 1, 1, 1]
    assert report[0].output.characters == len("list_orders") + len('{"user": 7}')
    assert sum(account.actions.characters for account in report) == 0


def test_a_result_that_is_seen_is_an_injection(kept: Books) -> None:
    """For as many calls as see it; it is allowed there and leaked nowhere."""
    report = kept.of(plan_run(_run(), "demo"), 2)
    assert [account.injected.characters > len(RESULT) for account in report] == [False, True, True, False, False]
    assert [account.leaked.characters for account in report] == [0] * 5


def test_all_results_inlined_is_the_recorded_run(kept: Books) -> None:
    """The inlined size of a call grows by the whole result as soon as it is there."""
    report = kept.of(plan_run(_run(), "demo"), 0)
    grown = report[1].inlined.characters - report[0].inlined.characters
    assert len(RESULT) < grown < len(RESULT) + 200


def test_the_table_and_the_object(kept: Books) -> None:
    """Both have each run and the sum of all, the counter, and which way is cheaper: also where it is inlining."""
    runs = [
        BookedRun("long", kept.of(plan_run(_run("long", calls=12), "demo"), 0)),
        BookedRun("short", kept.of(plan_run(_run("short", result="none", calls=2), "demo"), 0)),
        BookedRun("idle", kept.of(plan_run(Run("idle", []), "demo"), 0)),
    ]
    told = books_as_json(runs)
    assert told["token_counter"] == "chars"
    assert [run["cheaper"] for run in told["runs"]] == ["memslot", "inlining", None]
    assert told["runs"][1]["verdict"].startswith("inlining is cheaper here")
    for part in ("prompt", "inlined", "instruction", "receipts", "injected", "leaked", "saved"):
        assert told["total"][part]["tokens"] == sum(run[part]["tokens"] for run in told["runs"])
    lines = books_as_text(runs).splitlines()
    assert lines[0].split() == "run calls prompt inlined instruction receipts injected leaked saved cheaper".split()  # noqa: SIM905
    assert lines[4].split() == ["idle", *"00000000", "-"]
    assert lines[6].startswith("total     16")
    assert "memslot is cheaper in 1 of 3 runs" in lines[-1]
    assert "orders" not in json.dumps(told) + "\n".join(lines)


def test_the_command_adds_them(capsys: pytest.CaptureFixture[str]) -> None:
    """`--report` leaves the figures of the replay as they are, and tells the books beside them."""
    assert _replay(EXAMPLE, "--namespace", "demo", "--json") == 0
    plain = json.loads(capsys.readouterr().out)
    assert _replay(EXAMPLE, "--namespace", "demo", "--json", "--report", "--token-counter", "chars") == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("books")["total"]["calls"] == 25
    assert told == plain
    assert _replay(EXAMPLE, "--namespace", "demo", "--report") == 0
    assert "Tokens counted by estimate." in capsys.readouterr().out


def test_a_counter_must_be_known_and_of_use(tmp_path: Path) -> None:
    """One that there is not, or that nothing would use, is wrong usage."""
    with pytest.raises(UsageError, match="--token-counter: there is no 'words'"):
        _replay(EXAMPLE, "--namespace", "demo", "--report", "--token-counter", "words")
    with pytest.raises(UsageError, match="--report"):
        _replay(EXAMPLE, "--namespace", "demo", "--token-counter", "chars")
