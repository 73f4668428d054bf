"""``memslot stats``: what is stored, and what was done."""

from __future__ import annotations

import argparse

from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``stats``."""
    about = "Shows which sidecar this is, what it stores, and what it did since it was started."
    parser = add_command(subparsers, "stats", "show what is stored and what was done", about)
    add_connection(parser, namespace=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows."""
    with connected(args) as memory:
        info, stats = memory.server_info(), memory.stats()
    if args.json:
        printing.print_json({"server": info, "stats": stats})
        return 0
    printing.print_pairs(
        {
            "memslot": f"{info.version}, up for {printing.span(stats.uptime)}",
            "store": f"{info.store}, at revision {stats.revision}",
            "namespaces": f"{stats.namespaces:,}",
            "slots": f"{stats.slots:,} (expired ones that were not swept yet included)",
            "bodies": printing.size(stats.stored_bytes),
            "files": printing.size(stats.file_bytes),
            "overwritten": f"{stats.overwritten:,}",
            "evicted": f"{stats.evicted:,}",
            "expired": f"{stats.expired:,}",
            "audit events": f"{stats.audit_written:,} written, {stats.audit_queued:,} waiting, {stats.audit_dropped:,} dropped",
            "erasing": "waits to be done" if stats.erase_pending else "",
        }
    )
    if stats.calls:
        rows = [(call.method, call.code, f"{call.count:,}") for call in stats.calls]
        printing.print_table(("CALL", "CODE", "COUNT"), rows)
    return 0
