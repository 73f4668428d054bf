"""Settings: where they come from, which wins, and what a wrong one is told."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from memslot_sidecar import config
from memslot_sidecar.config import Config
from memslot_sidecar.errors import UsageError
from memslot_sidecar.model import IndexMode, NamespaceSettings, Overflow, SummaryMode, VectorIndexKind
from memslot_sidecar.options import OPTIONS
from memslot_sidecar.rules import NamespaceRule

HOME = {"HOME": "/home/someone"}


def load(*argv: str, env: Mapping[str, str] = HOME) -> Config:
    """The settings of a command line."""
    return config.load(argv, env)


@pytest.fixture
def settings_file(tmp_path: Path) -> Any:
    """Writes a settings file and returns its path."""

    def write(text: str) -> str:
        path = tmp_path / "memslot.toml"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def test_flag_wins_over_environment_over_file_over_default(settings_file: Any) -> None:
    """A flag wins over an environment variable, that over a key of the file, that over the default."""
    path = settings_file('slot_limit = 1\nversions_kept = 2\nttl_default = "3h"\n')
    env = {"MEMSLOT_CONFIG": path, "MEMSLOT_SLOT_LIMIT": "10", "MEMSLOT_VERSIONS_KEPT": "20"}
    found = load("--slot-limit", "100", env=env)
    assert (found.slot_limit, found.versions_kept, found.ttl_default_s) == (100, 20, 10_800)
    assert found.body_limit_bytes == 4096


def test_every_setting_has_a_field_and_every_field_a_setting() -> None:
    """No setting is read into nothing, and no field is out of reach."""
    assert {option.field for option in OPTIONS} | {"rules"} == {field.name for field in fields(Config)}


TOLD_IN_NUMBERS = [option for option in OPTIONS if option.name not in ("data_dir", "audit_file") and not option.many]


@pytest.mark.parametrize("option", TOLD_IN_NUMBERS, ids=lambda option: option.name)
def test_defaults_are_what_the_help_says(option: Any) -> None:
    """What the help gives as default is what holds when nothing is said."""
    told = {"2.77 (sixteen times the accesses)": "2.772588722239781"}.get(option.default, option.default)
    assert option.parse(told) == pytest.approx(getattr(Config(), option.field))


def test_data_dir_is_a_directory_of_the_user() -> None:
    """Unset, the data directory is the user's own: of XDG, else under the home directory."""
    assert config.default_data_dir({"XDG_DATA_HOME": "/data"}) == Path("/data/memslot")
    assert config.default_data_dir({}) == Path.home() / ".local/share/memslot"
    assert config.default_data_dir({"XDG_DATA_HOME": "relative"}) == Path.home() / ".local/share/memslot"


def test_default_address_holds_unless_another_is_given() -> None:
    """The default address is left alone as soon as any other is asked for."""
    assert load().addresses == ("127.0.0.1:7420",)
    assert load("--listen", "unix:a", "--listen", "127.0.0.1:1").addresses == ("unix:a", "127.0.0.1:1")
    assert load("--insecure-listen", "0.0.0.0:7420").addresses == ("0.0.0.0:7420",)
    assert load(env={"MEMSLOT_LISTEN": "unix:a, unix:b"}).addresses == ("unix:a", "unix:b")


@pytest.mark.parametrize(
    ("argv", "field", "value"),
    [
        (["--drain-grace", "500ms"], "drain_grace_s", 0.5),
        (["--drain-grace", "1.5"], "drain_grace_s", 1.5),
        (["--lock-wait", "2m"], "lock_wait_s", 120),
        (["--ttl-max", "7d"], "ttl_max_s", 604_800),
        (["--ttl-max", "none"], "ttl_max_s", None),
        (["--body-limit-bytes", "64KiB"], "body_limit_bytes", 65_536),
        (["--store-limit-bytes", "10MB"], "store_limit_bytes", 10_000_000),
        (["--socket-mode", "660"], "socket_mode", 0o660),
        (["--socket-mode", "0o600"], "socket_mode", 0o600),
        (["--ttl-refresh-on-read", "yes"], "ttl_refresh_on_read", True),
        (["--overflow", "EVICT_LOWEST_RANK"], "overflow", "evict-lowest-rank"),
        (["--index-mode", "Hybrid"], "index_mode", "hybrid"),
        (["--vector-index", "SQLITE_VSS"], "vector_index", "sqlite-vss"),
        (["--summary-below-rank", "-3.5"], "summary_below_rank", -3.5),
        (["--openai-url", "http://127.0.0.1:8080/v1/"], "openai_url", "http://127.0.0.1:8080/v1"),
        (["--chroma", "[::1]:8000"], "chroma", "[::1]:8000"),
        (["--rank-weight", "0.25"], "rank_weight", 0.25),
        (["--feed-keep-revisions", "1_000"], "feed_keep_revisions", 1000),
    ],
)
def test_values_are_written_as_people_write_them(argv: list[str], field: str, value: object) -> None:
    """Times and sizes have units, and words any case."""
    assert getattr(load(*argv), field) == value


@pytest.mark.parametrize(
    ("argv", "env", "told"),
    [
        (["--drain-grace", "soon"], {}, "--drain-grace: 'soon' is not a time: write seconds, or 500ms"),
        (["--drain-grace=-1"], {}, "--drain-grace: '-1' is not a time"),
        ([], {"MEMSLOT_SLOT_LIMIT": "many"}, "MEMSLOT_SLOT_LIMIT: 'many' is not a whole number"),
        (["--slot-limit", "0"], {}, "--slot-limit: '0' is out of range: it must be at least 1"),
        (["--body-limit-bytes", "8MiB"], {}, "it must be between 1 and 3,900,000 bytes"),
        (["--body-limit-bytes", "0.5"], {}, "whole number of bytes"),
        (["--store", "redis"], {}, "--store: 'redis' is not one of sqlite, ram"),
        (["--socket-mode", "999"], {}, "not a file mode"),
        (["--importance-weight", "inf"], {}, "it must be between 0 and 100"),
        (["--importance-weight", "nan"], {}, "it must be between 0 and 100"),
        (["--audit-overflow", "lose"], {}, "not one of block, drop"),
        (["--config", "/does/not/exist.toml"], {}, "No such file or directory"),
        (["--erase-on-forget", "maybe"], {}, "is neither true nor false"),
        (["--index-mode", "all"], {}, "--index-mode: 'all' is not one of keys, fulltext, hybrid"),
        (["--embedder", "bert"], {}, "not one of none, e5, openai, hashing"),
        (["--chroma", "localhost"], {}, "is not HOST:PORT"),
        (["--chroma", "localhost:70000"], {}, "is not HOST:PORT"),
        (["--openai-url", "api.openai.com/v1"], {}, "is not an address such as https://"),
        (["--rank-weight", "2"], {}, "it must be between 0 and 1"),
    ],
)
def test_a_wrong_value_is_told_with_its_place_and_remedy(argv: list[str], env: dict[str, str], told: str) -> None:
    """An error names the flag or variable to mend, the value, and what is allowed."""
    with pytest.raises(UsageError) as caught:
        load(*argv, env=env)
    assert told in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("flag", ["--openai-key-env", "--summary-key-env", "--openai-url", "--summary-url"])
def test_a_key_in_a_wrong_place_is_not_told(flag: str) -> None:
    """Who gives a secret where the name of a variable or an address belongs is told so without repeating it."""
    for secret in ("sk-S3CR3T", "https://me:sk-S3CR3T@host/v1"):
        with pytest.raises(UsageError) as caught:
            load(flag, secret)
        assert f"{flag}: its value is not " in str(caught.value)
        assert "S3CR3T" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("drain_grase = 1", "memslot.toml: key drain_grase is not known: did you mean drain_grace?"),
        ("slot_limit = true", "memslot.toml: key slot_limit: True is not a whole number"),
        ("listen = 7420", "neither a text nor a list"),
        ("slot_limit", "is not TOML"),
        ("namespace = 1", "write [[namespace]]"),
        ("[[namespace]]\ndefaults = {}", "key namespace[0].pattern"),
        ("[[namespace]]\npattern = 'a//b'", "key namespace[0].pattern"),
        ("[[namespace]]\npattern = 'a'\ndefaults = { slot_limits = 1 }", "did you mean slot_limit?"),
        (
            "[[namespace]]\npattern = 'a'\ncaps = { slot_limit = 'x' }",
            "namespace[0].caps.slot_limit: 'x' is not a whole",
        ),
        ("[[namespace]]\npattern = 'a'\ncaps = { overflow = 'reject' }", "namespace[0].caps.overflow is not known"),
        ("[[namespace]]\npattern = 'a'\ncaps = 3", "namespace[0].caps: write a table"),
    ],
)
def test_a_wrong_file_is_told_with_its_key(settings_file: Any, text: str, told: str) -> None:
    """An error in the settings file names the key, and the one that was probably meant."""
    with pytest.raises(UsageError) as caught:
        load("--config", settings_file(text))
    assert told in str(caught.value)


def test_rules_are_read_in_order(settings_file: Any) -> None:
    """A [[namespace]] table becomes a rule, its times in milliseconds."""
    path = settings_file(
        """
        listen = ["127.0.0.1:0", "unix:x"]
        [[namespace]]
        pattern = "acme/**"
        defaults = { slot_limit = 256, overflow = "evict-lowest-rank", erase_on_forget = true, index_mode = "hybrid", embedder = "e5", vector_index = "sqlite-vss", summary_mode = "extractive", summary_above_bytes = "4KiB", summary_below_rank = -2 }
        caps = { body_limit_bytes = "64KiB", ttl_max = "30d" }
        [[namespace]]
        pattern = "*"
        """
    )
    found = load("--config", path)
    assert found.listen == ("127.0.0.1:0", "unix:x")
    assert found.rules == (
        NamespaceRule(
            "acme/**",
            NamespaceSettings(
                slot_limit=256,
                overflow=Overflow.EVICT_LOWEST_RANK,
                erase_on_forget=True,
                index_mode=IndexMode.HYBRID,
                embedder="e5",
                vector_index=VectorIndexKind.SQLITE_VSS,
                summary_mode=SummaryMode.EXTRACTIVE,
                summary_above_bytes=4096,
                summary_below_rank=-2,
            ),
            NamespaceSettings(body_limit_bytes=65_536, ttl_max_ms=2_592_000_000),
        ),
        NamespaceRule("*"),
    )


def test_default_time_to_live_stays_below_the_longest() -> None:
    """A ttl_max below the default bounds the default too."""
    assert load("--ttl-max", "1h").defaults.ttl_default_ms == 3_600_000


def test_settings_of_finding_hold_where_nothing_is_configured() -> None:
    """What the flags say of the index and of summaries is what holds for a namespace that nobody configured."""
    found = load(
        "--index-mode=hybrid", "--embedder=hashing", "--vector-index=hnsw", "--summary-mode=model", "--summary-above-bytes=1KiB",
        "--summary-below-rank=3",
    ).defaults  # fmt: skip
    assert (found.index_mode, found.embedder, found.vector_index) == (IndexMode.HYBRID, "hashing", VectorIndexKind.HNSW)
    assert (found.summary_mode, found.summary_above_bytes, found.summary_below_rank) == (SummaryMode.MODEL, 1024, 3)


def test_unknown_variables_are_somebody_elses() -> None:
    """Variables such as those Kubernetes makes for a service called memslot do no harm."""
    assert load(env={"MEMSLOT_PORT": "tcp://10.0.0.1:7420", "MEMSLOT_SERVICE_HOST": "10.0.0.1"}) == load(env={})


def test_served_ram_store_is_audited_on_standard_output() -> None:
    """A served store without a directory tells its events where they can be collected."""
    assert load("--store", "ram").audit_file == "-"
    assert load("--store", "ram", "--audit-file", "a.jsonl").audit_file == "a.jsonl"


def test_help_tells_every_flag() -> None:
    """The help names each flag with its default."""
    parser = argparse.ArgumentParser()
    config.add_flags(parser)
    told = " ".join(parser.format_help().split())
    assert all(f"{option.flag} {option.metavar}" in told for option in OPTIONS)


def test_a_misspelled_variable_is_noticed() -> None:
    """What is nearly a setting is told; what an orchestrator or the client reads is not."""
    others = [
        "MEMSLOT_TARGET",
        "MEMSLOT_NAMESPACE",
        "MEMSLOT_CONFIG",
        "MEMSLOT_PORT",
        "MEMSLOT_SERVICE_HOST",
        "SLOT_LIMT",
    ]
    env = dict.fromkeys(["MEMSLOT_SLOT_LIMT", "MEMSLOT_DATADIR", "MEMSLOT_SLOT_LIMIT", *others], "1")
    assert config.misspelled(env) == {"MEMSLOT_SLOT_LIMT": "MEMSLOT_SLOT_LIMIT", "MEMSLOT_DATADIR": "MEMSLOT_DATA_DIR"}
