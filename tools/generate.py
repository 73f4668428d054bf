"""Generate the Python code of proto/: `python tools/generate.py [--check]`, in the environment of the group `generate`.

protoc makes it, not buf: a descriptor that buf hands on carries JSON names, and a process that also loads code that a user
generated with protoc from the same file would refuse the second of two differing descriptors.
"""

import argparse
import difflib
import importlib.resources
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
PACKAGE = ROOT / "clients/python/memslot"
# Where protoc's output folders go. google.rpc gets a private home; see memslot/_google_rpc/__init__.py.
HOMES = {"memslot/v1": PACKAGE / "v1", "google/rpc": PACKAGE / "_google_rpc"}
GOOGLE_RPC = ["google/rpc/error_details.proto", "google/rpc/status.proto"]


def generate(out: Path) -> None:
    """Run protoc over our contract and over the two google.rpc files that it needs; everything lands below `out`."""
    ours = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.glob("memslot/v1/*.proto"))
    with_services = [name for name in ours if "\nservice " in (PROTO / name).read_text()]
    _protoc(["--python_out", "--mypy_out"], out, ours + GOOGLE_RPC)
    _protoc(["--grpc_python_out", "--mypy_grpc_out"], out, with_services)


def _protoc(plugins: list[str], out: Path, files: list[str]) -> None:
    well_known = importlib.resources.files("grpc_tools") / "_proto"
    beside = Path(sys.executable).parent
    found = [f"--plugin={name}={beside / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    outputs = [f"{plugin}={'quiet:' if 'mypy' in plugin else ''}{out}" for plugin in plugins]
    code = protoc.main(["protoc", f"-I{PROTO}", f"-I{well_known}", *found, *outputs, *files])
    if code:
        sys.exit(code)


def generated(out: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path in the repository and the text of each file that protoc left in `out`."""
    for folder, home in HOMES.items():
        for path in sorted((out / folder).iterdir()):
            text = path.read_text()
            yield home / path.name, text.replace("from google.rpc import", "from memslot._google_rpc import")


def present() -> set[Path]:
    """Return the generated files that are in the repository now."""
    return {path for home in HOMES.values() for path in home.glob("*_pb2*.py*") if path.is_file()}


def write(files: dict[Path, str]) -> None:
    """Make the repository hold these generated files and no others."""
    for path in present() - files.keys():
        path.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def differences(files: dict[Path, str]) -> Iterator[str]:
    """Yield a unified diff of each file that the repository lacks, holds otherwise, or holds in vain."""
    for path in sorted(present() | files.keys()):
        old = path.read_text().splitlines() if path.exists() else []
        name = path.relative_to(ROOT).as_posix()
        yield from difflib.unified_diff(old, files.get(path, "").splitlines(), name, f"{name} (generated)", lineterm="")


def main() -> None:
    """Write the generated code, or with --check exit with 1 when it differs from what is committed."""
    parser = argparse.ArgumentParser(description="Generate the Python code of proto/.")
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 when something differs")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        files = dict(generated(Path(folder)))
    if not check:
        write(files)
        return
    diff = list(differences(files))
    if diff:
        sys.exit("\n".join([*diff[:80], "Generated code differs from proto/: run `make generate`."]))


if __name__ == "__main__":
    main()
