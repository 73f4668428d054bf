"""Keeping browsers out: a page of any site can send requests to a loopback port, and by DNS rebinding even under that site's own name."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping

from memslot_sidecar.http.refusals import CrossSite


class Visitors:
    """Tells which requests may come in. ``names`` are hosts, besides loopback addresses and localhost, that this server is called by."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = frozenset(name.lower().encode() for name in names)
        self._known: set[bytes] = set()

    def check(self, headers: Mapping[bytes, bytes], *, by_socket: bool) -> None:
        """Raises CrossSite for a request that a page of another site may have caused.

        No browser connects to a Unix socket, so ``by_socket`` any Host will do.
        """
        host = headers.get(b"host", b"")
        if not by_socket and host not in self._known:
            self._check_host(host)
        origin = headers.get(b"origin")
        if origin is not None and origin != b"http://" + host:
            raise CrossSite("a page of another site may not call this server: its Origin is not the server's own")
        if headers.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin"):
            raise CrossSite("a page of another site may not call this server")

    def _check_host(self, host: bytes) -> None:
        if not self._local(_without_port(host)):
            raise CrossSite(
                "the Host header names neither localhost nor a loopback address: call the server by one of those, "
                "or tell it the name with --http-host"
            )
        if len(self._known) < 64:
            self._known.add(host)

    def _local(self, name: bytes) -> bool:
        name = name.lower()
        if name == b"localhost" or name in self._names:
            return True
        try:
            bare = name[1:-1] if name.startswith(b"[") and name.endswith(b"]") else name
            return ipaddress.ip_address(bare.decode("ascii")).is_loopback
        except ValueError:
            return False


def _without_port(host: bytes) -> bytes:
    name, separator, port = host.rpartition(b":")
    return name if separator and port.isdigit() and not (b":" in name and not name.endswith(b"]")) else host
