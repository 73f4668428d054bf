"""google.rpc's Status and error details without a dependency on the package that usually brings them.

A process may hold one definition of `google/rpc/status.proto`, so the modules of googleapis-common-protos are taken where they
are installed (the sidecar needs them, as do most Google clients), and the copies in this folder elsewhere. Code generated for
`memslot.v1` imports from here; so should anybody else in this package.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memslot._google_rpc import error_details_pb2, status_pb2
else:
    try:
        from google.rpc import error_details_pb2, status_pb2
    except ImportError:
        from memslot._google_rpc import error_details_pb2, status_pb2

__all__ = ["error_details_pb2", "status_pb2"]
