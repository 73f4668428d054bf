"""What the manifests and the compose file say agrees with what memslot does."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
import yaml
from tests.deploy.containers import DEPLOY, ROOT
from tests.deploy.manifests import TOOLS, VARIANTS, settings_of, sidecar, workload

from memslot_sidecar import config
from memslot_sidecar.quantities import seconds
from memslot_sidecar.server import LAST_REPLIES_S

in_seconds = seconds()


def composed() -> dict[str, Any]:
    """memslot's service in the compose file."""
    return dict(yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())["services"]["memslot"])


def image_settings() -> dict[str, str]:
    """The settings in the Dockerfile."""
    text = (DEPLOY / "docker/Dockerfile").read_text()
    return dict(re.findall(r"^ +(MEMSLOT_\w+)=(\S+)", text, re.MULTILINE))


def known(settings: dict[str, str]) -> config.Config:
    """The settings as memslot reads them; each is one."""
    assert config.misspelled(settings) == {}
    options = {option.variable for option in config.OPTIONS} | {"MEMSLOT_TARGET"}
    assert set(settings) <= options
    return config.load([], settings)


@TOOLS
@pytest.mark.parametrize("variant", VARIANTS)
def test_settings_of_manifests_are_settings(variant: str) -> None:
    """Each variable is known and its value is read; health has the port that the probes ask, on every address of the pod."""
    read = known(image_settings() | settings_of(variant))
    container = sidecar(variant)
    ports = {container[probe]["grpc"]["port"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")}
    assert ports == {port["containerPort"] for port in container["ports"]} == {7421}
    assert read.health_listen == ("0.0.0.0:7421",)
    assert not read.insecure_listen


@TOOLS
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_pod_gives_the_drain_its_time(variant: str) -> None:
    """The pod's grace is above the drain's and that of the last replies; so is compose's."""
    read = known(image_settings() | settings_of(variant))
    needed = read.drain_grace_s + LAST_REPLIES_S
    assert workload(variant)["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] >= needed + 10
    assert in_seconds(composed()["stop_grace_period"]) >= needed + 10


@TOOLS
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_startup_probe_is_more_patient_than_the_lock(variant: str) -> None:
    """A sidecar that waits for its predecessor is not restarted for it."""
    probe = sidecar(variant)["startupProbe"]
    patience_s = probe["failureThreshold"] * probe["periodSeconds"]
    assert patience_s >= known(image_settings() | settings_of(variant)).lock_wait_s + 30


@TOOLS
def test_the_variants_differ_only_where_they_must() -> None:
    """The sidecar's container is the same in both, but for the lock's wait and the probe that allows for it."""
    kept = copy.deepcopy(sidecar("kept"))
    kept["env"] = [one for one in kept["env"] if one["name"] != "MEMSLOT_LOCK_WAIT"]
    kept["startupProbe"]["failureThreshold"] = sidecar("base")["startupProbe"]["failureThreshold"]
    assert kept == sidecar("base")


@TOOLS
@pytest.mark.parametrize("variant", VARIANTS)
def test_memslot_is_a_native_sidecar(variant: str) -> None:
    """It is an init container that goes on, so that it serves before the agent starts and ends after it; both see the socket's directory."""
    pod = workload(variant)["spec"]["template"]["spec"]
    assert sidecar(variant)["restartPolicy"] == "Always"
    (agent,) = pod["containers"]
    target = next(one["value"] for one in agent["env"] if one["name"] == "MEMSLOT_TARGET")
    assert target == image_settings()["MEMSLOT_TARGET"]
    assert target in known(image_settings()).listen
    (shared,) = [mount for mount in agent["volumeMounts"] if mount in sidecar(variant)["volumeMounts"]]
    assert target.startswith(f"unix:{shared['mountPath']}/")


@TOOLS
def test_where_memory_lies() -> None:
    """The first variant keeps it in an emptyDir, the second in a claim that outlives the pod and its StatefulSet."""
    (memory,) = [one for one in workload("base")["spec"]["template"]["spec"]["volumes"] if one["name"] == "memory"]
    assert "emptyDir" in memory
    spec = workload("kept")["spec"]
    assert [claim["metadata"]["name"] for claim in spec["volumeClaimTemplates"]] == ["memory"]
    assert set(spec["persistentVolumeClaimRetentionPolicy"].values()) == {"Retain"}
    assert "memory" not in [one["name"] for one in spec["template"]["spec"]["volumes"]]


def test_settings_of_image_and_compose_are_settings() -> None:
    """Each variable of the Dockerfile and of the compose file is known, and its value is read."""
    read = known(image_settings() | composed()["environment"])
    assert read.audit_file == "-"
    assert str(read.data_dir) in (DEPLOY / "docker/Dockerfile").read_text()


def test_the_tag_of_the_manifests_is_the_version() -> None:
    """The manifests name the image of this version."""
    found = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert found
    for variant in VARIANTS:
        images = yaml.safe_load((DEPLOY / f"kubernetes/{variant}/kustomization.yaml").read_text())["images"]
        assert [image["newTag"] for image in images if image["name"] == "memslot"] == [found[1]]
