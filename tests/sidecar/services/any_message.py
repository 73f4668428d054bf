"""Messages of a type with anything in them, for property tests."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

TEXTS = st.one_of(
    st.sampled_from(["", "ns", "a", "ns/b", "text/plain", "application/json", "pinned", "tags", "%", "{}", "\0", " "]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=140),
)
FLOATS = st.floats() | st.floats(0, 1)
_VALUES: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(0, 3) | st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(0, 3) | st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: FLOATS,
    FieldDescriptor.CPPTYPE_FLOAT: st.floats(width=32),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(-1, 9),
}
# Values that let a request come through to the store, most of the time.
_USUAL: dict[str, list[Any]] = {
    "namespace": ["ns", "ns/b"],
    "name": ["a", "b"],
    "body": [b"", b"x", b"{}", b'{"a":1}', b"\xff"],
    "content_type": ["", "text/plain", "application/json"],
    "mode": [0, 1, 2, 3],
    "all": [True],
    "never": [True],
    "if_absent": [True],
    "if_revision": [1, 2, 3],
}


def any_message(kind: type[Message], depth: int = 5) -> st.SearchStrategy[Message]:
    """Messages of a type; nested ones to a depth."""

    @st.composite
    def build(draw: st.DrawFn) -> Message:
        message = kind()
        _fill(draw, message, depth)
        return message

    return build()


def _fill(draw: st.DrawFn, message: Any, depth: int) -> None:
    descriptor: Descriptor = message.DESCRIPTOR
    for field in descriptor.fields:
        if field.name in _USUAL and draw(st.integers(0, 9)):
            setattr(message, field.name, draw(st.sampled_from(_USUAL[field.name])))
        elif not draw(st.integers(0, 3)) and (depth or field.message_type is None):
            _set(draw, message, field, depth)


def _set(draw: st.DrawFn, message: Any, field: FieldDescriptor, depth: int) -> None:
    holder = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        _fill(draw, holder[draw(TEXTS)], depth - 1)
    elif hasattr(holder, "extend"):
        for _ in range(draw(st.integers(0, 3))):
            if field.message_type is None:
                holder.append(draw(_scalar(field)))
            else:
                _fill(draw, holder.add(), depth - 1)
    elif field.message_type is None:
        setattr(message, field.name, draw(_scalar(field)))
    else:
        holder.SetInParent()
        _fill(draw, holder, depth - 1)


def _scalar(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return TEXTS if field.type == FieldDescriptor.TYPE_STRING else st.binary(max_size=20)
    return _VALUES[field.cpp_type]
