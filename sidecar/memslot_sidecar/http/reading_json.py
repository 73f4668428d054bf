"""Requests from protobuf JSON. What does not fit is told by the field's name, as the contract spells it, never by its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import orjson
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from memslot_sidecar.errors import InvalidField, UnknownField
from memslot_sidecar.http.json_text import parsed
from memslot_sidecar.http.shapes import DEPTH_LIMIT, check_message

Reader = Callable[[bytes], Message]

_PATIENCE = 10_000
"""Parts of a request that does not fit are looked at, until the wrong one is found."""
_TELLABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_KINDS = {
    FieldDescriptor.CPPTYPE_STRING: "a text (in quotes, without half surrogate pairs)",
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
    FieldDescriptor.CPPTYPE_INT32: "a whole number of 32 bits",
    FieldDescriptor.CPPTYPE_UINT32: "a whole number of 32 bits, not below 0",
    FieldDescriptor.CPPTYPE_INT64: "a whole number of 64 bits, as a number or a text",
    FieldDescriptor.CPPTYPE_UINT64: "a whole number of 64 bits, not below 0, as a number or a text",
    FieldDescriptor.CPPTYPE_FLOAT: "a number",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
}
_WELL_KNOWN = {
    "google.protobuf.Timestamp": "a time such as '2030-01-31T12:00:00Z'",
    "google.protobuf.Duration": "a span of time such as '90s'",
    "google.protobuf.FieldMask": "a list of fields in one text, such as 'description,tags'",
}


def reader(kind: type[Message]) -> Reader:
    """What makes a message of a type from JSON. It raises UnknownField and InvalidField."""
    descriptor: Any = kind.DESCRIPTOR
    texts = _plain_texts(descriptor)

    def read(text: bytes) -> Message:
        fields = _plain_fields(text, texts)
        if fields is not None:
            return kind(**fields)
        value = parsed(text)
        check_message(value, descriptor)
        try:
            return json_format.ParseDict(value, kind(), max_recursion_depth=DEPTH_LIMIT)
        except (json_format.ParseError, ValueError, TypeError):
            looked_at = islice(_blamed(value, descriptor, "", 0), _PATIENCE)
            raise next((found for found in looked_at if found), _unexplained("the request", "")) from None

    return read


def named(text: bytes, *keys: str) -> list[str | None]:
    """The texts under some keys of a JSON object that may be wrong otherwise; None where there is none."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    found = [value.get(key) if isinstance(value, dict) else None for key in keys]
    return [part if isinstance(part, str) else None for part in found]


def _plain_texts(descriptor: Descriptor) -> dict[str, str]:
    """The fields that are one text and nothing else, by either of their names."""
    found = {}
    for field in descriptor.fields:
        if field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated and field.containing_oneof is None:
            found[field.json_name] = field.name
            found[field.name] = field.name
    return found


def _plain_fields(text: bytes, names: dict[str, str]) -> dict[str, str] | None:
    """The fields of a JSON object that holds plain texts alone, each once; else None. Most requests do, and so take no longer way.

    Without a backslash there are four quotation marks a member, and as many in all as the members that are left when a key that
    came twice is there once.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict or text.count(b'"') != 4 * len(value) or b"\\" in text:
        return None
    fields = {}
    for key, part in value.items():
        name = names.get(key)
        if name is None or type(part) is not str:
            return None
        fields[name] = part
    return fields if len(fields) == len(value) else None


def _blamed(value: Any, descriptor: Descriptor, path: str, depth: int) -> Iterator[InvalidField | None]:
    """What is wrong, if it is found, and None for each part that is looked at: each once, however deep it lies."""
    yield None
    if not isinstance(value, dict):
        yield InvalidField(f"{path or 'the request'} is no JSON object", field=path)
        return
    fields = {name: field for field in descriptor.fields for name in (field.json_name, field.name)}
    choices: set[str] = set()
    for key, part in value.items():
        field = fields.get(key)
        if field is None:
            yield _unknown(path, key, descriptor)
        elif part is not None:
            if field.containing_oneof is not None and field.containing_oneof.name in choices:
                yield InvalidField(f"{path or 'the request'} has two values for one choice", field=path)
            choices |= {field.containing_oneof.name} if field.containing_oneof is not None else set()
            yield from _blamed_field(part, field, f"{path}.{field.name}" if path else field.name, depth + 1)


def _blamed_field(value: Any, field: FieldDescriptor, path: str, depth: int) -> Iterator[InvalidField | None]:
    inner = field.message_type
    if depth >= DEPTH_LIMIT:
        yield InvalidField("the request is nested too deeply: flatten it")
    elif field.is_repeated and (inner is None or not inner.GetOptions().map_entry) and not isinstance(value, list):
        yield InvalidField(f"{path} is no list", field=path)
    elif inner is None or inner.full_name in _WELL_KNOWN:
        yield None if _fits(field, value) else _unexplained(path, path, _expected(field))
    elif inner.GetOptions().map_entry:
        yield from _blamed_map(value, field, path, depth)
    elif field.is_repeated:
        for index, item in enumerate(value):
            yield from _blamed(item, inner, f"{path}[{index}]", depth)
    else:
        yield from _blamed(value, inner, path, depth)


def _blamed_map(value: Any, field: Any, path: str, depth: int) -> Iterator[InvalidField | None]:
    inner = field.message_type.fields_by_name["value"].message_type
    if not isinstance(value, dict):
        yield InvalidField(f"{path} is no JSON object", field=path)
    elif inner is None:
        yield None if _fits(field, value) else _unexplained(path, path)
    else:
        for part in value.values():
            yield from _blamed(part, inner, path, depth)


def _fits(field: Any, value: Any) -> bool:
    kind = message_factory.GetMessageClass(field.containing_type)
    try:
        json_format.ParseDict({field.name: value}, kind(), max_recursion_depth=DEPTH_LIMIT)
    except (json_format.ParseError, ValueError, TypeError):
        return False
    return True


def _unknown(path: str, key: str, descriptor: Descriptor) -> UnknownField:
    told = key if _TELLABLE.fullmatch(key) else "?"
    where = f"{path}.{told}" if path else told
    return UnknownField(
        f"{path or 'the request'} has a field {'of a name' if told == '?' else repr(told)} that {descriptor.full_name} does not have: "
        "use a newer server, or leave the field out",
        field=where,
        metadata={"message": descriptor.full_name},
    )


def _unexplained(what: str, path: str, expected: str = "what the contract says") -> InvalidField:
    return InvalidField(f"{what} is not {expected}", field=path)


def _expected(field: FieldDescriptor) -> str:
    if field.message_type is not None:
        kind = _WELL_KNOWN[field.message_type.full_name]
    elif field.type == FieldDescriptor.TYPE_BYTES:
        kind = "base64"
    else:
        kind = _KINDS.get(field.cpp_type) or _one_of(field.enum_type)
    return f"a list of which each is {kind}" if field.is_repeated else kind


def _one_of(enum: Any) -> str:
    return "one of " + ", ".join(value.name for value in enum.values)
