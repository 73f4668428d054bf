"""The table from reasons and gRPC codes to exception classes, made from the classes themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from google.protobuf.any_pb2 import Any

from memslot import errors
from memslot.errors import MemslotError


def _tree(cls: type[MemslotError]) -> Iterator[type[MemslotError]]:
    yield cls
    for child in cls.__subclasses__():
        yield from _tree(child)


BY_REASON: Mapping[str, type[MemslotError]] = {cls.reason: cls for cls in _tree(MemslotError) if cls.reason}
BY_CODE: Mapping[str, type[MemslotError]] = {
    cls.code: cls
    for cls in MemslotError.__subclasses__()
    if not cls.reason or cls in (errors.InternalError, errors.StoreCorrupt)
}


def error_for(
    message: str,
    *,
    reason: str,
    code: str,
    metadata: Mapping[str, str] | None = None,
    field: str = "",
    retry_after_s: float | None = None,
    details: Iterable[Any] = (),
) -> MemslotError:
    """Return the exception for what a server said: of the reason's class, else of the code's, else a plain MemslotError."""
    cls = BY_REASON.get(reason) or BY_CODE.get(code, MemslotError)
    return cls(
        message, reason=reason, code=code, metadata=metadata, field=field, retry_after_s=retry_after_s, details=details
    )
