"""The image that deploy/docker/Dockerfile makes, built by buildah and run by podman."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.deploy.containers import DATA, GID, IMAGE, RESTRICTED, SOCKETS, UID, Agent, container, of_group, podman
from tests.system.process import PATIENCE_S, eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]
FOREIGN = ("--user", f"{UID}:{GID}", *RESTRICTED)


def test_image_says_how_it_is_run() -> None:
    """It has a number for a user, who is not root, stops by SIGTERM, checks its health without a shell, and says what it is."""
    image = json.loads(podman("image", "inspect", IMAGE).stdout)[0]
    config = image["Config"]
    assert config["User"] == "65532:65532"
    assert config["StopSignal"] == "SIGTERM"
    assert image["Healthcheck"]["Test"] == ["CMD", "memslot", "health"]
    assert (config["Entrypoint"], config["Cmd"]) == (["memslot"], ["serve"])
    assert set(config["Volumes"]) == {DATA, SOCKETS}
    labels = {name.rpartition(".")[2]: value for name, value in config["Labels"].items()}
    assert (labels["title"], labels["licenses"]) == ("memslot", "Apache-2.0")
    assert labels["version"] in podman("run", "--rm", IMAGE, "--version").stdout


def test_agent_in_a_second_container_is_served_by_the_socket(tmp_path: Path) -> None:
    """As a user whom the image does not know, on a read-only root without a place for temporary files, with no capability and no network,
    memslot serves an agent of another user with whom it shares nothing but the socket."""
    sockets = of_group(tmp_path / "sockets")
    volumes = ("--volume", f"{of_group(tmp_path / 'data')}:{DATA}", "--volume", f"{sockets}:{SOCKETS}")
    with container(*FOREIGN, *volumes) as memslot, Agent(sockets) as agent:
        memslot.ready()
        status = Path(f"/proc/{memslot.state['Pid']}/status").read_text()
        assert f"Uid:\t{UID}\t{UID}\t{UID}\t{UID}" in status
        assert "CapEff:\t0000000000000000" in status
        assert "CapBnd:\t0000000000000000" in status
        assert agent.ask(do="health") == {"ok": "SERVING"}
        assert agent.ask(do="write", name="name", text="Ada") == {"ok": 1}
        assert agent.ask(do="read", name="name") == {"ok": "Ada"}
        eventually(lambda: memslot.told.count('"event_id"') == 2, "both calls leave an event on standard output")


def test_it_drains_on_stop_and_finds_its_slots_again(tmp_path: Path) -> None:
    """A stop meets a call under way: the call gets its whole answer while new ones are refused, the container ends by itself with 0, and
    the next one on the same data has all that was written."""
    sockets = of_group(tmp_path / "sockets")
    volumes = ("--volume", f"{of_group(tmp_path / 'data')}:{DATA}", "--volume", f"{sockets}:{SOCKETS}")
    with container(*FOREIGN, *volumes, "--env", "MEMSLOT_BODY_LIMIT_BYTES=3MB") as memslot, Agent(sockets) as agent:
        memslot.ready()
        agent.ask(do="write", name="name", text="Ada")
        assert agent.ask(do="fill", count=8, size=3_000_000) == {"ok": 9}
        rest = agent.ask(do="begin_backup")["ok"]
        assert rest > 20_000_000
        stopping = subprocess.Popen(["podman", "stop", "--time", "40", memslot.name], stdout=-3, stderr=-3)
        eventually(lambda: agent.ask(do="health") == {"ok": "NOT_SERVING"}, "the drain is seen")
        assert agent.ask(do="write", name="late", text="x") == {"code": "UNAVAILABLE"}
        assert agent.ask(do="end_backup") == {"ok": rest}
        assert stopping.wait(PATIENCE_S) == 0
        assert memslot.state["ExitCode"] == 0
        assert "draining: calls under way have 20 s" in memslot.told
        assert memslot.told.rstrip().endswith("stopped")
    with container(*FOREIGN, *volumes) as memslot, Agent(sockets) as agent:
        memslot.ready()
        assert agent.ask(do="read", name="name") == {"ok": "Ada"}
        assert agent.ask(do="read", name="late") == {"code": "NOT_FOUND"}


def test_grace_is_a_bound(tmp_path: Path) -> None:
    """A call that never ends does not hold up the stop beyond the drain's grace: nothing has to be killed."""
    sockets = of_group(tmp_path / "sockets")
    volumes = ("--volume", f"{of_group(tmp_path / 'data')}:{DATA}", "--volume", f"{sockets}:{SOCKETS}")
    settings = ("--env", "MEMSLOT_BODY_LIMIT_BYTES=3MB", "--env", "MEMSLOT_DRAIN_GRACE=1s")
    with container(*FOREIGN, *volumes, *settings) as memslot, Agent(sockets) as agent:
        memslot.ready()
        agent.ask(do="fill", count=8, size=3_000_000)
        assert agent.ask(do="begin_backup")["ok"] > 20_000_000
        assert memslot.stop() == 0


def test_no_shell_is_needed() -> None:
    """With the shells made unusable it serves, and is found healthy."""
    shells = [("--volume", f"/dev/null:{path}:ro") for path in ("/usr/bin/dash", "/usr/bin/bash")]
    with container(*FOREIGN, *(word for shell in shells for word in shell)) as memslot:
        memslot.ready()
        assert podman("exec", memslot.name, "sh", "-c", "true", check=False).returncode != 0
        assert memslot.memslot("write", "a", "x").returncode == 0
        assert memslot.stop() == 0


def test_not_serving_is_unhealthy() -> None:
    """The health check fails when nobody serves at the socket."""
    with container(*FOREIGN, command=["serve", "--listen", "127.0.0.1:7420"]) as memslot:
        eventually(lambda: "is serving" in memslot.told, "it serves elsewhere")
        assert not memslot.healthy()
        assert memslot.memslot("health", "--target", "127.0.0.1:7420").stdout == "SERVING\n"


def test_plain_http_is_served_when_it_is_asked_for() -> None:
    """The extra `http` is in the image: a process that shares the container's network writes and reads by the simple routes."""
    with container(*FOREIGN, "--env", "MEMSLOT_HTTP_LISTEN=127.0.0.1:7422") as memslot:
        memslot.ready()
        program = (
            "import json, urllib.request as web\n"
            "at = 'http://127.0.0.1:7422/mem/'\n"
            "body = json.dumps({'slot': 'name', 'value': 'Ada'}).encode()\n"
            "web.urlopen(web.Request(at + 'write', body, {'Content-Type': 'application/json'})).read()\n"
            "print(web.urlopen(at + 'read?slot=name').read().decode())\n"
        )
        told = podman("exec", memslot.name, "/opt/memslot/bin/python", "-c", program).stdout
        assert json.loads(told)["value"] == "Ada"


def test_search_by_meaning_works_in_it() -> None:
    """Vectors are compared too: all that the wheels need is in the image."""
    settings = (
        "--env",
        "MEMSLOT_INDEX_MODE=hybrid",
        "--env",
        "MEMSLOT_EMBEDDER=hashing",
        "--env",
        "MEMSLOT_VECTOR_INDEX=hnsw",
    )
    with container(*FOREIGN, *settings) as memslot:
        memslot.ready().memslot("write", "cats", "the cat sat on the mat")
        assert "cats" in memslot.memslot("search", "cat on a mat").stdout
