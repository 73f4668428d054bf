"""All settings of the server in one value, and the only place that reads flags, the environment and the settings file.

A flag wins over an environment variable, that over a key of the settings file, that over the default.
"""

from __future__ import annotations

import argparse
import difflib
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memslot_sidecar.errors import UsageError
from memslot_sidecar.model import EffectiveSettings
from memslot_sidecar.options import GROUPS, OPTIONS, Option, member
from memslot_sidecar.rules import Limits, NamespaceRule
from memslot_sidecar.settings_file import SettingsFile

DEFAULT_LISTEN = "127.0.0.1:7420"


def default_data_dir(env: Mapping[str, str] = os.environ) -> Path:
    """The per-user directory: ``$XDG_DATA_HOME/memslot``, or ``~/.local/share/memslot``."""
    base = env.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "memslot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings; those that are not given have the defaults that ``memslot serve --help`` tells.

    ``audit_file`` is ``-`` for standard output; empty, it is ``audit.jsonl`` in the data directory, or with the ram store a ring in
    memory. ``cache_bytes`` bounds the cache of slots that were read. ``*_key_env`` name environment variables: no key is a setting.
    """

    store: str = "sqlite"
    data_dir: Path = field(default_factory=default_data_dir)
    lock_wait_s: float = 0.0
    cache_bytes: int = 32 * 2**20
    listen: tuple[str, ...] = ()
    insecure_listen: tuple[str, ...] = ()
    health_listen: tuple[str, ...] = ()
    http_listen: tuple[str, ...] = ()
    http_host: tuple[str, ...] = ()
    metrics_listen: tuple[str, ...] = ()
    socket_mode: int = 0o600
    message_limit_bytes: int = 4 * 2**20
    drain_grace_s: float = 20.0
    audit_file: str = ""
    audit_file_limit_bytes: int = 64 * 2**20
    audit_file_limit_s: float = 3600.0
    audit_overflow: str = "block"
    audit_queue_limit: int = 10_000
    slot_limit: int = 64
    body_limit_bytes: int = 4096
    ttl_default_s: float = 86_400.0
    ttl_max_s: float | None = None
    ttl_refresh_on_read: bool = False
    versions_kept: int = 1
    overflow: str = "reject"
    erase_on_forget: bool = False
    index_mode: str = "keys"
    embedder: str = "none"
    vector_index: str = "auto"
    summary_mode: str = "off"
    summary_above_bytes: int = 2048
    summary_below_rank: float | None = None
    namespace_limit: int | None = None
    namespace_limit_per_root: int | None = None
    store_limit_bytes: int | None = None
    store_limit_bytes_per_root: int | None = None
    rank_half_life_s: float = 86_400.0
    importance_weight: float = math.log(16)
    sweep_interval_s: float = 5.0
    feed_keep_revisions: int = 100_000
    feed_keep_s: float = 86_400.0
    openai_url: str | None = None
    openai_model: str = "text-embedding-3-small"
    openai_key_env: str = "OPENAI_API_KEY"
    openai_dimensions: int | None = None
    openai_timeout_s: float = 10.0
    summary_url: str | None = None
    summary_model: str | None = None
    summary_key_env: str = "OPENAI_API_KEY"
    summary_cache_bytes: int = 16 * 2**20
    chroma: str | None = None
    rank_weight: float = 0.0
    token_counter: str = "estimate"  # noqa: S105 - no secret
    turns_kept: int = 10_000
    turns_kept_per_namespace: int = 2_000
    inspection_bytes: int = 128 * 2**20
    rules: tuple[NamespaceRule, ...] = ()

    @property
    def defaults(self) -> EffectiveSettings:
        """What holds for a namespace that nobody configured, before rules."""
        ttl_max_ms = None if self.ttl_max_s is None else round(self.ttl_max_s * 1000)
        ttl_default_ms = round(self.ttl_default_s * 1000)
        return EffectiveSettings(
            slot_limit=self.slot_limit,
            body_limit_bytes=self.body_limit_bytes,
            ttl_default_ms=ttl_default_ms if ttl_max_ms is None else min(ttl_default_ms, ttl_max_ms),
            ttl_max_ms=ttl_max_ms,
            ttl_refresh_on_read=self.ttl_refresh_on_read,
            versions_kept=self.versions_kept,
            overflow=member("overflow", self.overflow),
            erase_on_forget=self.erase_on_forget,
            index_mode=member("index_mode", self.index_mode),
            embedder=self.embedder,
            vector_index=member("vector_index", self.vector_index),
            summary_mode=member("summary_mode", self.summary_mode),
            summary_above_bytes=self.summary_above_bytes,
            summary_below_rank=self.summary_below_rank,
        )

    @property
    def limits(self) -> Limits:
        """Bounds on the sum over namespaces."""
        return Limits(
            namespace_limit=self.namespace_limit,
            namespace_limit_per_root=self.namespace_limit_per_root,
            store_limit_bytes=self.store_limit_bytes,
            store_limit_bytes_per_root=self.store_limit_bytes_per_root,
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the services listen: what was asked for, else the default."""
        return self.listen + self.insecure_listen or (DEFAULT_LISTEN,)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Adds a flag for every setting, and ``--config``."""
    parser.add_argument(
        "--config", metavar="FILE", help="settings file in TOML, with [[namespace]] rules (MEMSLOT_CONFIG)"
    )
    for title, options in GROUPS.items():
        group = parser.add_argument_group(title)
        for option in options:
            text = f"{option.help} (default: {option.default})"
            action = "append" if option.many else "store"
            group.add_argument(option.flag, dest=option.name, metavar=option.metavar, action=action, help=text)


def load(argv: Sequence[str], env: Mapping[str, str] = os.environ) -> Config:
    """The settings of ``memslot serve``. Raises UsageError."""
    parser = argparse.ArgumentParser(prog="memslot serve", allow_abbrev=False)
    add_flags(parser)
    return from_flags(parser.parse_args(argv), env)


def from_flags(flags: argparse.Namespace, env: Mapping[str, str] = os.environ) -> Config:
    """The settings, given parsed flags. Raises UsageError, which names the flag, variable or key to mend."""
    path = flags.config or env.get("MEMSLOT_CONFIG")
    file = SettingsFile.read(Path(path)) if path else SettingsFile.empty()
    values: dict[str, Any] = {"data_dir": default_data_dir(env)}
    for option in OPTIONS:
        said = _said(option, flags, env, file)
        if said is not None:
            values[option.field] = _parsed(option, *said)
    values["data_dir"] = Path(values["data_dir"]).expanduser()
    if values.get("store") == "ram":
        values.setdefault("audit_file", "-")
    return Config(**values, rules=file.rules())


def misspelled(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Environment variables that are no setting but nearly one, with that one. Others may be anybody's: an orchestrator's, a client's."""
    known = [option.variable for option in OPTIONS]
    others = [name for name in env if name.startswith("MEMSLOT_") and name not in known]
    near = {name: difflib.get_close_matches(name, known, 1, cutoff=0.9) for name in others}
    return {name: found[0] for name, found in near.items() if found}


def _said(
    option: Option, flags: argparse.Namespace, env: Mapping[str, str], file: SettingsFile
) -> tuple[str, Any] | None:
    """Where a setting was given, and what."""
    flag = getattr(flags, option.name)
    if flag is not None:
        return option.flag, ",".join(flag) if option.many else flag
    if env.get(option.variable):
        return option.variable, env[option.variable]
    if option.name in file.values:
        return file.key(option.name), file.values[option.name]
    return None


def _parsed(option: Option, where: str, raw: Any) -> Any:
    try:
        return option.parse(raw)
    except ValueError as error:
        raise UsageError(f"{where}: {'its value' if option.secret else repr(raw)} {error}") from None
