"""Audit events as they are read back: files may have been damaged, or written by somebody else."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import orjson

_TEXTS = ("time", "instance_id", "event_id", "operation")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def time_ms(text: str) -> int | None:
    """A time as events have it, in milliseconds since 1970; None when it is none."""
    if _TIME.fullmatch(text) is None:
        return None
    try:
        return round(datetime.fromisoformat(text.removesuffix("Z") + "+00:00").timestamp() * 1000)
    except ValueError:
        return None


def json_object(line: bytes) -> dict[str, Any] | None:
    """The JSON object that a line is, if it is one."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def is_event(fields: dict[str, Any]) -> bool:
    """Whether an object of the audit log has what is counted of events, of the right types."""
    return (
        all(isinstance(fields.get(name), str) for name in _TEXTS)
        and _counts(fields.get("sequence"))
        and _counts(fields.get("part", 1))
        and (
            not fields.get("mutation") or (_counts(fields.get("revision")) and isinstance(fields.get("store_id"), str))
        )
        and (fields["operation"] != "AuditOverflow" or _counts(fields.get("count")))
    )


def _counts(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
