"""What a replay tells: a table for people, one JSON object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memslot_sidecar.replay.columns import aligned
from memslot_sidecar.replay.counting import Count
from memslot_sidecar.replay.keeping import RaisedLimit
from memslot_sidecar.replay.plan import Plan

_TITLES = ("run", "calls", "results", "traditional", "with memslot", "ratio", "output", "bytes outside")


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """A run, what it came to, and which limits were raised for it."""

    plan: Plan
    count: Count
    raised: Sequence[RaisedLimit] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a replay, with the two choices that the count depends on."""

    runs: Sequence[ReplayedRun]
    visible_calls: int
    cached_price: float
    total: Count = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum((run.count for run in self.runs), Count()))


def as_json(report: Report) -> dict[str, Any]:
    """The report as a JSON value; ``ratio`` is null where no prompt was sent."""
    return {
        "visible_calls": report.visible_calls,
        "cached_price": report.cached_price,
        "runs": [
            {
                "trace_id": run.plan.run.trace_id,
                "namespace": run.plan.namespace,
                **_figures(run.count, report.cached_price),
                "raised_limits": {limit.setting: {"from": limit.before, "to": limit.after} for limit in run.raised},
            }
            for run in report.runs
        ],
        "total": _figures(report.total, report.cached_price),
    }


def _figures(count: Count, cached_price: float) -> dict[str, Any]:
    ratio = count.ratio(cached_price)
    return {
        "model_calls": count.model_calls,
        "tool_results": count.tool_results,
        "prompt_characters_traditional": round(count.traditional.weighed(cached_price), 1),
        "prompt_characters_memslot": round(count.memslot.weighed(cached_price), 1),
        "output_characters": count.output_characters,
        "body_bytes_outside": count.outside_bytes,
        "ratio": None if ratio is None else round(ratio, 4),
    }


def as_text(report: Report) -> str:
    """The report as a table, with what a reader must know about the figures below it."""
    rows: list[tuple[str, ...]] = [_TITLES]
    rows += [_row(run.plan.run.trace_id, run.count, report.cached_price) for run in report.runs]
    rows.append(_row("total", report.total, report.cached_price))
    return "\n".join([*aligned(rows), "", *_notes(report)])


def _row(name: str, count: Count, cached_price: float) -> tuple[str, ...]:
    ratio = count.ratio(cached_price)
    numbers = (count.model_calls, count.tool_results)
    prompts = (count.traditional.weighed(cached_price), count.memslot.weighed(cached_price))
    return (
        name,
        *(f"{number:,}" for number in numbers),
        *(f"{prompt:,.0f}" for prompt in prompts),
        "-" if ratio is None else f"{ratio:.2f}",
        f"{count.output_characters:,}",
        f"{count.outside_bytes:,}",
    )


def _notes(report: Report) -> Iterator[str]:
    calls = report.visible_calls
    stay = (
        "is a receipt at once" if not calls else f"stays for {calls} model call{'s' * (calls > 1)}, then is a receipt"
    )
    yield "Traditional and with memslot: characters of all prompts sent. Output: characters that the model wrote."
    yield f"With memslot each tool result {stay}."
    if report.cached_price != 1:
        yield f"Characters of the unchanged beginning of a run's previous prompt count {report.cached_price:g} each, in both columns."
    ratio = report.total.ratio(report.cached_price)
    if report.total.tool_results and ratio is not None and ratio <= 1:
        yield "Here memslot does not pay: the receipts, and what they change in the prompts, cost what they save, or more."
    for run in report.runs:
        for limit in run.raised:
            yield f"Raised for {run.plan.namespace}: {limit.setting} from {limit.before:,} to {limit.after:,}."
    if report.total.tool_results:
        yield "Every result was read back as it was written."
