"""No page of a browser reaches the port, unless it is the server's own."""

from __future__ import annotations

import pytest

from memslot_sidecar.http.browsers import Visitors
from memslot_sidecar.http.refusals import CrossSite

GOOD = [b"localhost", b"localhost:7422", b"127.0.0.1:7422", b"127.9.9.9", b"[::1]:7422", b"[::1]", b"LocalHost:1"]
BAD = [
    b"", b"evil.example", b"evil.example:7422", b"localhost.evil.example", b"127.0.0.1.evil.example:80", b"0.0.0.0:7422",
    b"10.0.0.1:7422", b"localhost@evil.example", b"evil.example#localhost", b"::ffff:127.0.0.1:1", b"\xff", b"2130706433",
    b"localhost:80:80", b"[::1", b"169.254.169.254",
]  # fmt: skip


@pytest.mark.parametrize("host", GOOD)
def test_loopback_is_let_in(host: bytes) -> None:
    """Whoever calls the server by localhost or a loopback address is on this machine, or a page that this server made."""
    Visitors().check({b"host": host}, by_socket=False)
    Visitors().check({b"host": host, b"origin": b"http://" + host}, by_socket=False)


@pytest.mark.parametrize("host", BAD)
def test_dns_rebinding_is_refused(host: bytes) -> None:
    """A page whose own name leads to 127.0.0.1 sends that name as Host, however it is spelled."""
    with pytest.raises(CrossSite):
        Visitors().check({b"host": host}, by_socket=False)


@pytest.mark.parametrize(
    "header",
    [
        (b"origin", b"http://evil.example"),
        (b"origin", b"null"),
        (b"origin", b""),
        (b"origin", b"https://localhost:7422"),
        (b"origin", b"http://localhost:3000"),
        (b"sec-fetch-site", b"cross-site"),
        (b"sec-fetch-site", b"same-site"),
    ],
)
def test_a_page_of_another_site_is_refused(header: tuple[bytes, bytes]) -> None:
    """Another port of this machine is another site too; images and scripts come without Origin, but say where from."""
    for by_socket in (False, True):
        with pytest.raises(CrossSite):
            Visitors().check(dict([(b"host", b"localhost:7422"), header]), by_socket=by_socket)


def test_configured_names_are_let_in() -> None:
    """A name that the operator gave is as good as localhost."""
    visitors = Visitors(("Memory.internal",))
    visitors.check({b"host": b"memory.INTERNAL:80"}, by_socket=False)
    with pytest.raises(CrossSite):
        visitors.check({b"host": b"other.internal"}, by_socket=False)
    Visitors().check({b"host": b"whatever"}, by_socket=True)
