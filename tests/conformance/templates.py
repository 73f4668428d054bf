"""What scenario files say by reference: captured values, texts as bytes, and bodies too large to be written out."""

from __future__ import annotations

import base64
import re
import unicodedata
import uuid
from collections.abc import Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\{([A-Za-z0-9_]+)(?::([A-Za-z0-9_]+))?\}")


class Values:
    """The variables of one run of a scenario. ``${uuid:LABEL}`` is a fresh UUID, the same one for the same label."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = dict(known)

    def within(self, **known: Any) -> Values:
        """These variables, seen and saved in both, with some more that only the new one knows."""
        inner = Values({})
        inner._known = _Layered(self._known, known)
        return inner

    def save(self, name: str, value: Any) -> None:
        """Gives a variable its value."""
        self._known[name] = value

    def fill(self, template: Any) -> Any:
        """The template with everything put in. Raises KeyError for a variable that has no value."""
        if isinstance(template, str):
            return self._text(template)
        if isinstance(template, list):
            return [self.fill(item) for item in template]
        if isinstance(template, dict):
            return _made({key: self.fill(value) for key, value in template.items()})
        return template

    def _text(self, template: str) -> Any:
        whole = _REFERENCE.fullmatch(template)
        if whole:
            return self._value(whole)
        return _REFERENCE.sub(lambda match: str(self._value(match)), template)

    def _value(self, match: re.Match[str]) -> Any:
        name, label = match.groups()
        if name == "uuid":
            return self._known.setdefault(f"uuid:{label}", str(uuid.uuid4()))
        return self._known[name]


class _Layered(dict[str, Any]):
    """Looks and saves in ``outer``, but for what this layer knows itself."""

    def __init__(self, outer: dict[str, Any], own: Mapping[str, Any]) -> None:
        super().__init__(own)
        self._outer = outer

    def __missing__(self, key: str) -> Any:
        return self._outer[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._outer[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value that is there, or this one from now on."""
        return self._outer.setdefault(key, default)


def _made(template: dict[str, Any]) -> Any:
    """A value for an object that describes one: `$text`, `$utf8` and `$nfd`, each with `times`; any other object as it is."""
    times = template.get("times", 1)
    if "$text" in template:
        return template["$text"] * times
    if "$utf8" in template:
        return base64.b64encode(template["$utf8"].encode() * times).decode()
    if "$nfd" in template:
        return unicodedata.normalize("NFD", template["$nfd"])
    return template
