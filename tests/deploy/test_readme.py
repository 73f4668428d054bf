"""What deploy/README.md tells people to type works."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.containers import DEPLOY, IMAGE, podman
from tests.deploy.manifests import TOOLS

container = pytest.mark.container
README = (DEPLOY / "README.md").read_text()
NAME = "localhost/memslot:latest"


def blocks(section: str, language: str) -> list[str]:
    """The code of a section."""
    text = README.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def docker(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment where `docker` is podman and `memslot` is the image; containers and volumes of the README go at the end."""
    shim = tmp_path / "bin/docker"
    shim.parent.mkdir()
    shim.write_text('#!/bin/sh\nexec podman "$@"\n')
    shim.chmod(0o755)
    podman("tag", IMAGE, NAME)
    yield {**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}"}
    podman("rm", "--force", "--time", 0, "memslot", check=False)
    podman("volume", "rm", "--force", "memslot-memory", "memslot-restored", check=False)
    podman("untag", IMAGE, NAME)


@container
@pytest.mark.slow
def test_run_and_back_up(docker: dict[str, str], tmp_path: Path) -> None:
    """The commands of "Run it" and "Back up", one after the other; the restored volume has what was written."""
    script = "\n".join([blocks("Run it", "sh")[0], *blocks("Back up", "sh")])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=docker,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "good morning" in done.stdout
    podman("stop", "memslot")
    podman(
        "run",
        "--detach",
        "--replace",
        "--name",
        "memslot",
        "--user",
        "0",
        "--volume",
        "memslot-restored:/var/lib/memslot",
        NAME,
    )
    podman("exec", "memslot", "memslot", "health", "--wait", "60")
    assert podman("exec", "memslot", "memslot", "read", "greeting").stdout.startswith("good morning")


@container
@pytest.mark.slow
def test_a_second_container_says_why_it_ends(docker: dict[str, str], tmp_path: Path) -> None:
    """On the volume of one that runs, and as another user than the one whose files are there; an agent beside it comes by its network."""
    begin = blocks("Run it", "sh")[0].split("docker exec memslot memslot write")[0]
    subprocess.run(["bash", "-euo", "pipefail", "-c", begin], cwd=tmp_path, env=docker, check=True, timeout=200)
    agent = ["--network", "container:memslot", "--env", "MEMSLOT_TARGET=127.0.0.1:7420", NAME]
    assert "no slot of namespace default" in podman("run", "--rm", *agent, "lookup").stdout
    for user, code, told in [(os.geteuid(), 3, "is in use by another sidecar"), (1234, 5, "run as user")]:
        volume = ["--user", str(user), "--network", "none", "--volume", "memslot-memory:/var/lib/memslot"]
        done = podman("run", "--rm", *volume, NAME, check=False)
        assert (done.returncode, told in done.stderr) == (code, True), done.stderr
        assert "Traceback" not in done.stderr


@TOOLS
def test_the_overlay_is_rendered(tmp_path: Path) -> None:
    """The overlay names images and a setting, and both arrive."""
    (overlay,) = blocks("In Kubernetes", "yaml")
    place = tmp_path / "overlay"
    place.mkdir()
    own = overlay.replace("memslot/deploy/kubernetes/kept", os.path.relpath(DEPLOY / "kubernetes/kept", place))
    assert own != overlay
    (place / "kustomization.yaml").write_text(own)
    done = subprocess.run(["kubectl", "kustomize", place], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "image: registry.example.com/my-agent:3" in done.stdout
    assert "image: registry.example.com/memslot:0.1.0" in done.stdout
    assert "- name: MEMSLOT_TTL_DEFAULT\n          value: 7d" in done.stdout
