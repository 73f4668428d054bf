"""Every setting of the server: its name, what it means, and how its value is read. The flag, the environment variable and the key of
the settings file follow from the name: ``drain_grace`` is ``--drain-grace``, ``MEMSLOT_DRAIN_GRACE`` and ``drain_grace``."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memslot_sidecar.model import CLOSED_SETTINGS
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
from memslot_sidecar.rules import BODY_LIMIT_CEILING_BYTES, EMBEDDERS, TTL_CEILING_MS, VERSIONS_CEILING

_TTL = seconds(0.001, TTL_CEILING_MS / 1000)
_RANK = 1e9


def words(kind: type[enum.IntEnum]) -> tuple[str, ...]:
    """The words of a closed set, as people write them."""
    return tuple(member.name.lower().replace("_", "-") for member in kind)


def member(field: str, word: str) -> Any:
    """What the word of a setting that has a closed set stands for."""
    return CLOSED_SETTINGS[field][word.replace("-", "_").upper()]


def _one_of(field: str) -> Callable[[Any], str]:
    return choice(*words(CLOSED_SETTINGS[field]))


def _web_address(raw: Any) -> str:
    found = text(raw).rstrip("/")
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", found):
        raise ValueError("is not an address such as https://api.openai.com/v1, without user and password")
    return found


def _host_and_port(raw: Any) -> str:
    found = text(raw)
    if not re.fullmatch(r"[^\s/@]+:\d{1,5}", found) or int(found.rpartition(":")[2]) > 65_535:
        raise ValueError("is not HOST:PORT such as 127.0.0.1:8000")
    return found


def _or_ports(raw: Any) -> tuple[str, ...]:
    """Addresses, of which one that is a mere port is on 127.0.0.1."""
    found = each(str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw)
    return tuple(f"127.0.0.1:{address}" if address.isdecimal() else address for address in found)


def _variable(raw: Any) -> str:
    found = text(raw)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", found):
        raise ValueError("is not the name of an environment variable, which holds the key")
    return found


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. ``field`` is where the value goes in Config; ``many`` allows the flag to be repeated; ``default`` is for people.

    What is wrong in place of a ``secret`` one is not repeated, since it may be the secret itself.
    """

    name: str
    field: str
    parse: Callable[[Any], Any]
    metavar: str
    default: str
    help: str
    many: bool = False
    secret: bool = False

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
    Option(
        "http_listen", "http_listen", _or_ports, "ADDR", "none",
        "serve HTTP (JSON, three simple routes, /healthz, /readyz, /metrics, /openapi.json) on this loopback address, on a port of "
        "127.0.0.1 such as 7422, or on unix:PATH; may be repeated (memslot[http])", many=True,
    ),
    Option(
        "http_host", "http_host", each, "NAME", "none",
        "a name by which HTTP may be called besides localhost and loopback addresses: what a browser says in Host; may be repeated",
        many=True,
    ),
    Option(
        "metrics_listen", "metrics_listen", _or_ports, "ADDR", "none",
        "serve /metrics by HTTP and nothing else on this address, for scrapers; may be repeated (memslot[http])", many=True,
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
        "where each operation leaves one line of JSON; - is standard output, a folder (ends with /) gets a series of files",
    ),
    Option(
        "audit_file_limit_bytes", "audit_file_limit_bytes", size(4096, 2**40), "SIZE", "64MiB",
        "where audit_file is a folder: the next file begins after so much",
    ),
    Option(
        "audit_file_limit", "audit_file_limit_s", seconds(1, 31_536_000), "TIME", "1h",
        "where audit_file is a folder: the next file begins after this time",
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
    Option("overflow", "overflow", _one_of("overflow"), "POLICY", "reject", "what a full namespace does: reject or evict-lowest-rank"),
    Option("erase_on_forget", "erase_on_forget", truth, "BOOL", "false", "whether each forget wipes the bytes from the disk"),
    Option(
        "index_mode", "index_mode", _one_of("index_mode"), "MODE", "keys",
        "by what slots can be found: keys (name and metadata), fulltext (words too) or hybrid (words and vectors)",
    ),
    Option(
        "embedder", "embedder", choice(*EMBEDDERS), "WHAT", "none",
        "what makes vectors in mode hybrid: none (only those that writers send), e5, openai or hashing",
    ),
    Option(
        "vector_index", "vector_index", _one_of("vector_index"), "KIND", "auto",
        "what compares vectors: auto (exact, then hnsw when they are many), exact, hnsw, chroma or sqlite-vss",
    ),
    Option(
        "summary_mode", "summary_mode", _one_of("summary_mode"), "MODE", "off",
        "of which bodies summaries are made: off, extractive (whole sentences) or model (by the one of --summary-model)",
    ),
    Option("summary_above_bytes", "summary_above_bytes", size(1), "SIZE", "2048", "summaries are made of bodies of at least this size"),
    Option(
        "summary_below_rank", "summary_below_rank", unless_none(real(-_RANK, _RANK)), "X", "none",
        "and of shorter ones whose rank score is below this",
    ),
)  # fmt: skip
BOUNDS = (
    Option("namespace_limit", "namespace_limit", unless_none(integer(1)), "N", "none", "namespaces in the whole store"),
    Option(
        "namespace_limit_per_root", "namespace_limit_per_root", unless_none(integer(1)), "N", "none", "namespaces under one root",
    ),
    Option("store_limit_bytes", "store_limit_bytes", unless_none(size(1)), "SIZE", "none", "bytes of all bodies, versions, vectors and summaries that were sent"),
    Option(
        "store_limit_bytes_per_root", "store_limit_bytes_per_root", unless_none(size(1)), "SIZE", "none",
        "the same under one root",
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
FINDING = (
    Option(
        "openai_url", "openai_url", unless_none(_web_address), "URL", "none",
        "the OpenAI-compatible service that makes vectors for --embedder openai, e.g. https://api.openai.com/v1", secret=True,
    ),
    Option("openai_model", "openai_model", text, "NAME", "text-embedding-3-small", "its model"),
    Option(
        "openai_key_env", "openai_key_env", _variable, "NAME", "OPENAI_API_KEY",
        "the environment variable that holds its key", secret=True,
    ),
    Option(
        "openai_dimensions", "openai_dimensions", unless_none(integer(1, 4096)), "N", "none",
        "size of the vectors to ask it for; none is the model's own",
    ),
    Option("openai_timeout", "openai_timeout_s", seconds(0.1, 600), "TIME", "10s", "how long it may take to answer"),
    Option(
        "summary_url", "summary_url", unless_none(_web_address), "URL", "none",
        "the OpenAI-compatible service that writes summaries for --summary-mode model", secret=True,
    ),
    Option("summary_model", "summary_model", unless_none(text), "NAME", "none", "its model"),
    Option(
        "summary_key_env", "summary_key_env", _variable, "NAME", "OPENAI_API_KEY",
        "the environment variable that holds its key", secret=True,
    ),
    Option("summary_cache_bytes", "summary_cache_bytes", size(0, 2**40), "SIZE", "16MiB", "room for summaries that were made here"),
    Option(
        "chroma", "chroma", unless_none(_host_and_port), "HOST:PORT", "none",
        "the Chroma server for --vector-index chroma; none is Chroma in this process, in the data directory",
    ),
    Option(
        "rank_weight", "rank_weight", real(0, 1), "X", "0",
        "how much the importance rank counts beside the score in the order of what a search finds; it breaks ties in any case",
    ),
)  # fmt: skip
EDGE = (
    Option(
        "token_counter", "token_counter", text, "NAME", "estimate",
        "what counts tokens where a request does not say: chars, estimate, o200k, cl100k (memslot[tokens]), or file:PATH of a "
        "tokenizer.json (memslot[tokenizer-file])",
    ),
    Option(
        "turns_kept", "turns_kept", integer(0, 10_000_000), "N", "10000",
        "turns whose accounts and events are kept for reports and diagnosis, without bodies; the oldest go first",
    ),
    Option("turns_kept_per_namespace", "turns_kept_per_namespace", integer(0, 10_000_000), "N", "2000", "the same in one namespace"),
    Option(
        "inspection_bytes", "inspection_bytes", size(0, 2**40), "SIZE", "128MiB",
        "memory for fingerprints of bodies, which tell what a prompt may hold; slots beyond it are read at each inspection",
    ),
)  # fmt: skip
GROUPS = {
    "where it listens": LISTENING,
    "where it keeps slots": KEEPING,
    "audit": AUDITING,
    "what holds for a namespace that nobody configured": NAMESPACES,
    "bounds of the whole store": BOUNDS,
    "ranking and upkeep": UPKEEP,
    "finding": FINDING,
    "the edge to the model": EDGE,
}
OPTIONS = tuple(option for group in GROUPS.values() for option in group)
RULE_OPTIONS = NAMESPACES
"""What a ``[[namespace]]`` table of the settings file may set, as defaults or caps."""
