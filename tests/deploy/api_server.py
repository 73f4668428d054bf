"""A real kube-apiserver on a real etcd, both in processes of their own, without nodes or controllers."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.system.process import PATIENCE_S, eventually

TOKEN = "a-token-of-this-test-alone"
KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{{name: it, cluster: {{server: "https://127.0.0.1:{port}", insecure-skip-tls-verify: true}}}}]
users: [{{name: it, user: {{token: {token}}}}}]
contexts: [{{name: it, context: {{cluster: it, user: it}}}}]
current-context: it
"""


class Cluster:
    """What kubectl talks to."""

    def __init__(self, config: Path) -> None:
        self._config = config

    def kubectl(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Runs kubectl to its end."""
        command = ["kubectl", "--kubeconfig", str(self._config), "--cache-dir", str(self._config.with_name("cache"))]
        return subprocess.run(
            [*command, *arguments], input=stdin, capture_output=True, text=True, timeout=PATIENCE_S * 2, check=False
        )


@contextmanager
def cluster(directory: Path) -> Iterator[Cluster]:
    """Starts both, and ends both."""
    port, (client, peer) = _free_port(), (_free_port(), _free_port())
    key = directory / "accounts.key"
    subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], capture_output=True, check=True)
    (directory / "tokens.csv").write_text(f"{TOKEN},tester,tester,system:masters\n")
    config = directory / "kubeconfig"
    config.write_text(KUBECONFIG.format(port=port, token=TOKEN))
    etcd = [
        "etcd", f"--data-dir={directory / 'etcd'}", f"--listen-client-urls=http://127.0.0.1:{client}", "--unsafe-no-fsync",
        f"--advertise-client-urls=http://127.0.0.1:{client}", f"--listen-peer-urls=http://127.0.0.1:{peer}",
    ]  # fmt: skip
    server = [
        os.environ["APISERVER"], f"--etcd-servers=http://127.0.0.1:{client}", f"--secure-port={port}",
        "--bind-address=127.0.0.1", f"--cert-dir={directory / 'certificates'}", f"--token-auth-file={directory / 'tokens.csv'}",
        "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}", "--service-cluster-ip-range=198.51.100.0/24",
        # There is no controller that would make the account of each namespace.
        "--disable-admission-plugins=ServiceAccount",
    ]  # fmt: skip
    with ExitStack() as stack:
        for command in (etcd, server):
            log = stack.enter_context((directory / f"{Path(command[0]).name}.log").open("w"))
            process = stack.enter_context(subprocess.Popen(command, stdout=log, stderr=log))
            stack.callback(process.wait, PATIENCE_S)
            stack.callback(process.kill)
        found = Cluster(config)
        eventually(lambda: found.kubectl("get", "--raw", "/readyz").returncode == 0, "the API server is ready")
        yield found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
