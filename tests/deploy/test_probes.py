"""The kubelet comes by the pod's address, from another network namespace."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.containers import GID, RESTRICTED, UID, Container, container
from tests.deploy.manifests import VARIANTS, settings_of, sidecar
from tests.deploy.two_networks import POD_ADDRESS, Networks, two_networks

pytestmark = [pytest.mark.container, pytest.mark.slow]
STRANGER = Path(__file__).with_name("stranger.py")


def dialled(networks: Networks, port: int) -> dict[str, str]:
    """What a stranger on the node finds at a port of the pod."""
    found = networks.from_node([sys.executable, str(STRANGER), f"{POD_ADDRESS}:{port}"])
    return dict(json.loads(found))


@pytest.fixture(params=VARIANTS)
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, Networks, Container]]:
    """A variant's sidecar in a network of its own, with the settings and the arguments of its manifest."""
    settings = [word for name, value in settings_of(request.param).items() for word in ("--env", f"{name}={value}")]
    with two_networks() as networks:
        options = ("--user", f"{UID}:{GID}", *RESTRICTED, *networks.option, *settings)
        with container(*options, command=sidecar(request.param)["args"]) as memslot:
            yield request.param, networks, memslot.ready()


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_a_probe_finds_health_and_nothing_else(served: tuple[str, Networks, Container], probe: str) -> None:
    """At the port of each probe of the manifest health is served; every service is unimplemented there, and the services' own port cannot
    be reached from outside the pod."""
    variant, networks, _ = served
    found = dialled(networks, sidecar(variant)[probe]["grpc"]["port"])
    assert found.pop("health") == "SERVING"
    assert set(found.values()) == {"UNIMPLEMENTED"}
    assert len(found) == 4
    assert set(dialled(networks, 7420).values()) == {"UNAVAILABLE"}


def test_the_kubelets_own_probe_is_content(served: tuple[str, Networks, Container]) -> None:
    """The code that a kubelet runs for a gRPC probe finds it well by the pod's address, and not at the services' port."""
    variant, networks, _ = served
    command = [os.environ["KUBELET_PROBE"], POD_ADDRESS]
    port = sidecar(variant)["livenessProbe"]["grpc"]["port"]
    assert networks.from_node([*command, str(port)]).startswith("success")
    assert networks.from_node([*command, "7420"]).startswith("failure")
