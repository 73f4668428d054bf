"""``memslot restore``: makes a data directory from a backup."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from memslot_sidecar.commands import printing
from memslot_sidecar.errors import StartupError, UsageError

_ABOUT = """Makes a data directory from a backup; then 'memslot serve --data-dir DIR' serves it. The directory must be empty or not be there. The
restored store has an identity of its own: page tokens of the old one are refused. Needs no running sidecar."""
STORE_FILE = "memslot.db"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``restore``."""
    parser = subparsers.add_parser(
        "restore",
        help="make a data directory from a backup",
        description=_ABOUT,
        epilog="exit codes: 0 done; 1 the backup is damaged; 2 wrong usage",
        allow_abbrev=False,
    )
    parser.add_argument("file", type=Path, metavar="BACKUP", help="what 'memslot backup' saved")
    parser.add_argument("--data-dir", type=Path, required=True, metavar="DIR", help="the directory to make")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restores. Raises UsageError for a directory that holds something, StartupError for a damaged backup."""
    target: Path = args.data_dir
    try:
        if target.exists() and any(target.iterdir()):
            raise UsageError(f"--data-dir {target} is not empty: nothing is overwritten, name a new directory")
        _check(args.file)
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        _copy(args.file, target / STORE_FILE)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}") from error
    printing.say(f"restored to {target}: memslot serve --data-dir {target}")
    return 0


def _check(backup: Path) -> None:
    import apsw  # noqa: PLC0415 - only with the sidecar's extra

    if not backup.is_file():
        raise UsageError(f"{backup}: there is no such file")
    try:
        connection = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
            stores = list(connection.execute("SELECT 1 FROM meta WHERE key = 'store_id'"))
        finally:
            connection.close()
    except apsw.Error:
        found, stores = ["no memslot store"], []
    if found != ["ok"] or not stores:
        raise StartupError(f"{backup} is damaged or no memslot backup: use another one")


def _copy(source: Path, target: Path) -> None:
    """Copies and syncs under another name first, so that a crash leaves no half store."""
    partial = target.with_suffix(".partial")
    with source.open("rb") as reader, partial.open("xb") as writer:
        shutil.copyfileobj(reader, writer, 1 << 20)
        writer.flush()
        os.fsync(writer.fileno())
    partial.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
