"""Messages as JSON Schema: the protobuf JSON that is taken and given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Schema = dict[str, Any]

_DURATION = r"^-?[0-9]+(\.[0-9]{1,9})?s$"
_WELL_KNOWN: Mapping[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": _DURATION, "examples": ["90s"]},
    "google.protobuf.FieldMask": {"type": "string", "examples": ["description,tags"]},
    "google.protobuf.Any": {
        "type": "object",
        "properties": {"@type": {"type": "string"}},
        "required": ["@type"],
        "additionalProperties": True,
    },
}
_LONG: Schema = {"type": ["string", "integer"], "pattern": "^-?[0-9]+$", "format": "int64"}
_SHORT: Schema = {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1}
_REAL: Schema = {"type": ["number", "string"], "pattern": "^(NaN|-?Infinity|-?[0-9.eE+-]+)$"}
_SCALARS: Mapping[int, Schema] = {
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_INT32: _SHORT,
    FieldDescriptor.TYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.TYPE_INT64: _LONG,
    FieldDescriptor.TYPE_UINT64: {**_LONG, "pattern": "^[0-9]+$", "format": "uint64"},
    FieldDescriptor.TYPE_FLOAT: {**_REAL, "format": "float"},
    FieldDescriptor.TYPE_DOUBLE: {**_REAL, "format": "double"},
}


class Schemas:
    """Collects the schema of each message that is asked for, and of those in it; ``comments`` tell what they mean."""

    def __init__(self, comments: Mapping[str, str]) -> None:
        self._comments = comments
        self.components: dict[str, Schema] = {}

    def of(self, message: Any) -> Schema:
        """A reference to the schema of a message."""
        if message.full_name in _WELL_KNOWN:
            return dict(_WELL_KNOWN[message.full_name])
        if message.full_name not in self.components:
            self.components[message.full_name] = {}
            self.components[message.full_name] = self._message(message)
        return _reference(message.full_name)

    def _message(self, message: Descriptor) -> Schema:
        properties = {field.json_name: self._field(field) for field in message.fields}
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        choices = [
            f"At most one of {', '.join(field.json_name for field in choice.fields)}."
            for choice in message.oneofs
            if len(choice.fields) > 1
        ]
        return self._described("\n\n".join([self._comments.get(message.full_name, ""), *choices]).strip(), schema)

    def _field(self, field: FieldDescriptor) -> Schema:
        inner = field.message_type
        if inner is not None and inner.GetOptions().map_entry:
            schema: Schema = {"type": "object", "additionalProperties": self._one(inner.fields_by_name["value"])}
        elif field.is_repeated:
            schema = {"type": "array", "items": self._one(field)}
        else:
            schema = self._one(field)
        return self._described(self._comments.get(field.full_name, ""), schema)

    def _one(self, field: FieldDescriptor) -> Schema:
        if field.message_type is not None:
            return self.of(field.message_type)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        return dict(_SCALARS[field.type])

    def _enum(self, enum: EnumDescriptor) -> Schema:
        if enum.full_name not in self.components:
            told = [
                f"- `{value.name}`: {self._comments.get(f'{enum.full_name}.{value.name}', '')}" for value in enum.values
            ]
            schema: Schema = {"type": "string", "enum": [value.name for value in enum.values]}
            about = "\n".join([self._comments.get(enum.full_name, ""), "", *told]).strip()
            self.components[enum.full_name] = self._described(about, schema)
        return _reference(enum.full_name)

    @staticmethod
    def _described(description: str, schema: Schema) -> Schema:
        return {"description": description, **schema} if description else schema


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
