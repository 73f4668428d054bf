"""Making the index anew."""

from __future__ import annotations

from collections.abc import Callable

from memslot._core import methods
from memslot._core.admin import LONG_TIMEOUT_S
from memslot._core.binding import Binding, metadata_of, timeout_of
from memslot._core.steps import Receive, Steps
from memslot.expiry import Seconds
from memslot.results import Reindexing
from memslot.v1.admin_service_pb2 import ReindexRequest, ReindexResponse


def reindex(
    at: Binding,
    namespace: str = "",
    *,
    vectors: bool = False,
    progress: Callable[[Reindexing], object] | None = None,
    timeout: Seconds | None = LONG_TIMEOUT_S,
) -> Steps[Reindexing]:
    """Make the index anew from the store, which goes on serving, and return what was done.

    Only ``namespace`` (a whole path) and those below it, by default all. Vectors of unchanged bodies and models are kept, unless ``vectors``
    makes them anew as well. ``progress`` is called some times a second with how far it is, in the async client from another thread.
    ``timeout`` in seconds, one hour by default; a call that is cut short leaves the rest to the background.

    Raises IndexNotEnabled, NamespaceNotFound.
    """
    latest = Reindexing(done=0, total=0, namespace="", revision=0)

    def consume(message: ReindexResponse) -> None:
        nonlocal latest
        latest = Reindexing(message.done, message.total, message.namespace, message.revision)
        if progress is not None:
            progress(latest)

    request = ReindexRequest(namespace=namespace, vectors=vectors)
    yield Receive(methods.REINDEX, request, metadata_of(at.session), timeout_of(at.session, timeout), consume)
    return latest
