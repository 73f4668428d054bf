"""A plugin of buf that makes the Python code as protoc makes it, with stubs by mypy-protobuf.

buf's descriptors carry the names that fields have in JSON, protoc's own do not. They are left out here: a process that also loads
code which a user generated with protoc from the same file would refuse the second of two differing descriptors.
"""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

# google.rpc gets a private home; see memslot/_google_rpc/__init__.py.
HOMES = {"google/rpc/": "memslot/_google_rpc/"}
IMPORTS = {"from google.rpc import": "from memslot._google_rpc import"}


def generate(request: CodeGeneratorRequest, out: Path) -> None:
    """Run protoc and its plugins over the files that are asked for; everything lands below `out`."""
    for file in request.proto_file:
        _leave_out_json_names(file)
    descriptors = out.with_suffix(".binpb")
    descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
    wanted = set(request.file_to_generate)
    with_services = [file.name for file in request.proto_file if file.name in wanted and file.service]
    _protoc(descriptors, ["--python_out", "--mypy_out"], out, sorted(wanted))
    if with_services:
        _protoc(descriptors, ["--grpc_python_out", "--mypy_grpc_out"], out, sorted(with_services))


def _leave_out_json_names(holder: FileDescriptorProto | DescriptorProto) -> None:
    for field in holder.extension:
        field.ClearField("json_name")
    if isinstance(holder, DescriptorProto):
        for field in holder.field:
            field.ClearField("json_name")
    for message in holder.message_type if isinstance(holder, FileDescriptorProto) else holder.nested_type:
        _leave_out_json_names(message)


def _protoc(descriptors: Path, plugins: list[str], out: Path, files: list[str]) -> None:
    beside = Path(sys.executable).parent
    found = [f"--plugin={name}={beside / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    outputs = [f"{plugin}={'quiet:' if 'mypy' in plugin else ''}{out}" for plugin in plugins]
    code = protoc.main(["protoc", f"--descriptor_set_in={descriptors}", *found, *outputs, *files])
    if code:
        sys.exit(code)


def response(out: Path) -> CodeGeneratorResponse:
    """Return all that protoc left in `out`, each file where the package has it."""
    reply = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    for path in sorted(out.rglob("*_pb2*.py*")):
        name, text = path.relative_to(out).as_posix(), path.read_text()
        for old, new in HOMES.items():
            name = name.replace(old, new)
        for old, new in IMPORTS.items():
            text = text.replace(old, new)
        reply.file.add(name=name, content=text)
    return reply


def main() -> None:
    """Answer the request on standard input on standard output, as plugins of protoc do."""
    request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        out.mkdir()
        generate(request, out)
        reply = response(out)
    sys.stdout.buffer.write(reply.SerializeToString())


if __name__ == "__main__":
    main()
