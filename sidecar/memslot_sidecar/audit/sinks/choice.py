"""Which sink a setting means."""

from __future__ import annotations

import stat
from pathlib import Path

from memslot_sidecar.audit.sinks.base import Sink
from memslot_sidecar.audit.sinks.file import FileSink
from memslot_sidecar.audit.sinks.series import SeriesSink
from memslot_sidecar.audit.sinks.stream import PipeSink, StreamSink


def sink_for(audit_file: str) -> Sink:
    """The sink for ``-`` (standard output), a named pipe or device, a folder (there already, or with a slash behind it), or a file, which
    need not exist yet."""
    if audit_file == "-":
        return StreamSink()
    path = Path(audit_file)
    if audit_file.endswith("/") or path.is_dir():
        return SeriesSink(path)
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        return PipeSink(audit_file)
    return FileSink(path)
