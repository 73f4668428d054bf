"""Generate the code of proto/ for all languages, and its descriptors: `python tools/generate.py [--check]`, in the environment of the group `generate`.

What is made, by which plugins and where it goes, stands in buf.gen.yaml and buf.gen.google.yaml.
"""

import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUF = ROOT / ".venv/bin/buf"
TEMPLATES = ("buf.gen.yaml", "buf.gen.google.yaml")
# The whole contract with its comments as a FileDescriptorSet, for generators and tools that read no .proto files.
DESCRIPTORS = "clients/memslot.binpb"
# Patterns of files of which none may be left that was not generated now.
GENERATED = (
    "clients/python/memslot/**/*_pb2*.py*",
    "clients/go/memslot/v1/*.go",
    "clients/typescript/src/gen/**/*.ts",
    "clients/java/src/generated/java/**/*.java",
    DESCRIPTORS,
)
TOOLCHAINS = {
    "go": "Go 1.26 or newer (a tarball from go.dev)",
    "npm": "Node 20 or newer (apt-get install nodejs npm, or a tarball from nodejs.org)",
    "mvn": "Maven and Java 17 (apt-get install maven openjdk-17-jdk-headless)",
}


def prepare() -> None:
    """Install the plugins that do not come with this environment. Exits when a toolchain is missing."""
    missing = [f"{name}: {remedy}" for name, remedy in TOOLCHAINS.items() if shutil.which(name) is None]
    if missing:
        sys.exit("\n".join(["Generating the code of all languages needs", *missing]))
    if not (ROOT / "clients/typescript/node_modules/.bin/protoc-gen-es").exists():
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=ROOT / "clients/typescript", check=True
        )
    subprocess.run([sys.executable, "tools/java_plugins.py", ROOT / ".venv-generate/java"], cwd=ROOT, check=True)


def generate(out: Path) -> dict[str, bytes]:
    """Run buf; return each file that it made, by its path in the repository."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for template in TEMPLATES:
        command = [BUF, "generate", "--template", template, "--output", out]
        if subprocess.call(command, cwd=ROOT, env={**os.environ, "PATH": path}):
            sys.exit(f"buf could not generate what {template} says")
    subprocess.run([BUF, "build", "proto", "--output", out / DESCRIPTORS], cwd=ROOT, check=True)
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()}


def present() -> set[str]:
    """Return the generated files that are in the repository now."""
    return {path.relative_to(ROOT).as_posix() for pattern in GENERATED for path in ROOT.glob(pattern)}


def write(files: dict[str, bytes]) -> None:
    """Make the repository hold these generated files and no others."""
    for name in present() - files.keys():
        (ROOT / name).unlink()
    for name, data in files.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_bytes(data)


def differences(files: dict[str, bytes]) -> Iterator[str]:
    """Yield a unified diff, as far as there is text, of each file that the repository lacks, holds otherwise, or holds in vain."""
    for name in sorted(present() | files.keys()):
        old = (ROOT / name).read_bytes() if (ROOT / name).exists() else b""
        new = files.get(name, b"")
        if old != new:
            yield f"{name} differs"
            lines = [data.decode(errors="replace").splitlines() for data in (old, new)]
            if name != DESCRIPTORS:
                yield from difflib.unified_diff(*lines, name, f"{name} (generated)", lineterm="")


def main() -> None:
    """Write the generated code, or with --check exit with 1 when it differs from what is committed."""
    parser = argparse.ArgumentParser(description="Generate the code of proto/ for Python, Go, TypeScript and Java.")
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 when something differs")
    check = parser.parse_args().check
    prepare()
    with tempfile.TemporaryDirectory() as folder:
        files = generate(Path(folder))
    if not check:
        write(files)
        return
    diff = list(differences(files))
    if diff:
        sys.exit("\n".join([*diff[:80], "Generated code differs from proto/: run `make generate`."]))
    print(f"{len(files)} generated files are those of proto/.")


if __name__ == "__main__":
    main()
