"""A sidecar in a container of podman's, whose output is kept as the kubelet keeps it. The container has no image: the machine's own files
are its root, read-only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from types import TracebackType

import grpc
from tests.system.process import MEMSLOT, PATIENCE_S, eventually

from memslot.v1 import slot_service_pb2_grpc

ROOT = Path(__file__).resolve().parents[3]
_STORAGE = '[storage]\ndriver = "vfs"\ngraphroot = "{folder}/storage"\nrunroot = "{folder}/run"\n'
_CONTAINERS = """[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""


class Pod:
    """A container ``memslot`` of a pod ``agent-0``, with its audit trail on standard output; ``logs`` is the folder of its log."""

    def __init__(self, podman: str, folder: Path, *flags: object) -> None:
        self._podman = podman
        self._folder = folder
        self._flags = map(str, flags)
        self._name = f"memslot-logs-{uuid.uuid4().hex[:12]}"
        self._short = Path(tempfile.mkdtemp(prefix="memslot-"))
        self.data = self._short / "data"
        self.logs = folder / f"pods/default_agent-0_{uuid.uuid4()}/memslot"
        self._channels: list[grpc.Channel] = []
        for path in (self.data, self._short / "run", self.logs):
            path.mkdir(parents=True)
        (folder / "storage.conf").write_text(_STORAGE.format(folder=self._short))
        (folder / "containers.conf").write_text(_CONTAINERS)
        self._env = {
            **os.environ,
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
            "CONTAINERS_CONF": str(folder / "containers.conf"),
        }

    def __enter__(self) -> Pod:
        self._run(
            *("run", "--detach", "--name", self._name, "--pidfile", str(self._folder / "pid")),
            *("--network", "none", "--read-only", "--cap-drop", "all"),
            *("--log-driver", "k8s-file", "--log-opt", f"path={self.log}", "--env", "PYTHONDONTWRITEBYTECODE=1"),
            *(f"--volume={path}:{path}:ro" for path in ("/usr", sys.base_prefix, ROOT)),
            *(f"--volume={self.data}:/data", f"--volume={self._short}/run:/run/memslot"),
            *("--rootfs", str(self._root()), str(MEMSLOT), "serve", "--data-dir", "/data"),
            *("--listen", "unix:/run/memslot/s", "--audit-file", "-", *self._flags),
        )
        eventually(lambda: "whole store" in self.log.read_text() or self._ended(), "it serves")
        if self._ended():
            told = self.log.read_text()
            self.__exit__(None, None, None)
            raise AssertionError(f"the container ended by itself: {told}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for channel in self._channels:
            channel.close()
        self._run("rm", "--force", "--time", "0", self._name)
        shutil.rmtree(self._short, ignore_errors=True)

    @property
    def log(self) -> Path:
        """The file that the runtime writes now."""
        return self.logs / "0.log"

    def slots(self) -> slot_service_pb2_grpc.SlotServiceStub:
        """A stub of SlotService."""
        self._channels.append(
            grpc.insecure_channel(f"unix:{self._short}/run/s", [("grpc.use_local_subchannel_pool", 1)])
        )
        return slot_service_pb2_grpc.SlotServiceStub(self._channels[-1])

    def rotate(self, number: int) -> None:
        """Renames the log as the kubelet does, and lets the runtime open it anew."""
        self.log.rename(self.logs / f"0.log.20261130-1520{number:02}")
        [control] = (self._short / "storage").glob("vfs-containers/*/userdata/ctl")
        control.write_text("2 0 0\n")
        eventually(self.log.exists, "the runtime opens the next file")

    def stop(self) -> None:
        """Asks it to drain, and waits until it ended."""
        self._run("stop", "--time", "30", self._name)

    def output(self, stream: str) -> list[str]:
        """The whole lines of a stream, from all files of the log, those that the runtime cut put together."""
        rest, lines = "", []
        files = sorted(self.logs.iterdir(), key=lambda path: (path == self.log, path.name))
        for line in (line for path in files for line in path.read_text("utf-8").splitlines()):
            _time, its_stream, tag, text = line.split(" ", 3)
            if its_stream == stream:
                rest += text
                if tag == "F":
                    lines.append(rest)
                    rest = ""
        return lines

    def _ended(self) -> bool:
        return not Path(f"/proc/{(self._folder / 'pid').read_text()}").exists()

    def _root(self) -> Path:
        root = self._folder / "root"
        for name in ("usr", "etc", "tmp", "proc", "sys", "dev", "data", "run/memslot", "root"):
            (root / name).mkdir(parents=True)
        for name in ("bin", "sbin", "lib", "lib64"):
            (root / name).symlink_to(f"usr/{name}")
        return root

    def _run(self, *arguments: str) -> None:
        done = subprocess.run(
            [self._podman, *arguments],
            env=self._env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
