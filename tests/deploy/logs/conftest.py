"""What these tests need of the machine. Each says what to install when it is not there; `deploy/logs/check` installs all and skips nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from tests.deploy.logs.collector import Collector, Gateway

ROOT = Path(__file__).resolve().parents[3]
LOGS = ROOT / "deploy/logs"
_LINES = 30


def lacking(what: str) -> NoReturn:
    """Skips, or fails where nothing may be skipped."""
    if os.environ.get("MEMSLOT_SKIP_NOTHING"):
        pytest.fail(what)
    pytest.skip(what)


def program(name: str) -> str:
    """The path of a program of Debian's."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    return found or lacking(f"needs {name}: run deploy/logs/check, which installs it")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds what processes told to the report of a test that failed: nobody is there when it fails in CI."""
    report = yield
    if report.failed and isinstance(item, pytest.Function) and "tmp_path" in item.funcargs:
        report.sections += kept_output(item.funcargs["tmp_path"])
    return report


def kept_output(folder: Path) -> list[tuple[str, str]]:
    """The last lines of all logs below a folder, each with its name."""
    logs = sorted(path for path in folder.rglob("*.log*") if path.is_file())
    return [
        (
            f"last lines of {path.relative_to(folder)}",
            "\n".join(path.read_text("utf-8", "replace").splitlines()[-_LINES:]),
        )
        for path in logs
    ]


@pytest.fixture(scope="session")
def collector_program() -> str:
    """The OpenTelemetry collector, as deploy/logs/check builds it."""
    build = subprocess.run([LOGS / "collector/build", "--if-there"], capture_output=True, text=True, check=False)
    if build.returncode:
        lacking("needs the collector, which takes Go 1.26 and two minutes to build: run deploy/logs/collector/build")
    return build.stdout.strip()


@pytest.fixture
def gateway(tmp_path: Path, collector_program: str) -> Iterator[Gateway]:
    """What takes OTLP and keeps it in a file; never killed."""
    with Gateway(collector_program, tmp_path / "gateway") as made:
        yield made


@pytest.fixture
def file_collector(tmp_path: Path, collector_program: str, gateway: Gateway) -> Iterator[Collector]:
    """The collector of deploy/logs/opentelemetry/file.yaml, not started; it reads ``tmp_path/audit`` and sends to the gateway."""
    env = {
        "MEMSLOT_AUDIT_FILES": f"{tmp_path}/audit/audit*.jsonl*",
        "MEMSLOT_COLLECTOR_STATE": str(tmp_path / "state"),
        "MEMSLOT_AUDIT_ENDPOINT": gateway.endpoint,
        "MEMSLOT_AUDIT_INSECURE": "true",
    }
    (tmp_path / "audit").mkdir()
    with Collector(collector_program, LOGS / "opentelemetry/file.yaml", tmp_path / "collector.log", env) as made:
        yield made


@pytest.fixture
def server_gateway(tmp_path: Path, collector_program: str) -> Iterator[Gateway]:
    """Where the server's log goes; never killed."""
    with Gateway(collector_program, tmp_path / "server-gateway") as made:
        yield made


@pytest.fixture
def pod_collector(
    tmp_path: Path, collector_program: str, gateway: Gateway, server_gateway: Gateway
) -> Iterator[Collector]:
    """The collector of deploy/logs/opentelemetry/container.yaml, not started; it reads the logs of pods below ``tmp_path/pods``."""
    env = {
        "MEMSLOT_POD_LOGS": f"{tmp_path}/pods/*/memslot",
        "MEMSLOT_COLLECTOR_STATE": str(tmp_path / "state"),
        "MEMSLOT_AUDIT_ENDPOINT": gateway.endpoint,
        "MEMSLOT_AUDIT_INSECURE": "true",
        "MEMSLOT_SERVER_ENDPOINT": server_gateway.endpoint,
        "MEMSLOT_SERVER_INSECURE": "true",
    }
    with Collector(collector_program, LOGS / "opentelemetry/container.yaml", tmp_path / "collector.log", env) as made:
        yield made


@pytest.fixture(scope="session")
def rsyslogd() -> str:
    """Debian's rsyslog."""
    return program("rsyslogd")


@pytest.fixture(scope="session")
def logrotate() -> str:
    """Debian's logrotate."""
    return program("logrotate")


@pytest.fixture(scope="session")
def podman() -> str:
    """Debian's podman with runc."""
    program("runc")
    program("conmon")
    return program("podman")
