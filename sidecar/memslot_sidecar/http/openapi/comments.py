"""The comments of the contract. Descriptors do not carry them at run time, so they are read from the .proto files beside the client."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_SCOPE = re.compile(r"(service|message|enum|oneof)\s+(\w+)\s*\{(\s*\})?")
_RPC = re.compile(r"rpc\s+(\w+)\s*\(")
_FIELD = re.compile(r"(?:(?:repeated|optional)\s+)?(?:map<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+")
_VALUE = re.compile(r"(\w+)\s*=\s*\d+")


def comments(folder: Path, package: str = "memslot.v1") -> Mapping[str, str]:
    """What is said of each service, method, message, field, enum and enum value, by full name; that of a value is below its enum.

    The files are as `buf format` leaves them: a statement a line. Without them there is nothing to tell.
    """
    found: dict[str, str] = {}
    for path in sorted(folder.joinpath(*package.split(".")).glob("*.proto")):
        _Reading(package, found).read(path.read_text("utf-8"))
    return found


class _Reading:
    """One file on its way; ``scopes`` are the open braces, ``said`` the comment lines since the last statement."""

    def __init__(self, package: str, found: dict[str, str]) -> None:
        self._found = found
        self._scopes = [("package", package)]
        self._said: list[str] = []

    def read(self, text: str) -> None:
        """Reads to the end."""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("//"):
                self._said.append(line.removeprefix("//").removeprefix(" "))
            else:
                self._statement(line)
                self._said = []

    def _statement(self, line: str) -> None:
        if line.startswith("}"):
            self._scopes.pop()
        elif opened := _SCOPE.match(line):
            self._name(opened[2])
            if not opened[3]:
                self._scopes.append((opened[1], "" if opened[1] == "oneof" else opened[2]))
        elif named := self._pattern().match(line):
            self._name(named[1])

    def _pattern(self) -> re.Pattern[str]:
        return {"service": _RPC, "enum": _VALUE}.get(self._scopes[-1][0], _FIELD)

    def _name(self, name: str) -> None:
        if self._said:
            self._found[".".join([scope for _, scope in self._scopes if scope] + [name])] = "\n".join(self._said)
