"""Answers without what two runs of one scenario cannot share: revisions, times, ids, tokens of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TOLD_REVISION = re.compile(r"(revision |not at )\d+")
_REVISION = re.compile(r"(?:.*_)?revision$|.*Revision$")
_DIFFER = {"rankScore", "accessCount", "accessTime"}
"""What depends on how much time went by."""
_OF_THE_STORE = {"revision", "indexedRevision"}
"""At the top of a reply: how far the store and its index were, which tells what others did meanwhile."""
_PLACES = 6


def normalised(answers: list[Any], root: str) -> list[Any]:
    """The answers of one run, comparable with those of another face."""
    revisions = sorted({number for answer in answers for number in _revisions(answer, top=True)})
    ranks = {number: f"<revision {rank}>" for rank, number in enumerate(revisions, 1)} | {0: "0"}
    ids = list(dict.fromkeys(found for answer in answers for found in _ids(answer)))
    return [_plain(answer, root, ranks, ids, top=True) for answer in answers]


def _revisions(value: Any, *, top: bool) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _revisions(item, top=top)
    elif isinstance(value, dict):
        for key, item in value.items():
            if _is_revision(key, item) and not (top and key in _OF_THE_STORE):
                yield int(item)
            else:
                yield from _revisions(item, top=top and key == "together")


def _is_revision(key: str, value: Any) -> bool:
    return bool(_REVISION.fullmatch(key)) and str(value).isdecimal() and int(value) > 0


def _ids(value: Any) -> Iterator[str]:
    """Ids of injections, which stand in texts too."""
    if isinstance(value, list):
        for item in value:
            yield from _ids(item)
    elif isinstance(value, dict):
        if value.get("injectionId"):
            yield value["injectionId"]
        for item in value.values():
            yield from _ids(item)


def _plain(value: Any, root: str, ranks: dict[int, str], ids: list[str], *, top: bool) -> Any:
    if isinstance(value, dict):
        return {
            key: _entry(key, item, root, ranks, ids, top=top) for key, item in value.items() if not _left_out(key, top)
        }
    if isinstance(value, list):
        return [_plain(item, root, ranks, ids, top=top) for item in value]
    if isinstance(value, str):
        return _text(value, root, ids)
    return round(value, _PLACES) if isinstance(value, float) else value


def _left_out(key: str, top: bool) -> bool:
    return key in _DIFFER or (top and key in _OF_THE_STORE)


def _entry(key: str, value: Any, root: str, ranks: dict[int, str], ids: list[str], *, top: bool) -> Any:
    if _is_revision(key, value):
        return ranks.get(int(value), "<revision>")
    if key == "together":
        branches = [_plain(branch, root, {0: "0"}, ids, top=True) for branch in value]
        return sorted(branches, key=lambda branch: json.dumps(branch, sort_keys=True))
    if key in ("nextPageToken", "next_page_token") and value:
        return "<token>"
    return _plain(value, root, ranks, ids, top=False)


def _text(text: str, root: str, ids: list[str]) -> str:
    text = _UUID.sub("<uuid>", _MOMENT.sub("<time>", text.replace(root, "<root>")))
    text = _TOLD_REVISION.sub(r"\1<n>", text)
    for number, found in enumerate(ids, 1):
        text = text.replace(found, f"<injection {number}>")
    return text


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two normalised answers differ, a line each."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from differences(one.get(key), other.get(key), f"{at}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differences(mine, theirs, f"{at}[{place}]")
    elif one != other:
        yield f"{at}: {str(one)[:200]} and {str(other)[:200]}"
