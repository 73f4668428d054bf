"""From a call that was found to an action or a reject: names, arguments, and what both must be."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from memslot_sidecar.parsing.hints import hint
from memslot_sidecar.parsing.json_lenient import LenientDecoder
from memslot_sidecar.parsing.json_strict import Decoder
from memslot_sidecar.parsing.model import Action, Broken, Call, Reject
from memslot_sidecar.parsing.names import ACTIONS, TEXT_ARGUMENTS, Resolved, resolve
from memslot_sidecar.parsing.values import has_lone_surrogate, to_json, without_lone_surrogates

_FENCE_OPEN = re.compile(r"```[A-Za-z0-9_]*")
_PLACEHOLDER = re.compile(r"<[A-Za-z][A-Za-z _-]{0,40}>")
_NFC_LIMIT = 4096
"""No slot name is longer, and to normalise a long run of combining characters takes quadratic time."""


class Unfit(Exception):
    """The arguments make no action, for this reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def conclude(call: Call, own_prefixes: tuple[str, ...] = ()) -> list[Action | Reject]:
    """What a call comes to: nothing when its name is foreign, several when several calls were merged into one."""
    name = resolve(call.name, own_prefixes)
    if name.foreign:
        return []
    try:
        if name.reason:
            raise Unfit(name.reason, name.nearest)
        if call.flaws:
            raise Unfit(call.flaws[0])
        return [_action(call, name, arguments, marks) for arguments, marks in _readings(call.arguments)]
    except Unfit as unfit:
        return [rejected(call, unfit.reason, unfit.detail or name.name)]


def rejected(call: Call, reason: str, detail: str = "") -> Reject:
    """A call as a reject."""
    return Reject(reason, call.start, call.end, hint(reason, detail), call.call_id)


def _action(call: Call, name: Resolved, arguments: dict[str, Any], marks: list[str]) -> Action:
    checked, mended = _checked(name.name, arguments)
    repaired = [name.repair, *call.repaired, *marks, *mended]
    return Action(
        name.name,
        checked,
        to_json(checked),
        call.start,
        call.end,
        tuple(dict.fromkeys(mark for mark in repaired if mark)),
        call.call_id,
        call.shape,
    )


def _checked(name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    for required in ACTIONS[name].required:
        if required not in arguments:
            raise Unfit("MISSING_ARGUMENT", required)
    if isinstance(arguments.get("properties"), dict) and arguments.get("type") == "object":
        raise Unfit("SCHEMA_NOT_CALL", name)
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if texts and len(texts) == len(arguments) and all(map(_PLACEHOLDER.fullmatch, texts)):
        raise Unfit("PLACEHOLDER")
    checked = {key: _fit(key, value) for key, value in arguments.items()}
    if not has_lone_surrogate(checked):
        return checked, []
    try:
        return without_lone_surrogates(checked), ["lone_surrogate"]
    except ValueError as error:
        raise Unfit("DUPLICATE_KEY") from error


def _fit(key: str, value: Any) -> Any:
    if key not in TEXT_ARGUMENTS:
        return value
    if not isinstance(value, str):
        raise Unfit("NOT_A_TEXT", key)
    if key == "query":
        return value
    if has_lone_surrogate(value):
        raise Unfit("LONE_SURROGATE", key)
    return unicodedata.normalize("NFC", value) if len(value) <= _NFC_LIMIT else value


def _readings(arguments: Any, depth: int = 0) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """The objects of arguments that a call gives, each with the repairs it took."""
    if isinstance(arguments, dict):
        yield arguments, []
    elif arguments is None:
        yield {}, []
    elif isinstance(arguments, list):
        if len(arguments) != 1 or not isinstance(arguments[0], dict):
            raise Unfit("ARGUMENTS_NOT_AN_OBJECT")
        yield arguments[0], ["list_around_arguments"]
    elif isinstance(arguments, str):
        yield from _read_text(arguments, depth)
    else:
        raise Unfit("ARGUMENTS_NOT_AN_OBJECT")


def _read_text(text: str, depth: int) -> Iterator[tuple[dict[str, Any], list[str]]]:
    if not text.strip(" \t\r\n"):
        yield {}, []
        return
    bare = text.strip()
    if (fence := _FENCE_OPEN.match(bare)) and bare.endswith("```") and len(bare) > fence.end() + 3:
        yield from _marked(_read_text(bare[fence.end() : -3], depth), "fence_around_arguments")
        return
    values, marks = _decoded(text)
    if len(values) > 1:
        marks.append("merged_calls")
        values = list({to_json(value): value for value in values}.values())
    for value in values:
        if isinstance(value, str):
            if depth:
                raise Unfit("ARGUMENTS_NOT_AN_OBJECT")
            yield from _marked(_read_text(value, depth + 1), "double_encoded")
        else:
            for found, more in _readings(value, depth):
                yield found, [*marks, *more]


def _marked(
    readings: Iterator[tuple[dict[str, Any], list[str]]], mark: str
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    for arguments, marks in readings:
        yield arguments, [mark, *marks]


def _decoded(text: str) -> tuple[list[Any], list[str]]:
    """All values of a text that holds nothing else, strictly or else leniently."""
    try:
        return _whole(Decoder(text))
    except Broken:
        pass
    try:
        return _whole(LenientDecoder(text))
    except Broken as broken:
        raise Unfit(broken.reason) from broken


def _whole(decoder: Decoder) -> tuple[list[Any], list[str]]:
    values: list[Any] = []
    end = decoder.space(0)
    while end < decoder.limit:
        if values and decoder.at(end) not in {"{", ""}:
            end = _stray(decoder, end)
            break
        value, end = decoder.read(end)
        values.append(value)
        end = decoder.space(end)
    if decoder.flaws:
        raise Unfit(decoder.flaws[0][0])
    return values, [mark for mark, _ in decoder.repairs]


def _stray(decoder: Decoder, end: int) -> int:
    if decoder.text[end : decoder.limit].strip(" \t\r\n]})"):
        raise Broken(end, "TEXT_AFTER_ARGUMENTS")
    decoder.repairs.append(("stray_brackets", end))
    return decoder.limit


def decoded_object(arguments: Any) -> dict[str, Any]:
    """The object that arguments hold, strictly; empty when they hold none."""
    if isinstance(arguments, dict):
        return arguments
    if isinstance(arguments, str):
        try:
            values, _ = _whole(Decoder(arguments))
        except (Broken, Unfit):
            return {}
        if len(values) == 1 and isinstance(values[0], dict):
            return values[0]
    return {}
