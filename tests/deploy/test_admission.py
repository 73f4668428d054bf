"""The manifests before a real API server, in a namespace whose pods must be restricted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.deploy.api_server import Cluster, cluster
from tests.deploy.manifests import VARIANTS, pod, rendered

pytestmark = [pytest.mark.container, pytest.mark.slow]
NAMESPACE = "restricted"
LABELS = {f"pod-security.kubernetes.io/{how}": "restricted" for how in ("enforce", "warn")}
Broken = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def restricted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An API server with that namespace."""
    with cluster(tmp_path_factory.mktemp("cluster")) as found:
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": LABELS}}
        made = found.kubectl("create", "-f", "-", stdin=json.dumps(namespace))
        assert made.returncode == 0, made.stderr
        yield found


def sent(found: Cluster, text: str) -> tuple[int, str, str]:
    """How the server takes a manifest that it does not keep."""
    command = ("apply", "--namespace", NAMESPACE, "--dry-run=server", "--validate=strict", "-f", "-")
    done = found.kubectl(*command, stdin=text)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_server_takes_the_manifests(restricted: Cluster, variant: str) -> None:
    """All of a variant is valid, and nothing of it is warned of."""
    code, out, errors = sent(restricted, rendered(variant))
    assert (code, errors) == (0, "")
    assert out.count("created (server dry run)") == rendered(variant).count("\nkind: ") + rendered(variant).startswith(
        "kind:"
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_pods_are_restricted(restricted: Cluster, variant: str) -> None:
    """A pod as the controller would make it is admitted where Pod Security enforces `restricted`."""
    code, out, errors = sent(restricted, json.dumps(pod(variant)))
    assert (code, errors) == (0, ""), errors
    assert out == f"pod/{variant}-pod created (server dry run)\n"


def _as_root(spec: dict[str, Any]) -> None:
    spec["securityContext"]["runAsNonRoot"] = False


def _with_capabilities(spec: dict[str, Any]) -> None:
    del spec["initContainers"][0]["securityContext"]["capabilities"]


def _without_volume(spec: dict[str, Any]) -> None:
    spec["volumes"] = []


def _with_a_typing_mistake(spec: dict[str, Any]) -> None:
    spec["initContainers"][0]["livenessProbes"] = {}


def _above_the_limit(spec: dict[str, Any]) -> None:
    spec["initContainers"][0]["resources"]["requests"]["memory"] = "1Gi"


@pytest.mark.parametrize(
    ("breaks", "why"),
    [
        (_as_root, "runAsNonRoot"),
        (_with_capabilities, "unrestricted capabilities"),
        (_without_volume, "Not found"),
        (_with_a_typing_mistake, "unknown field"),
        (_above_the_limit, "must be less than or equal to memory limit"),
    ],
)
def test_the_server_would_refuse(restricted: Cluster, breaks: Broken, why: str) -> None:
    """What is broken in a manifest is found here: the server is a real judge."""
    broken = copy.deepcopy(pod("base"))
    breaks(broken["spec"])
    code, _, errors = sent(restricted, json.dumps(broken))
    assert (code, why in errors) == (1, True), errors
