"""`memslot health`."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.client.sidecar_process import SidecarProcess
from tests.sidecar.commands.conftest import Command
from tests.system.process import Served, eventually

NOWHERE = "127.0.0.1:1"


def test_a_sidecar_that_serves_is_healthy(cli: Command, sidecar: SidecarProcess) -> None:
    """Exit code 0 by port and by socket, for the whole and for a service, as text and as JSON."""
    assert (cli("health").code, cli("health").text) == (0, "SERVING\n")
    assert cli("health", "--target", sidecar.socket, "--service", "memslot.v1.SlotService").code == 0
    assert cli("health", "--json").json == {"status": "SERVING", "target": sidecar.target}


def test_a_service_that_there_is_not_is_told(cli: Command) -> None:
    """Exit code 1, and the name."""
    done = cli("health", "--service", "memslot.v1.Nothing")
    assert (done.code, "no service memslot.v1.Nothing" in done.errors) == (1, True)


def test_nobody_there_is_told(command: Command) -> None:
    """Exit code 6, and where nobody answered."""
    done = command("health", "--target", NOWHERE)
    assert (done.code, f"no sidecar answered at {NOWHERE}" in done.errors) == (6, True)


def test_a_sidecar_that_waits_for_the_data_directory_does_not_serve(command: Command, tmp_path: Path) -> None:
    """While another holds the data directory health ends with 1, also where only probes come; it ends with 0 once it took over."""
    flags = ("--data-dir", tmp_path / "data", "--listen")
    sockets = [f"unix:{tmp_path}/{name}" for name in ("first", "second", "probes")]
    with Served(*flags, sockets[0]) as first:
        first.ready()
        with Served(*flags, sockets[1], "--health-listen", sockets[2], "--lock-wait", "60s"):
            for target in sockets[1:]:
                eventually(lambda target=target: "says NOT_SERVING" in _refused(command, target), "it answers probes")
            stopping = threading.Timer(0.2, first.stop)
            stopping.start()
            assert command("health", "--target", sockets[2], "--wait", "60").code == 0
            stopping.join()


def _refused(command: Command, target: str) -> str:
    """What a probe says that finds a sidecar, or nobody yet, that does not serve."""
    done = command("health", "--target", target)
    assert done.code == (6 if "no sidecar answered" in done.errors else 1)
    return done.errors


def test_health_needs_little(sidecar: SidecarProcess) -> None:
    """A probe comes every few seconds: nothing of the server is imported for it."""
    code = (
        "import sys; from memslot_sidecar.cli import main; code = main(sys.argv[1:]); "
        "heavy = {'apsw', 'numpy', 'orjson', 'structlog', 'memslot_sidecar.app'} & set(sys.modules); sys.exit(str(heavy) if heavy else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "health", "--target", sidecar.target], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "SERVING\n", "")


@pytest.mark.parametrize("arguments", [("--wait", "soon"), ("--nothing",)])
def test_wrong_usage_is_told(command: Command, arguments: tuple[str, ...]) -> None:
    """Exit code 2."""
    assert command("health", *arguments).code == 2
