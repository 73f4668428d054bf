"""The picture of a report: prompts as they were sent, and with all memory inlined, over the turns. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

import memslot

_SIZE_INCHES = (9, 5)
_LARGE_RATIO = 20
"""From here on the axis is logarithmic, since the lower line would not be seen otherwise."""


def draw(report: memslot.TokenReport, path: Path, *, characters: bool) -> None:
    """Draws into a file; its ending says in which format. Raises OSError."""

    def size(amount: memslot.Amount) -> int:
        return amount.characters if characters else amount.tokens

    turns = range(1, len(report) + 1)
    inlined, sent = [size(one.inlined) for one in report], [size(one.prompt) for one in report]
    rest = [_rest(one, characters=characters) for one in report]
    figure = Figure(figsize=_SIZE_INCHES, layout="constrained")
    axes = figure.add_subplot()
    marker = "." if len(report) < 2 else ""
    axes.plot(turns, inlined, label="traditional: all live memory in the prompt", color="tab:red", marker=marker)
    axes.plot(turns, sent, label="with memslot", color="tab:blue", marker=marker)
    axes.fill_between(turns, rest, sent, color="tab:blue", alpha=0.2, label="memslot's part of it", linewidth=0)
    axes.set_xlabel("turn")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("characters of the prompt" if characters else f"tokens of the prompt ({_counter(report)})")
    if report.ratio > _LARGE_RATIO:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_title(_title(report))
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, format=path.suffix[1:])


def _rest(account: memslot.TurnAccount, *, characters: bool) -> int:
    """What of a prompt is not there for memslot's sake."""
    parts = (account.instruction, account.receipts, account.injected, account.leaked)
    taken = sum(part.characters if characters else part.tokens for part in parts)
    return max((account.prompt.characters if characters else account.prompt.tokens) - taken, 0)


def _title(report: memslot.TokenReport) -> str:
    turns = f"{len(report)} turn{'s' if len(report) != 1 else ''}"
    if 0 < report.ratio < 1:
        return f"Prompt size over {turns}: {1 / report.ratio:,.1f} times larger than inlined"
    return f"Prompt size over {turns}: {report.ratio:,.1f} times smaller than inlined"


def _counter(report: memslot.TokenReport) -> str:
    return report.total.token_counter if report.total is not None else ""
