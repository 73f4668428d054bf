"""``memslot describe``: all about slots but their bodies."""

from __future__ import annotations

import argparse

import memslot
from memslot import values
from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import Refused, add_command, add_connection, connected

_ABOUT = "Shows everything that is known about slots, except their bodies, and the versions that are kept of them."


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``describe``."""
    parser = add_command(subparsers, "describe", "show all about slots but their bodies", _ABOUT)
    parser.add_argument("names", metavar="NAME", nargs="+", help="a slot")
    parser.add_argument(
        "--summaries", action="store_true", help="show summaries of the bodies too, where they are at hand"
    )
    add_connection(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Describes. Raises Refused when a slot is not there."""
    with connected(args) as memory:
        found = memory.describe_many(args.names, summaries=args.summaries)
        missing = [name for name in args.names if name not in found]
        versions = {name: memory.versions(name) for name in found}
    if args.json:
        printing.print_json({"slots": [{"info": info, "versions": versions[name]} for name, info in found.items()]})
    else:
        for position, (name, info) in enumerate(found.items()):
            printing.say("" if position else f"in namespace {info.namespace}:")
            printing.print_pairs(_pairs(info, versions[name]))
    if missing:
        raise Refused(f"no slot {', '.join(missing)}: it was never written, was forgotten, or has expired")
    return 0


def _pairs(info: memslot.SlotInfo, versions: list[memslot.VersionInfo]) -> dict[str, str]:
    older = [f"{version.revision} ({printing.moment(version.update_time)})" for version in versions[1:]]
    return {
        "name": info.name,
        "description": info.description,
        "body": f"{printing.size(info.body_bytes)} of {info.content_type}",
        "revision": f"{info.revision} (version {info.version})",
        "task type": info.task_type,
        "tags": ", ".join(info.tags),
        "attributes": ", ".join(f"{key}={values.spelled(value)}" for key, value in sorted(info.attributes.items())),
        "importance": f"{info.importance:g}" if info.importance else "",
        "pinned": "yes" if info.pinned else "",
        "created": printing.moment(info.create_time),
        "changed": f"{printing.moment(info.update_time)} by {info.written_by}",
        "origin": info.origin.name.lower() if info.origin else "",
        "read": f"{info.access_count:,} times, last {printing.moment(info.access_time, 'never')}"
        if info.access_count
        else "",
        "expires": f"{printing.moment(info.expire_time)} ({printing.remaining(info.expire_time)})"
        if info.expire_time
        else "never",
        "older revisions": ", ".join(older),
        "vector": "sent by the writer" if info.has_vector else "",
        **_summary(info),
    }


def _summary(info: memslot.SlotInfo) -> dict[str, str]:
    summary = info.summary
    if summary is None:
        return {"summary": "at hand: show it with --summaries" if info.has_summary else ""}
    return {
        "summary": printing.one_line(summary.text),
        "summary made": f"{summary.source.name.lower()}, origin {summary.origin.name.lower()}, revision {summary.revision}",
    }
