"""Two network namespaces with a cable between them: a pod's, and that of the node where its kubelet is."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.system.process import PATIENCE_S

POD_ADDRESS, NODE_ADDRESS = "192.0.2.2", "192.0.2.1"
"""Addresses for documentation (RFC 5737): nobody has them."""


@dataclass(frozen=True)
class Networks:
    """The names of both; ``option`` lets a container live in the pod's."""

    pod: str
    node: str

    @property
    def option(self) -> tuple[str, str]:
        """For podman."""
        return ("--network", f"ns:/run/netns/{self.pod}")

    def from_node(self, command: Sequence[str]) -> str:
        """What a command prints that is run where the kubelet is."""
        done = subprocess.run(
            ["ip", "netns", "exec", self.node, *command], capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
        return done.stdout


@contextmanager
def two_networks() -> Iterator[Networks]:
    """Makes them; both go at the end, with the cable."""
    mark = uuid.uuid4().hex[:8]
    made = Networks(f"memslot-pod-{mark}", f"memslot-node-{mark}")
    try:
        for name in (made.pod, made.node):
            _ip("netns", "add", name)
            _ip("-netns", name, "link", "set", "lo", "up")
        ends = (f"mp{mark}", f"mn{mark}")
        _ip("link", "add", ends[0], "netns", made.pod, "type", "veth", "peer", "name", ends[1], "netns", made.node)
        for name, end, address in zip((made.pod, made.node), ends, (POD_ADDRESS, NODE_ADDRESS), strict=True):
            _ip("-netns", name, "address", "add", f"{address}/24", "dev", end)
            _ip("-netns", name, "link", "set", end, "up")
        yield made
    finally:
        for name in (made.pod, made.node):
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], capture_output=True, text=True, check=True)
