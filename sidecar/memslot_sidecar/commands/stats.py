"""``memslot stats``: what is stored, and what was done."""

from __future__ import annotations

import argparse

import memslot
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``stats``."""
    about = "Shows which sidecar this is, what it stores and can find, and what it did since it was started."
    parser = add_command(subparsers, "stats", "show what is stored and what was done", about)
    parser.add_argument(
        "-n", "--namespace", default="", metavar="N",
        help="show the index of this namespace too; those in which slots wait for a vector are always shown",
    )  # fmt: skip
    add_connection(parser, namespace=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows."""
    with connected(args) as memory:
        info, stats = memory.server_info(), memory.stats(namespace=args.namespace)
    if args.json:
        printing.print_json({"server": info, "stats": stats})
        return 0
    printing.print_pairs(
        {
            "memslot": f"{info.version}, up for {printing.span(stats.uptime)}",
            "store": f"{info.store}, at revision {stats.revision}",
            "warning": info.store_warning,
            "namespaces": f"{stats.namespaces:,}",
            "slots": f"{stats.slots:,} (expired ones that were not swept yet included)",
            "bodies": printing.size(stats.stored_bytes),
            "files": printing.size(stats.file_bytes),
            "index": _index(stats),
            "embedders": ", ".join(info.embedders),
            "summaries": f"{stats.summaries:,} of {printing.size(stats.summary_bytes)}" if stats.summaries else "",
            "overwritten": f"{stats.overwritten:,}",
            "evicted": f"{stats.evicted:,}",
            "expired": f"{stats.expired:,}",
            "audit events": f"{stats.audit_written:,} written, {stats.audit_queued:,} waiting, {stats.audit_dropped:,} dropped",
            "erasing": "waits to be done" if stats.erase_pending else "",
        }
    )
    _print_indexes(stats, args.namespace)
    if stats.calls:
        rows = [(call.method, call.code, f"{call.count:,}") for call in stats.calls]
        printing.print_table(("CALL", "CODE", "COUNT"), rows)
    return 0


def _index(stats: memslot.Stats) -> str:
    """Of all namespaces; empty where nothing is indexed."""
    if not stats.index_documents:
        return ""
    waiting = f", {stats.index_waiting:,} wait for a vector" if stats.index_waiting else ""
    return f"{printing.counted(stats.index_documents, 'slot')}{waiting}, {printing.size(stats.index_bytes)}"


def _print_indexes(stats: memslot.Stats, path: str) -> None:
    if path and path not in stats.indexes:
        printing.say(f"namespace {path} has no index")
    if stats.indexes:
        head = ("INDEX OF", "SLOTS", "VECTORS", "WAITING", "COMPLETE TO", "VECTORS BY", "COMPARED BY", "PROBLEM")
        printing.print_table(head, [_row(index) for index in stats.indexes.values()])


def _row(index: memslot.IndexStats) -> tuple[str, ...]:
    vectors = f"{index.vectors:,}" + (f" ({index.truncated:,} truncated)" if index.truncated else "")
    return (
        index.namespace,
        f"{index.documents:,}",
        vectors if index.dimensions else "none",
        f"{index.waiting:,}",
        f"{index.indexed_revision}",
        f"{index.model or 'writers'}, {index.dimensions} numbers" if index.dimensions else "",
        index.vector_index,
        index.problem,
    )
