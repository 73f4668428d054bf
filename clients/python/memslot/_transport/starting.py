"""Why an embedded store could not be opened, in the client's own words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memslot.errors import DataDirInUse, StartFailed


@contextmanager
def starting() -> Iterator[None]:
    """Raises StartFailed, or DataDirInUse, where the sidecar inside says that it cannot start."""
    from memslot_sidecar import errors  # noqa: PLC0415 - an extra

    try:
        yield
    except errors.DataDirInUse as error:
        raise DataDirInUse(str(error)) from error
    except errors.StartupError as error:
        raise StartFailed(str(error)) from error
