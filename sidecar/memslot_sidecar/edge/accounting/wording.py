"""A report in words, in English and Chinese."""

from __future__ import annotations

from memslot_sidecar.edge.accounting.report import Cause, Problem, Report, Verdict
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.notes import Amount

_VERDICTS: dict[Verdict, tuple[str, str]] = {
    Verdict.UNSPECIFIED: ("nothing was recorded yet", "尚未记录任何轮次"),
    Verdict.MEMSLOT_CHEAPER: (
        (
            "memslot is cheaper here: {saved} {unit} saved over {turns}, its own cost of {own} taken off; "
            "the prompts are {ratio} times smaller than with all memory in them"
        ),
        "这里用 memslot 更省：{turns}共节省 {saved} {unit}（已扣除自身开销 {own}）；提示词比全部内联小 {ratio} 倍",
    ),
    Verdict.INLINING_CHEAPER: (
        "inlining is cheaper here: over {turns} memslot cost {lost} {unit} more than it spared; the live slots ({slots}) hold {bytes} bytes{few}",
        "这里直接内联更省：{turns}中 memslot 多用了 {lost} {unit}；{slots} 个有效槽位共 {bytes} 字节{few}",
    ),
}
_FEW = (
    ", too little to be worth instructions and receipts",
    "，内容太少，抵不过说明和回执的开销",
)
_PROBLEMS: dict[Cause, tuple[str, str]] = {
    Cause.RESULTS_IN_HISTORY: (
        (
            "{cost} {unit} of stored bodies came back into the prompts of {turns}: put model_text into the history instead of "
            "what was read or written, and scrub injections after their turn"
        ),
        "已存内容有 {cost} {unit} 回到了 {turns} 的提示词中：请把 model_text（而不是读到或写入的内容）放入历史，并在该轮之后清除注入内容",
    ),
    Cause.INSTRUCTION_TOO_LONG: (
        (
            "card and schemas cost {cost} {unit}, {share} of what could be saved: ask for a smaller card (max_chars), "
            "send fewer schemas, or inline the few memories there are"
        ),
        "卡片和工具定义用去 {cost} {unit}，占可节省量的 {share}：请用更小的卡片（max_chars）、更少的工具定义，或直接内联这些少量记忆",
    ),
    Cause.MANY_FULL_ACTIONS: (
        (
            "the model wrote {cost} {unit} of actions, {share} of what could be saved: have it change long values by "
            "mem_append and mem_patch instead of writing them whole, and write only what changed"
        ),
        "模型写出的操作用去 {cost} {unit}，占可节省量的 {share}：长内容请用 mem_append 和 mem_patch 修改而不要整体重写，且只写有变化的内容",
    ),
}
_UNITS = {False: ("tokens", "个 token"), True: ("characters", "个字符")}
_TURNS = ("{count} turns", "{count} 轮")
_ONE_TURN = ("1 turn", "1 轮")
_ALL = ("all", "全部")


def verdict_text(report: Report, language: Language) -> str:
    """The verdict in a sentence."""
    at = language - 1
    if report.total is None:
        return _VERDICTS[report.verdict][at]
    saved = _weight(report, report.saved)
    return _VERDICTS[report.verdict][at].format(
        saved=f"{saved:,}",
        lost=f"{-saved:,}",
        own=f"{_weight(report, report.sparable) - saved:,}",
        unit=_unit(report, at),
        turns=_turns(len(report.turns), at),
        ratio=f"{report.ratio:,.1f}",
        slots=f"{report.total.slots:,}",
        bytes=f"{report.total.body_bytes_outside:,}",
        few=_FEW[at] if _little(report) else "",
    )


def problem_text(report: Report, problem: Problem, language: Language) -> str:
    """A problem with its figures and a remedy."""
    at = language - 1
    cost, sparable = _weight(report, problem.cost), _weight(report, report.sparable)
    return _PROBLEMS[problem.cause][at].format(
        cost=f"{cost:,}",
        unit=_unit(report, at),
        turns=_turns(len(problem.turns), at),
        share=f"{cost / sparable:.0%}" if sparable > 0 else _ALL[at],
    )


def _turns(count: int, at: int) -> str:
    return _ONE_TURN[at] if count == 1 else _TURNS[at].format(count=f"{count:,}")


def _little(report: Report) -> bool:
    """Whether the bodies themselves are less than the instructions about them."""
    return report.total is not None and _weight(report, report.sparable) < _weight(report, report.total.instruction)


def _unit(report: Report, at: int) -> str:
    return _UNITS[report.mixed_counters][at]


def _weight(report: Report, amount: Amount) -> int:
    return amount.characters if report.mixed_counters else amount.tokens
