"""An old pod that still holds the data directory, and the new one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.deploy.containers import DATA, GID, RESTRICTED, SOCKETS, UID, Agent, container, of_group, podman
from tests.deploy.manifests import settings_of
from tests.system.process import eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_the_new_pod_waits_and_takes_over(tmp_path: Path, end: str) -> None:
    """With the settings of the variant that keeps memory, the second container on a data directory is up and says NOT_SERVING while the
    first serves; it serves what the first wrote when that has gone, whether in order or not."""
    settings = [word for name, value in settings_of("kept").items() for word in ("--env", f"{name}={value}")]
    restricted = (
        "--user",
        f"{UID}:{GID}",
        *RESTRICTED,
        *settings,
        "--volume",
        f"{of_group(tmp_path / 'data')}:{DATA}",
    )
    old, new = of_group(tmp_path / "old"), of_group(tmp_path / "new")
    with container(*restricted, "--volume", f"{old}:{SOCKETS}") as first, Agent(old) as agent:
        first.ready()
        assert agent.ask(do="write", name="name", text="Ada") == {"ok": 1}
        with container(*restricted, "--volume", f"{new}:{SOCKETS}") as second, Agent(new) as successor:
            assert successor.ask(do="health") == {"ok": "NOT_SERVING"}
            assert not second.healthy()
            assert successor.ask(do="read", name="name") == {"code": "UNAVAILABLE"}
            assert agent.ask(do="read", name="name") == {"ok": "Ada"}
            if end == "stop":
                assert first.stop() == 0
            else:
                podman("kill", first.name)
            eventually(lambda: successor.ask(do="health") == {"ok": "SERVING"}, "the new one serves")
            assert second.healthy()
            assert successor.ask(do="read", name="name") == {"ok": "Ada"}
            assert second.stop() == 0
