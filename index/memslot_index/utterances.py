"""Turns of a conversation, told by their form: ``Ana: I did!`` and nobody else speaks."""

from __future__ import annotations

import re

_LABEL = (
    r"(?:\*\*)?(?P<speaker>[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_a-z][\w.'’-]{0,30}){0,2})(?:\s?\([^)\n]{1,40}\))?(?:\*\*)?"
    r"(?: (?:said|says|asked|asks|replied|replies|answered|answers|wrote|writes))?"
    r"\s?(?::(?=[\s*])|：|,(?=\s?[\"“]))(?:\*\*)?"
)
_MONTHS = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DAYS = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
# A word that may stand before the speaker: of a date, a time or a number of the turn. Each ends with a space, so that there is one way to read them.
_WHEN = rf"\(?(?:[a-z]?\d[\w:./+-]{{0,24}}|{_MONTHS}|{_DAYS}|[ap]\.?m\.?|at|on|of|date|time|session|turn|day|[|–—-])[,;.:|)-]{{0,3}}\s"
_TURN = re.compile(rf"\s*(?:[\[(][^\])\n]{{1,60}}[\])]\s*){{0,2}}(?:(?i:{_WHEN})\s?){{0,12}}{_LABEL}\s*\S")
_ANOTHER = re.compile(r"[\n。！？.!?]\s*[^\W\d_][\w'’-]{0,30}(?::(?=\s)|：)")
_NO_SPEAKERS = frozenset(
    [
        "note",
        "notes",
        "todo",
        "task",
        "tasks",
        "error",
        "warning",
        "info",
        "debug",
        "summary",
        "title",
        "subject",
        "topic",
        "tip",
        "goal",
        "plan",
        "result",
        "results",
        "output",
        "input",
        "question",
        "answer",
        "status",
        "name",
        "date",
        "time",
        "url",
        "path",
        "file",
        "example",
        "step",
        "fact",
        "key",
        "value",
        "tags",
        "type",
        "注意",
        "备注",
        "总结",
        "摘要",
        "标题",
        "主题",
        "问题",
        "答案",
        "日期",
        "时间",
        "结果",
        "任务",
        "待办",
        "错误",
        "警告",
    ]
)
_SAYING = tuple("说道问答")
_READ = 2_000


def speaker_of(text: str) -> str:
    """Who speaks in ``text``, if it is one turn of a conversation; empty if it is anything else."""
    beginning = text[:_READ]
    turn = _TURN.match(beginning)
    if turn is None:
        return ""
    speaker = turn["speaker"]
    if speaker.casefold() in _NO_SPEAKERS or speaker.endswith(_SAYING):
        return ""
    return "" if _ANOTHER.search(beginning, turn.end()) else speaker
