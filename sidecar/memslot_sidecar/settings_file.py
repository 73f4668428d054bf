"""The settings file: TOML with a key for each setting, and ``[[namespace]]`` tables of rules.

drain_grace = "30s"
listen = ["127.0.0.1:7420", "unix:/run/memslot/memslot.sock"]

[[namespace]]
pattern = "acme/**"
defaults = { slot_limit = 256 }
caps = { body_limit_bytes = "64KiB", ttl_max = "30d" }
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memslot_sidecar.errors import UsageError
from memslot_sidecar.model import CLOSED_SETTINGS, NamespaceSettings
from memslot_sidecar.options import OPTIONS, RULE_OPTIONS, member
from memslot_sidecar.rules import NamespaceRule

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_CAPPED = ("slot_limit", "body_limit_bytes", "ttl_default", "ttl_max", "versions_kept")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file that was read; ``name`` is for error messages, ``values`` are as in TOML."""

    name: str
    values: Mapping[str, Any]

    @classmethod
    def empty(cls) -> SettingsFile:
        """No file."""
        return cls("", {})

    @classmethod
    def read(cls, path: Path) -> SettingsFile:
        """Reads a file and checks its keys. Raises UsageError."""
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise UsageError(f"settings file {path}: {error.strerror}; --config names it") from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise UsageError(f"settings file {path} is not TOML: {error}") from None
        file = cls(path.name, values)
        file._known(values, {option.name for option in OPTIONS} | {"namespace"})
        return file

    def key(self, name: str) -> str:
        """A key as an error message names it."""
        return f"{self.name}: key {name}"

    def rules(self) -> tuple[NamespaceRule, ...]:
        """The ``[[namespace]]`` tables in order. Raises UsageError."""
        tables = self.values.get("namespace", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise UsageError(f"{self.key('namespace')}: write [[namespace]], a table for each rule")
        return tuple(self._rule(f"namespace[{index}]", table) for index, table in enumerate(tables))

    def _rule(self, where: str, table: Mapping[str, Any]) -> NamespaceRule:
        self._known(table, {"pattern", "defaults", "caps"}, where)
        pattern = table.get("pattern")
        if not isinstance(pattern, str) or not pattern or "" in pattern.split("/"):
            raise UsageError(
                f"{self.key(where + '.pattern')}: write a namespace, in which * stands for one segment and a last ** for any"
            )
        defaults = self._settings(f"{where}.defaults", table.get("defaults", {}), [o.name for o in RULE_OPTIONS])
        return NamespaceRule(pattern, defaults, self._settings(f"{where}.caps", table.get("caps", {}), _CAPPED))

    def _settings(self, where: str, table: Any, allowed: Collection[str]) -> NamespaceSettings:
        if not isinstance(table, dict):
            raise UsageError(f"{self.key(where)}: write a table such as {{ slot_limit = 256 }}")
        self._known(table, allowed, where)
        values: dict[str, Any] = {}
        for option in RULE_OPTIONS:
            if option.name in table:
                raw = table[option.name]
                try:
                    value = option.parse(raw)
                except ValueError as error:
                    raise UsageError(f"{self.key(f'{where}.{option.name}')}: {raw!r} {error}") from None
                values.update([_as_setting(option.field, value)])
        return NamespaceSettings(**values)

    def _known(self, table: Mapping[str, Any], known: Collection[str], where: str = "") -> None:
        for name in table:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                remedy = f"did you mean {near[0]}?" if near else f"it may have {', '.join(sorted(known))}"
                raise UsageError(f"{self.key(f'{where}.{name}' if where else name)} is not known: {remedy}")


def _as_setting(field: str, value: Any) -> tuple[str, Any]:
    """A setting of the server as one of a namespace, which counts in milliseconds and has enums for closed sets."""
    if field.endswith("_s"):
        return field.removesuffix("_s") + "_ms", None if value is None else round(value * 1000)
    return field, member(field, value) if field in CLOSED_SETTINGS else value
