"""What the books of replayed runs tell, run by run and in all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import memslot
from memslot_sidecar.replay.columns import aligned

_TITLES = (
    "run", "calls", "prompt", "inlined", "instruction", "receipts", "injected", "leaked", "saved", "cheaper",
)  # fmt: skip
_PARTS = ("prompt", "inlined", "instruction", "receipts", "injected", "leaked")
_CHEAPER = {
    memslot.Verdict.MEMSLOT_CHEAPER: "memslot",
    memslot.Verdict.INLINING_CHEAPER: "inlining",
}


@dataclass(frozen=True, slots=True)
class BookedRun:
    """A run and the report on its calls."""

    trace_id: str
    report: memslot.TokenReport


def books_as_json(runs: Sequence[BookedRun]) -> dict[str, Any]:
    """The books as a JSON value: characters and tokens of each part."""
    return {
        "token_counter": _counter(runs),
        "runs": [{"trace_id": run.trace_id, **_figures([run])} for run in runs],
        "total": _figures(runs),
    }


def books_as_text(runs: Sequence[BookedRun]) -> str:
    """The books as a table of tokens, with what they say in words."""
    rows = [_TITLES, *(_row(run.trace_id, _figures([run])) for run in runs), _row("total", _figures(runs))]
    return "\n".join([*aligned(rows), "", *_notes(runs)])


def _figures(runs: Sequence[BookedRun]) -> dict[str, Any]:
    booked = [run.report for run in runs if run.report.total is not None]
    parts = {part: _sum([getattr(report.total, part) for report in booked]) for part in _PARTS}
    saved = _sum([report.saved for report in booked])
    texts = [report.verdict_text for report in booked] if len(runs) == 1 else []
    return {
        "calls": sum(len(report) for report in booked),
        **parts,
        "saved": saved,
        "cheaper": _cheaper(booked, saved["tokens"]),
        **({"verdict": texts[0], "problems": [one.text for one in booked[0].problems]} if texts else {}),
    }


def _sum(amounts: Sequence[memslot.Amount]) -> dict[str, int]:
    return {
        "characters": sum(amount.characters for amount in amounts),
        "tokens": sum(amount.tokens for amount in amounts),
    }


def _cheaper(booked: Sequence[memslot.TokenReport], saved_tokens: int) -> str | None:
    if not booked:
        return None
    if len(booked) == 1:
        return _CHEAPER[booked[0].verdict]
    return "memslot" if saved_tokens > 0 else "inlining"


def _row(name: str, figures: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = [figures["calls"], *(figures[part]["tokens"] for part in _PARTS), figures["saved"]["tokens"]]
    return (name, *(f"{number:,}" for number in numbers), figures["cheaper"] or "-")


def _notes(runs: Sequence[BookedRun]) -> Iterator[str]:
    yield f"Tokens counted by {_counter(runs) or 'nothing'}. Prompts with the prompt card, the schemas of memory actions, and receipts."
    yield "Inlined: the same prompts with all results in them and without anything of memslot's. Saved: inlined less prompt."
    paid = sum(run.report.verdict is memslot.Verdict.MEMSLOT_CHEAPER for run in runs)
    total = _figures(runs)
    if total["calls"]:
        gained = total["saved"]["tokens"]
        told = f"{gained:,} tokens saved" if gained > 0 else f"{-gained:,} tokens more than inlining"
        yield f"memslot is cheaper in {paid:,} of {len(runs):,} runs; in all: {told}, {total['cheaper']} is cheaper here."


def _counter(runs: Sequence[BookedRun]) -> str:
    return next((run.report.total.token_counter for run in runs if run.report.total is not None), "")
