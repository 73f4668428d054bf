"""What starts collectors and containers for these tests: it neither trips over others on the machine nor waits for what has ended."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from tests.deploy.logs import collector
from tests.deploy.logs.collector import Collector, Ended, Gateway
from tests.deploy.logs.conftest import kept_output
from tests.deploy.logs.pod import Pod

pytestmark = pytest.mark.container


def test_a_port_that_was_taken_meanwhile_is_left_for_another(
    tmp_path: Path, collector_program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look for a port and the collector's start, any connection of another process may get it."""
    unused_port = collector.unused_port
    with socket.create_server(("127.0.0.1", 0)) as others:
        taken = others.getsockname()[1]
        ports = iter([taken, taken])
        monkeypatch.setattr(collector, "unused_port", lambda: next(ports, 0) or unused_port())
        with Gateway(collector_program, tmp_path / "gateway") as gateway:
            assert gateway.endpoint != f"127.0.0.1:{taken}"
            assert gateway.records() == []


def test_a_collector_that_ends_says_why(tmp_path: Path, collector_program: str) -> None:
    """Its words are in the failure, which comes at once."""
    config = tmp_path / "config.yaml"
    config.write_text("receivers: {nothing: {}}\n")
    with (
        Collector(collector_program, config, tmp_path / "collector.log") as made,
        pytest.raises(Ended, match="nothing"),
    ):
        made.start()


def test_a_container_that_ends_says_why(tmp_path: Path, podman: str) -> None:
    """Its words are in the failure, which comes when it ends; nothing of it is left."""
    pod = Pod(podman, tmp_path, "--no-such-flag")
    with pytest.raises(AssertionError, match=r"ended by itself(.|\n)*--no-such-flag"), pod:
        pass
    assert not pod.data.exists()


def test_what_processes_told_is_shown_where_a_test_fails(tmp_path: Path) -> None:
    """The last lines of every log below the test's folder, whatever it is called."""
    (tmp_path / "pods").mkdir()
    (tmp_path / "pods/0.log.20261130-152000").write_text("\n".join(map(str, range(100))))
    (tmp_path / "collector.log").write_bytes(b"one\n\xfftwo\n")
    (tmp_path / "received.jsonl").write_text("{}")
    told = dict(kept_output(tmp_path))
    assert list(told) == ["last lines of collector.log", "last lines of pods/0.log.20261130-152000"]
    assert told["last lines of collector.log"] == "one\n\ufffdtwo"
    assert told["last lines of pods/0.log.20261130-152000"].split() == [str(number) for number in range(70, 100)]
