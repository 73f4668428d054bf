"""Who the client says it is, and how the way to the sidecar is kept from others."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import grpc

Token: TypeAlias = str | Callable[[], str] | None
Tls: TypeAlias = "str | os.PathLike[str] | grpc.ChannelCredentials | bool | None"


@dataclass(frozen=True, slots=True)
class Security:
    """A token for each call, and what the channel trusts. Neither is ever printed."""

    token: Token = field(default=None, repr=False)
    tls: Tls = field(default=None, repr=False)

    def check(self, target: str) -> None:
        """Raises ValueError where a token could be overheard."""
        if self.token is not None and not self.tls and not is_local(target):
            raise ValueError(
                f"a token is not sent to {target} without encryption: give tls= the file of the CA to trust "
                "(True trusts the usual ones), or use a Unix socket or a loopback address"
            )
        if isinstance(self.token, str):
            _header(self.token)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with each call. Raises ValueError for a token that a header cannot hold."""
        token = self.token() if callable(self.token) else self.token
        return () if token is None else (("authorization", _header(token)),)

    def credentials(self) -> grpc.ChannelCredentials | None:
        """What a channel is opened with; None for one in plain text. Raises ValueError for a CA file that cannot be read."""
        if not self.tls:
            return None
        import grpc  # noqa: PLC0415 - slow to import, and only a channel needs it

        if isinstance(self.tls, grpc.ChannelCredentials):
            return self.tls
        return grpc.ssl_channel_credentials(None if self.tls is True else _certificates(self.tls))


def is_local(target: str) -> bool:
    """Whether a target is on this machine: a Unix socket, or a loopback address."""
    if target.startswith("unix:"):
        return True
    address = target.rpartition("/")[2]
    host = address.rpartition(":")[0] if not address.endswith("]") else address
    host = host.removeprefix("ipv4:").removeprefix("ipv6:").strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _header(token: str) -> str:
    if not (token and token.isascii() and token.isprintable() and token == token.strip()):
        raise ValueError("a token is printable ASCII without spaces around it, such as the line end of a file")
    return f"Bearer {token}"


def _certificates(file: object) -> bytes:
    if not isinstance(file, str | os.PathLike):
        raise TypeError("tls is the path of a CA file, grpc.ChannelCredentials, or True")
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"the CA file cannot be read: {error.strerror}") from None
