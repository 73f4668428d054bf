"""What a store says about itself: from its files while it is stopped, or from the sidecar that serves it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from memslot_sidecar.audit.reconcile import StoreFacts
from memslot_sidecar.errors import StoreUnusable, UsageError

_DATABASE = "memslot.db"
_TIMEOUT_S = 10.0


def of_directory(data_dir: Path) -> StoreFacts:
    """The facts in a data directory, which is only read. Raises UsageError where there is no store, StoreUnusable."""
    import apsw  # noqa: PLC0415 - not needed to ask a sidecar

    path = data_dir / _DATABASE
    if not path.exists():
        raise UsageError(f"--data-dir: there is no store in {data_dir}")
    try:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(f"file:{quote(str(path.absolute()))}?mode=ro", flags=flags)
        try:
            [(store_id,)] = connection.execute("SELECT value FROM meta WHERE key = 'store_id'").fetchall()
            [(revision,)] = connection.execute("SELECT revision FROM state").fetchall()
        finally:
            connection.close()
    except (apsw.Error, ValueError) as error:
        raise StoreUnusable(f"the store in {data_dir} cannot be read: {error}") from error
    return StoreFacts(str(store_id), int(str(revision)))


def of_target(target: str) -> StoreFacts:
    """The facts that a running sidecar tells. Raises StoreUnusable when it does not answer."""
    import grpc  # noqa: PLC0415 - not needed to read files

    from memslot.v1 import admin_service_pb2, admin_service_pb2_grpc  # noqa: PLC0415

    with grpc.insecure_channel(target) as channel:
        stub = admin_service_pb2_grpc.AdminServiceStub(channel)
        try:
            info = stub.GetServerInfo(admin_service_pb2.GetServerInfoRequest(), timeout=_TIMEOUT_S, wait_for_ready=True)
        except grpc.RpcError as error:
            raise StoreUnusable(f"the sidecar at {target} does not answer: {error.code().name}") from error
    return StoreFacts(info.store_id, info.revision)
