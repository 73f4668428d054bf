"""A server behind TLS that answers GetServerInfo with the `authorization` that it was sent, as `version`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from memslot.v1 import admin_service_pb2 as pb


def openssl_missing() -> str:
    """What is missing for a certificate, in a sentence."""
    return "" if shutil.which("openssl") else "a certificate for the test needs openssl (Debian's package openssl)"


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A key and a certificate of its own for this machine."""
    key, made = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", made,
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return key, made


@contextmanager
def serving(key: Path | None = None, made: Path | None = None) -> Iterator[str]:
    """The server's address; without a key in plain text."""
    server = grpc.server(ThreadPoolExecutor(4))
    handlers = {
        "GetServerInfo": grpc.unary_unary_rpc_method_handler(
            _answer,
            request_deserializer=pb.GetServerInfoRequest.FromString,
            response_serializer=pb.GetServerInfoResponse.SerializeToString,
        )
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("memslot.v1.AdminService", handlers),))
    if key is not None and made is not None:
        credentials = grpc.ssl_server_credentials([(key.read_bytes(), made.read_bytes())])
        port = server.add_secure_port("127.0.0.1:0", credentials)
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"localhost:{port}"
    finally:
        server.stop(None).wait()


def _answer(_request: pb.GetServerInfoRequest, context: Any) -> pb.GetServerInfoResponse:
    sent = [value for key, value in context.invocation_metadata() if key == "authorization"]
    return pb.GetServerInfoResponse(version=" and ".join(sent))
