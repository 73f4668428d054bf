"""What holds for a namespace: its own settings, else the nearest configured ancestor's, else the server's rules, else the server's
defaults; a rule's caps bound the result, and what may be set."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

from memslot_sidecar.errors import InvalidField, SettingAboveCap
from memslot_sidecar.model import EffectiveSettings, NamespaceRecord, NamespaceSettings

BODY_LIMIT_CEILING_BYTES = 3_900_000
"""A body of this size still fits in a unary reply, which stays below 4,000,000 bytes."""
VERSIONS_CEILING = 100
TTL_CEILING_MS = 3_155_760_000_000
"""A hundred years: beyond it a time to live is a mistake, and a timestamp may overflow."""
EMBEDDERS = ("none", "e5", "openai", "hashing")
"""What may make vectors; whether a server has it is another question."""

_FIELDS = tuple(field.name for field in fields(NamespaceSettings))
_CAPPED = ("slot_limit", "body_limit_bytes", "ttl_default_ms", "ttl_max_ms", "versions_kept")


@dataclass(frozen=True, slots=True)
class NamespaceRule:
    """A ``[[namespace]]`` table of the settings file.

    In ``pattern`` a ``*`` stands for one whole segment, a last ``**`` for any number of further segments. ``caps`` bounds slot_limit,
    body_limit_bytes, ttl_default_ms, ttl_max_ms and versions_kept.
    """

    pattern: str
    defaults: NamespaceSettings = NamespaceSettings()
    caps: NamespaceSettings = NamespaceSettings()

    def covers(self, path: str) -> bool:
        """Whether the rule is about the namespace ``path``."""
        wanted, given = self.pattern.split("/"), path.split("/")
        if wanted[-1] == "**":
            wanted.pop()
            if len(given) < len(wanted):
                return False
            given = given[: len(wanted)]
        return len(wanted) == len(given) and all(w in ("*", g) for w, g in zip(wanted, given, strict=True))


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the sum over all namespaces, or over those of one root; None is no bound."""

    namespace_limit: int | None = None
    namespace_limit_per_root: int | None = None
    store_limit_bytes: int | None = None
    store_limit_bytes_per_root: int | None = None


UNLIMITED = Limits()


class Rules:
    """The server's defaults and its rules, the first one that covers a namespace counts. ``embedders`` are those that the server has."""

    def __init__(
        self,
        defaults: EffectiveSettings,
        rules: Sequence[NamespaceRule] = (),
        embedders: Collection[str] = ("none",),
    ) -> None:
        self.defaults = defaults
        self.embedders = frozenset(embedders)
        self._rules = tuple(rules)

    def effective(self, path: str, configured: Sequence[NamespaceRecord]) -> EffectiveSettings:
        """What holds for ``path``, given those of it and its ancestors that are configured, in any order."""
        if not configured and not self._rules:
            return self.defaults
        rule = self._rule(path)
        layers = [record.settings for record in sorted(configured, key=lambda record: -len(record.path))] + [
            rule.defaults
        ]
        values = {}
        for name in _FIELDS:
            found = next((value for layer in layers if (value := getattr(layer, name)) is not None), None)
            value = getattr(self.defaults, name) if found is None else found
            cap = getattr(rule.caps, name)
            if cap is not None and (value is None or value > cap):
                value = cap
            values[name] = value
        if values["ttl_max_ms"] is not None:
            values["ttl_default_ms"] = min(values["ttl_default_ms"], values["ttl_max_ms"])
        return EffectiveSettings(**values)

    def check(self, path: str, settings: NamespaceSettings) -> None:
        """Raises InvalidField or SettingAboveCap when ``settings`` may not be set for ``path``."""
        caps = self._rule(path).caps
        _in_range("slot_limit", settings.slot_limit, 1, None)
        _in_range("body_limit_bytes", settings.body_limit_bytes, 1, BODY_LIMIT_CEILING_BYTES)
        _in_range("ttl_default", settings.ttl_default_ms, 1, TTL_CEILING_MS)
        _in_range("ttl_max", settings.ttl_max_ms, 1, TTL_CEILING_MS)
        _in_range("versions_kept", settings.versions_kept, 1, VERSIONS_CEILING)
        _in_range("summary_above_bytes", settings.summary_above_bytes, 1, None)
        _check_rank(settings.summary_below_rank)
        self._check_embedder(settings.embedder)
        for name in _CAPPED:
            value, cap = getattr(settings, name), getattr(caps, name)
            if value is not None and cap is not None and value > cap:
                said = name.removesuffix("_ms")
                raise SettingAboveCap(
                    f"settings.{said} is {value}, but the server's rules allow at most {cap} for namespace '{path}'",
                    field=f"settings.{said}",
                    metadata={"cap": str(cap)},
                )

    def _check_embedder(self, embedder: str | None) -> None:
        if embedder is None or embedder in self.embedders:
            return
        field = "settings.embedder"
        if embedder not in EMBEDDERS:
            raise InvalidField(f"{field} is not one of {', '.join(EMBEDDERS)}", field=field)
        there = ", ".join(known for known in EMBEDDERS if known in self.embedders)
        raise InvalidField(
            f"{field} is '{embedder}', which this server does not have: {_REMEDIES[embedder]}, or take one of {there}",
            field=field,
        )

    def _rule(self, path: str) -> NamespaceRule:
        return next((rule for rule in self._rules if rule.covers(path)), _NO_RULE)


_NO_RULE = NamespaceRule("**")
_REMEDIES = {
    "none": "allow it in the server's settings",
    "e5": "install it with `pip install 'memslot[e5]'` and start the server anew",
    "openai": "start the server with --openai-url and --openai-model",
    "hashing": "start a server that has it",
}


def _in_range(name: str, value: int | None, low: int, high: int | None) -> None:
    if value is not None and (value < low or (high is not None and value > high)):
        unit = " ms" if name.startswith("ttl") else ""
        bounds = f"at least {low}{unit}" if high is None else f"between {low} and {high}{unit}"
        raise InvalidField(f"settings.{name} is {value}{unit}: it must be {bounds}", field=f"settings.{name}")


def _check_rank(value: float | None) -> None:
    if value is not None and not math.isfinite(value):
        field = "settings.summary_below_rank"
        raise InvalidField(f"{field} is {value}: it must be a finite number, or be left out", field=field)
