"""Which sink a setting means."""

from __future__ import annotations

import stat
from pathlib import Path

from memslot_sidecar.audit.sinks.base import Sink
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.series import SeriesSink
from memslot_sidecar.audit.sinks.stream import PipeSink, StreamSink


def sink_for(audit_file: str, *, file_limit_bytes: int, file_limit_s: float) -> Sink:
    """The sink for ``-`` (standard output), a named pipe or device, a folder (there already, or with a slash behind it), or a file, which
    need not exist yet. The limits are those of a folder's files."""
    if audit_file == "-":
        return StreamSink()
    path = Path(audit_file)
    if audit_file.endswith("/") or path.is_dir():
        return SeriesSink(path, file_limit_bytes=file_limit_bytes, file_limit_s=file_limit_s)
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        return PipeSink(audit_file)
    return FileSink(path)
