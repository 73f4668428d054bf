"""The arguments of actions: which there are, and of what types. What only an operation can judge is left to it.

A number may come as a text that holds one, since models that write tags write texts alone; null is "not given".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from memslot_sidecar.edge.acting.wording import say
from memslot_sidecar.edge.language import Language
from memslot_sidecar.errors import InvalidField
from memslot_sidecar.parsing.json_strict import Decoder
from memslot_sidecar.parsing.model import Broken
from memslot_sidecar.parsing.values import to_json
from memslot_sidecar.quantities import seconds

LISTED_DEFAULT = 20
LISTED_LIMIT = 100
QUERY_LIMIT_BYTES = 8192
"""As long as a text may be that SlotService searches for."""
_TTL_MOST_S = 3.2e11
_DETAILS = ("description", "tags", "importance", "ttl")
ALLOWED: Mapping[str, tuple[str, ...]] = {
    "mem_write": ("slot", "value", *_DETAILS),
    "mem_append": ("slot", "value", *_DETAILS),
    "mem_patch": ("slot", "value", *_DETAILS),
    "mem_read": ("slot",),
    "mem_forget": ("slot",),
    "mem_lookup": ("name_prefix", "limit"),
    "mem_search": ("query", "limit"),
}
"""By action, its arguments in the order in which they are documented."""
_SHOWABLE = re.compile(r"[A-Za-z_]{1,16}")
"""Names of arguments that are told back. What is longer may be a piece of a value that went astray."""
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class BadArgument(InvalidField):
    """An argument that the action does not take, or of a wrong type. Where ``key`` is set, it is worded for the model by that and ``values``."""

    key = ""
    values: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class Storing:
    """mem_write, mem_append or mem_patch. ``body`` is text where ``is_text``, otherwise JSON. ``ttl_s`` of infinity is "never"."""

    action: str
    slot: str
    body: bytes
    is_text: bool
    description: str | None = None
    tags: Sequence[str] = ()
    importance: float | None = None
    ttl_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """mem_read."""

    slot: str


@dataclass(frozen=True, slots=True)
class Forgetting:
    """mem_forget."""

    slot: str


@dataclass(frozen=True, slots=True)
class Listing:
    """mem_lookup."""

    name_prefix: str
    limit: int


@dataclass(frozen=True, slots=True)
class Searching:
    """mem_search."""

    query: str
    limit: int


Asked: TypeAlias = Storing | Reading | Forgetting | Listing | Searching


def understood(action: str, arguments: Mapping[str, Any]) -> Asked:
    """What an action asks for. Raises BadArgument."""
    _check_known(action, arguments)
    if action == "mem_read":
        return Reading(_text(arguments, "slot"))
    if action == "mem_forget":
        return Forgetting(_text(arguments, "slot"))
    if action == "mem_lookup":
        return Listing(_text(arguments, "name_prefix") if arguments.get("name_prefix") else "", _limit(arguments))
    if action == "mem_search":
        return Searching(_filled(arguments, "query"), _limit(arguments))
    body, is_text = _value(action, arguments["value"])
    return Storing(
        action,
        _text(arguments, "slot"),
        body,
        is_text,
        description=_given(arguments, "description", _text),
        tags=_given(arguments, "tags", _tags) or (),
        importance=_given(arguments, "importance", _importance),
        ttl_s=_given(arguments, "ttl", _ttl),
    )


def _bad(argument: str, key: str, **values: object) -> BadArgument:
    told = {"argument": argument, **values}
    error = BadArgument(say(Language.EN, key, **told), field=argument)
    error.key, error.values = key, told
    return error


def _check_known(action: str, arguments: Mapping[str, Any]) -> None:
    allowed = ALLOWED[action]
    for argument in arguments:
        if argument in allowed:
            continue
        names = ", ".join(allowed)
        if _SHOWABLE.fullmatch(argument):
            raise _bad(argument, "unknown_argument", action=action, allowed=names)
        raise _bad("", "an_unknown_argument", action=action, allowed=names)


def _given(arguments: Mapping[str, Any], name: str, parse: Callable[[Mapping[str, Any], str], Any]) -> Any:
    return None if arguments.get(name) is None else parse(arguments, name)


def _value(action: str, value: Any) -> tuple[bytes, bool]:
    """The body, and whether it is text. A patch that came as a text is read, as only an object can be meant."""
    if not isinstance(value, str):
        return to_json(value).encode(), False
    if action != "mem_patch":
        return value.encode(), True
    return to_json(_object(value)).encode(), False


def _object(text: str) -> dict[str, Any]:
    decoder = Decoder(text)
    try:
        value, end = decoder.read(decoder.space(0))
    except Broken:
        raise _bad("value", "not_patch") from None
    if not isinstance(value, dict) or decoder.space(end) < len(text) or decoder.flaws or decoder.repairs:
        raise _bad("value", "not_patch")
    return value


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments[name]
    if not isinstance(value, str):
        raise _bad(name, "no_text")
    return value


def _filled(arguments: Mapping[str, Any], name: str) -> str:
    value = _text(arguments, name)
    if not value.strip():
        raise _bad(name, "empty")
    size = len(value.encode())
    if size > QUERY_LIMIT_BYTES:
        raise _bad(name, "too_long", size=size, limit=QUERY_LIMIT_BYTES)
    return value


def _limit(arguments: Mapping[str, Any]) -> int:
    value = arguments.get("limit")
    if value is None:
        return LISTED_DEFAULT
    if isinstance(value, str) and len(value) < 10 and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value) or value < 1:
        raise _bad("limit", "not_count")
    return int(min(value, LISTED_LIMIT))


def _importance(arguments: Mapping[str, Any], name: str) -> float:
    value = _number(arguments[name])
    if value is None or not 0 <= value <= 1:
        raise _bad(name, "not_number", low=0, high=1)
    return float(value)


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return float(value) if len(value) < 40 and _NUMBER.fullmatch(value.strip()) else None
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def _tags(arguments: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts, also one that was written as JSON in a text, or one text with commas between the tags."""
    value = arguments[name]
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, list) or not all(isinstance(tag, str) and _whole(tag) for tag in value):
        raise _bad(name, "not_tags")
    return tuple(value)


def _listed(text: str) -> Any:
    if not text.lstrip().startswith("["):
        return [tag.strip() for tag in text.split(",") if tag.strip()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _whole(text: str) -> bool:
    """Whether no half of a surrogate pair is in a text, as JSON in a text may hold."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _ttl(arguments: Mapping[str, Any], name: str) -> float:
    """Seconds, or a time as people write it; infinity for ``never``."""
    value = arguments[name]
    if isinstance(value, str) and value.strip().lower() == "never":
        return float("inf")
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        ttl_s = seconds(0.001, _TTL_MOST_S)(value)
    except ValueError:
        raise _bad(name, "not_ttl") from None
    return ttl_s
