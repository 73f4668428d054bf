"""Lay protoc and gRPC's plugin for Java into a folder, by Maven: `python tools/java_plugins.py FOLDER`."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

PROTOC = "com.google.protobuf:protoc:4.36.2"
# Newer versions of the plugin were not to be had as binaries; what it makes runs on newer grpc-java.
GRPC_PLUGIN = "io.grpc:protoc-gen-grpc-java:1.83.1"
SYSTEMS = {"Linux": "linux", "Darwin": "osx"}
PROCESSORS = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch_64", "arm64": "aarch_64"}


def main() -> None:
    """Fetch the two programs, unless these very versions are there."""
    folder = Path(sys.argv[1])
    for artifact, name in ((PROTOC, "protoc"), (GRPC_PLUGIN, "protoc-gen-grpc-java")):
        fetch(artifact, folder / name)


def fetch(artifact: str, program: Path) -> None:
    """Make `program` the binary of this artifact for this machine."""
    if shutil.which("mvn") is None:
        sys.exit("generating the Java code needs Maven and Java 17: apt-get install maven openjdk-17-jdk-headless")
    name, version = artifact.split(":")[1:]
    kind = f"{SYSTEMS[platform.system()]}-{PROCESSORS[platform.machine()]}"
    made = program.with_name(f"{name}-{version}-{kind}")
    if made.exists():
        return
    program.parent.mkdir(parents=True, exist_ok=True)
    command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}:exe:{kind}"]
    subprocess.run([*command, f"-DoutputDirectory={program.parent}"], check=True)
    program.with_name(f"{made.name}.exe").replace(program)
    program.chmod(0o755)
    made.touch()


if __name__ == "__main__":
    main()
