"""Every setting of the server: its name, what it means, and how its value is read. The flag, the environment variable and the key of
the settings file follow from the name: ``drain_grace`` is ``--drain-grace``, ``MEMSLOT_DRAIN_GRACE`` and ``drain_grace``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memslot_sidecar.quantities import (
    choice,
    each,
    integer,
    octal,
    real,
    seconds,
    size,
    text,
    truth,
    unless_none,
)
from memslot_sidecar.rules import BODY_LIMIT_CEILING_BYTES, TTL_CEILING_MS, VERSIONS_CEILING

_TTL = seconds(0.001, TTL_CEILING_MS / 1000)
_OVERFLOW = choice("reject", "evict-lowest-rank")


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. ``field`` is where the value goes in Config; ``many`` allows the flag to be repeated; ``default`` is for people."""

    name: str
    field: str
    parse: Callable[[Any], Any]
    metavar: str
    default: str
    help: str
    many: bool = False

    @property
    def flag(self) -> str:
        """The command line flag."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The environment variable."""
        return "MEMSLOT_" + self.name.upper()


LISTENING = (
    Option(
        "listen", "listen", each, "ADDR", "127.0.0.1:7420",
        "serve on this loopback address, or on unix:PATH; may be repeated; port 0 takes a free one", many=True,
    ),
    Option(
        "insecure_listen", "insecure_listen", each, "ADDR", "none",
        "serve on an address that other machines may reach, without encryption or credentials; may be repeated", many=True,
    ),
    Option(
        "health_listen", "health_listen", each, "ADDR", "none",
        "serve grpc.health.v1 and nothing else on this address, for probes; may be repeated", many=True,
    ),
    Option("socket_mode", "socket_mode", octal, "MODE", "0600", "permissions of Unix sockets"),
    Option(
        "message_limit_bytes", "message_limit_bytes", size(4_194_304, 2**28), "SIZE", "4MiB",
        "largest message that is received or sent",
    ),
    Option(
        "drain_grace", "drain_grace_s", seconds(0, 3600), "TIME", "20s",
        "how long calls may take to finish after SIGTERM; a second signal ends them at once",
    ),
)  # fmt: skip
KEEPING = (
    Option("store", "store", choice("sqlite", "ram"), "KIND", "sqlite", "sqlite, or ram, which forgets all when it stops"),
    Option(
        "data_dir", "data_dir", text, "DIR", "$XDG_DATA_HOME/memslot, that is ~/.local/share/memslot",
        "where the sqlite store lives; one sidecar at a time",
    ),
    Option(
        "lock_wait", "lock_wait_s", seconds(0, 31_536_000), "TIME", "0",
        "wait so long for another sidecar to leave the data directory, and say NOT_SERVING meanwhile",
    ),
    Option("cache_bytes", "cache_bytes", size(0, 2**34), "SIZE", "32MiB", "memory for slots that were read lately"),
)  # fmt: skip
AUDITING = (
    Option(
        "audit_file", "audit_file", text, "FILE", "audit.jsonl in the data directory; standard output with --store ram",
        "where each operation leaves one line of JSON; - is standard output",
    ),
    Option(
        "audit_overflow", "audit_overflow", choice("block", "drop"), "POLICY", "block",
        "when events wait: block (calls wait too) or drop (and count); events of mutations are never dropped",
    ),
    Option("audit_queue_limit", "audit_queue_limit", integer(1, 10_000_000), "N", "10000", "how many events may wait"),
)  # fmt: skip
NAMESPACES = (
    Option("slot_limit", "slot_limit", integer(1), "N", "64", "slots a namespace may hold"),
    Option(
        "body_limit_bytes", "body_limit_bytes", size(1, BODY_LIMIT_CEILING_BYTES), "SIZE", "4096", "bytes a body may have",
    ),
    Option("ttl_default", "ttl_default_s", _TTL, "TIME", "24h", "how long a slot lives when its writer says nothing"),
    Option("ttl_max", "ttl_max_s", unless_none(_TTL), "TIME", "none", "how long a slot may live at most"),
    Option("ttl_refresh_on_read", "ttl_refresh_on_read", truth, "BOOL", "false", "whether a read renews the time to live"),
    Option(
        "versions_kept", "versions_kept", integer(1, VERSIONS_CEILING), "N", "1", "versions kept of a slot, the current one included",
    ),
    Option("overflow", "overflow", _OVERFLOW, "POLICY", "reject", "what a full namespace does: reject or evict-lowest-rank"),
    Option("erase_on_forget", "erase_on_forget", truth, "BOOL", "false", "whether each forget wipes the bytes from the disk"),
)  # fmt: skip
BOUNDS = (
    Option("namespace_limit", "namespace_limit", unless_none(integer(1)), "N", "none", "namespaces in the whole store"),
    Option(
        "namespace_limit_per_root", "namespace_limit_per_root", unless_none(integer(1)), "N", "none", "namespaces under one root",
    ),
    Option("store_limit_bytes", "store_limit_bytes", unless_none(size(1)), "SIZE", "none", "bytes of all bodies and versions"),
    Option(
        "store_limit_bytes_per_root", "store_limit_bytes_per_root", unless_none(size(1)), "SIZE", "none",
        "bytes of the bodies and versions under one root",
    ),
)  # fmt: skip
UPKEEP = (
    Option("rank_half_life", "rank_half_life_s", seconds(1, 3_155_760_000), "TIME", "24h", "until an access counts half for the rank"),
    Option(
        "importance_weight", "importance_weight", real(0, 100), "X", "2.77 (sixteen times the accesses)",
        "what importance 1 adds to the logarithm of the access count",
    ),
    Option("sweep_interval", "sweep_interval_s", seconds(0.05, 86_400), "TIME", "5s", "how often expired slots are reclaimed"),
    Option("feed_keep_revisions", "feed_keep_revisions", integer(1), "N", "100000", "revisions the change feed keeps at least"),
    Option("feed_keep", "feed_keep_s", seconds(0, 3_155_760_000), "TIME", "24h", "how long the change feed keeps at least"),
)  # fmt: skip
GROUPS = {
    "where it listens": LISTENING,
    "where it keeps slots": KEEPING,
    "audit": AUDITING,
    "what holds for a namespace that nobody configured": NAMESPACES,
    "bounds of the whole store": BOUNDS,
    "ranking and upkeep": UPKEEP,
}
OPTIONS = tuple(option for group in GROUPS.values() for option in group)
RULE_OPTIONS = NAMESPACES
"""What a ``[[namespace]]`` table of the settings file may set, as defaults or caps."""
