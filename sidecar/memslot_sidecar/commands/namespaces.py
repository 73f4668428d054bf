"""``memslot namespaces``: lists, shows, configures and deletes namespaces."""

from __future__ import annotations

import argparse
import enum
from collections.abc import Callable
from typing import Any

import memslot
from memslot_sidecar.commands import arguments, printing
from memslot_sidecar.commands.connection import add_command, add_connection, connected
from memslot_sidecar.errors import UsageError
from memslot_sidecar.quantities import spoken_time

_ABOUT = """Lists namespaces (without a further word), or shows, configures and deletes one.

  memslot namespaces
  memslot namespaces set acme/support --slot-limit 1000 --ttl-default 7d
  memslot namespaces set acme/support --index-mode fulltext"""
_FLAGS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "slot_limit": (int, "N", "slots it may hold"),
    "body_limit_bytes": (arguments.size, "SIZE", "bytes a body may have: 4096, 64KiB, ..."),
    "ttl_default": (arguments.span, "TIME", "how long a slot lives when its writer says nothing: 24h, 7d, ..."),
    "ttl_max": (arguments.span, "TIME", "how long a slot may live at most"),
    "ttl_refresh_on_read": (arguments.truth, "BOOL", "whether a read renews the time to live"),
    "versions_kept": (int, "N", "versions kept of a slot, the current one included"),
    "erase_on_forget": (arguments.truth, "BOOL", "whether each forget wipes the bytes from the disk"),
    "embedder": (
        str,
        "WHAT",
        "what makes vectors in mode hybrid: none, or one that the server has: e5, openai, hashing",
    ),
    "summary_above_bytes": (arguments.size, "SIZE", "summaries are made of bodies of at least this size"),
    "summary_below_rank": (float, "X", "and of those whose rank score is below this"),
}
_CLOSED: dict[str, tuple[type[enum.IntEnum], str]] = {
    "overflow": (memslot.Overflow, "what it does when it is full"),
    "index_mode": (memslot.IndexMode, "by what slots can be found: name and metadata, words too, or words and vectors"),
    "vector_index": (memslot.VectorIndexKind, "what compares vectors"),
    "summary_mode": (memslot.SummaryMode, "of which bodies summaries are made"),
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``namespaces`` with list, get, set and delete."""
    parser = add_command(subparsers, "namespaces", "list and configure namespaces", _ABOUT)
    add_connection(parser, namespace=False)
    parser.set_defaults(run=_list, parent="")
    actions = parser.add_subparsers(metavar="ACTION")
    listing = add_command(actions, "list", "list namespaces", "Lists namespaces with their use.")
    listing.add_argument("--parent", default="", metavar="N", help="only this namespace and those below it")
    listing.set_defaults(run=_list)
    getting = add_command(
        actions, "get", "show one namespace", "Shows what holds in a namespace, and what was set there."
    )
    getting.set_defaults(run=_get)
    setting = add_command(
        actions,
        "set",
        "configure a namespace",
        "Sets what bounds a namespace and those below it; the rest stays as it is.",
    )
    setting.set_defaults(run=_set)
    for name, (kind, metavar, text) in _FLAGS.items():
        setting.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar=metavar, help=text)
    for name, (closed, text) in _CLOSED.items():
        words = [member.name.lower().replace("_", "-") for member in closed if member]
        setting.add_argument(f"--{name.replace('_', '-')}", choices=words, help=text)
    setting.add_argument(
        "--inherit", action="append", default=[], choices=[name.replace("_", "-") for name in (*_FLAGS, *_CLOSED)],
        help="take a setting from above again; may be repeated",
    )  # fmt: skip
    deleting = add_command(
        actions, "delete", "delete a namespace", "Removes a namespace and its settings; those below it stay."
    )
    deleting.add_argument("--force", action="store_true", help="also when it holds slots, which are forgotten")
    deleting.set_defaults(run=_delete)
    for action in (getting, setting, deleting):
        action.add_argument("path", metavar="N", help="the namespace, e.g. acme/support")
    for action in (listing, getting, setting, deleting):
        add_connection(action, namespace=False, nested=True)


def _list(args: argparse.Namespace) -> int:
    with connected(args) as memory:
        found = list(memory.namespaces.list(args.parent, page_size=1000))
    if args.json:
        printing.print_json({"namespaces": found})
    elif not found:
        where = f"at or below {args.parent}" if args.parent else "yet"
        printing.say(f"there is no namespace {where}: one appears with its first write")
    else:
        printing.print_table(
            ("NAMESPACE", "SLOTS", "LIMIT", "BYTES", "SINCE"), [_row(namespace) for namespace in found]
        )
    return 0


def _row(namespace: memslot.Namespace) -> tuple[str, ...]:
    return (
        namespace.name,
        f"{namespace.slot_count:,}",
        f"{namespace.effective_settings.slot_limit:,}",
        printing.size(namespace.stored_bytes),
        printing.moment(namespace.create_time),
    )


def _get(args: argparse.Namespace) -> int:
    with connected(args) as memory:
        namespace = memory.namespaces.get(args.path)
    return _show(namespace, args)


def _set(args: argparse.Namespace) -> int:
    said: dict[str, Any] = {name: getattr(args, name) for name in _FLAGS if getattr(args, name) is not None}
    for name, (closed, _) in _CLOSED.items():
        word = getattr(args, name)
        if word is not None:
            said[name] = closed[word.replace("-", "_").upper()]
    said |= {name.replace("-", "_"): memslot.INHERIT for name in args.inherit}
    if not said:
        raise UsageError("name at least one setting, such as --slot-limit 1000")
    with connected(args) as memory:
        namespace = memory.namespaces.update(args.path, **said)
    return _show(namespace, args)


def _delete(args: argparse.Namespace) -> int:
    with connected(args) as memory:
        forgotten = memory.namespaces.delete(args.path, force=args.force)
    if args.json:
        printing.print_json(forgotten)
    else:
        printing.say(
            f"deleted {args.path}"
            + (f" and forgot {printing.counted(forgotten.count, 'slot')}" if forgotten.count else "")
        )
    return 0


def _show(namespace: memslot.Namespace, args: argparse.Namespace) -> int:
    if args.json:
        printing.print_json(namespace)
        return 0
    holds = printing.plain(namespace.effective_settings)
    here = printing.plain(namespace.settings)
    printing.say(
        f"{namespace.name}: {printing.counted(namespace.slot_count, 'slot')}, {printing.size(namespace.stored_bytes)}"
    )
    rows = [
        (name, _told(name, value), "here" if here[name] is not None else "inherited") for name, value in holds.items()
    ]
    printing.print_table(("SETTING", "VALUE", "SET"), rows)
    return 0


def _told(name: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return spoken_time(value) if name.startswith("ttl") else f"{value:g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).lower()
