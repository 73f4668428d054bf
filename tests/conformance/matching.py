"""Whether an answer is what a scenario expects: parsed values are compared, and only what the scenario names."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Mismatches = Iterator[str]


def mismatches(expected: Any, actual: Any, at: str = "") -> Mismatches:
    """What differs, a line each. Objects may hold more than is expected, lists may not."""
    matcher = _matcher(expected)
    if matcher:
        name, wanted = matcher
        yield from MATCHERS[name](wanted, actual, at)
    elif isinstance(expected, dict):
        yield from _object(expected, actual, at)
    elif isinstance(expected, list):
        yield from _list(expected, actual, at)
    elif not _same(expected, actual):
        yield f"{at or 'the answer'}: expected {_shown(expected)}, got {_shown(actual)}"


def _matcher(expected: Any) -> tuple[str, Any] | None:
    if isinstance(expected, dict) and len(expected) == 1:
        [(name, wanted)] = expected.items()
        if name in MATCHERS:
            return name, wanted
    return None


def _object(expected: Mapping[str, Any], actual: Any, at: str) -> Mismatches:
    if not isinstance(actual, dict):
        yield f"{at or 'the answer'}: expected an object, got {_shown(actual)}"
        return
    for key, wanted in expected.items():
        where = f"{at}.{key}" if at else key
        if key in actual or _matcher(wanted):
            yield from mismatches(wanted, actual.get(key), where)
        else:
            yield f"{where}: is not there; there are {sorted(actual)}"


def _list(expected: list[Any], actual: Any, at: str) -> Mismatches:
    if not isinstance(actual, list) or len(actual) != len(expected):
        yield f"{at}: expected {len(expected)} items, got {_shown(actual)}"
        return
    for place, (wanted, item) in enumerate(zip(expected, actual, strict=True)):
        yield from mismatches(wanted, item, f"{at}[{place}]")


def _same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return bool(expected == actual)


def _unordered(expected: list[Any], actual: Any, at: str) -> Mismatches:
    if not isinstance(actual, list) or len(actual) != len(expected):
        yield f"{at}: expected {len(expected)} items in any order, got {_shown(actual)}"
        return
    yield from _including(expected, actual, at)


def _including(expected: list[Any], actual: Any, at: str) -> Mismatches:
    left = list(actual or ())
    for wanted in expected:
        found = next((item for item in left if not any(mismatches(wanted, item))), None)
        if found is None:
            yield f"{at}: nothing matches {_shown(wanted)} in {_shown(left)}"
        else:
            left.remove(found)


def _only_if(holds: Callable[[Any, Any], bool], what: str) -> Callable[[Any, Any, str], Mismatches]:
    def check(wanted: Any, actual: Any, at: str) -> Mismatches:
        try:
            held = holds(wanted, actual)
        except (TypeError, ValueError):
            held = False
        if not held:
            yield f"{at}: expected {what} {_shown(wanted)}, got {_shown(actual)}"

    return check


def _inner(parse: Callable[[Any], Any]) -> Callable[[Any, Any, str], Mismatches]:
    def check(wanted: Any, actual: Any, at: str) -> Mismatches:
        try:
            parsed = parse(actual)
        except (TypeError, ValueError):
            yield f"{at}: cannot be read: {_shown(actual)}"
            return
        yield from mismatches(wanted, parsed, at)

    return check


def _not(wanted: Any, actual: Any, at: str) -> Mismatches:
    if not any(mismatches(wanted, actual)):
        yield f"{at}: expected anything but {_shown(wanted)}"


def _all(wanted: list[Any], actual: Any, at: str) -> Mismatches:
    for one in wanted:
        yield from mismatches(one, actual, at)


MATCHERS: Mapping[str, Callable[[Any, Any, str], Mismatches]] = {
    "$any": _only_if(lambda _, actual: actual not in (None, "", "0", 0, [], {}), "anything"),
    "$absent": _only_if(lambda _, actual: actual in (None, "", "0", 0, False, [], {}), "nothing"),
    "$greater": _only_if(lambda wanted, actual: float(actual) > float(wanted), "more than"),
    "$matches": _only_if(lambda wanted, actual: re.search(wanted, actual, re.DOTALL) is not None, "a match of"),
    "$length": _only_if(lambda wanted, actual: len(actual) == wanted, "the length"),
    "$unordered": _unordered,
    "$including": _including,
    "$decoded": _inner(lambda actual: base64.b64decode(actual).decode()),
    "$json": _inner(json.loads),
    "$not": _not,
    "$all": _all,
}


def _shown(value: Any, limit: int = 300) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"
