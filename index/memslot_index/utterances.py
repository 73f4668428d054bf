"""Turns of a conversation, told by their form: ``Ana: I did!`` and nobody else speaks."""

from __future__ import annotations

import re

_LABEL = (
    r"(?P<speaker>[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_a-z][\w.'’-]{0,30}){0,2})(?:\s?\([^)\n]{1,40}\))?"
    r"\s?(?::(?=\s)|：)"
)
_TURN = re.compile(rf"\s*(?:[\[(][^\])\n]{{1,60}}[\])]\s*)?{_LABEL}\s*\S")
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
