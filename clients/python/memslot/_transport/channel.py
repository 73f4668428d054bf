"""Settings of a channel: where to, how large messages are, how to retry."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field

from memslot._transport.security import Security

DEFAULT_TARGET = "127.0.0.1:7420"
MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024
SOCKET_PATH_LIMIT_BYTES = 107
_FRAMING_BYTES = 4096
_RESOLVED = ("unix:", "unix-abstract:", "dns:", "ipv4:", "ipv6:", "vsock:", "xds:")
SERVICES = ("SlotService", "NamespaceService", "AdminService", "AgentService")

SERVICE_CONFIG = {
    "methodConfig": [
        {
            "name": [{"service": f"memslot.v1.{service}"} for service in SERVICES],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
"""Five attempts over about three seconds, with jitter, while the sidecar is UNAVAILABLE; it may push back (gRPC proposal A6)."""


@dataclass(frozen=True, slots=True)
class ChannelConfig:
    """Where a channel leads and what it carries. Without ``wait_for_ready`` a call fails at once when nobody listens."""

    target: str
    message_limit_bytes: int = MESSAGE_LIMIT_BYTES
    wait_for_ready: bool = False
    security: Security = field(default_factory=Security)

    def options(self) -> list[tuple[str, str | int]]:
        """Return gRPC's channel arguments."""
        options: list[tuple[str, str | int]] = [
            ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
            ("grpc.max_send_message_length", self.message_limit_bytes),
            ("grpc.max_receive_message_length", self.message_limit_bytes),
            # What does not fit is not repeated; gRPC's own bound is 256 KiB.
            ("grpc.per_rpc_retry_buffer_size", self.message_limit_bytes + _FRAMING_BYTES),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 5000),
            ("grpc.enable_http_proxy", 0),
        ]
        if self.target.startswith("unix:"):
            options.append(("grpc.default_authority", "localhost"))
        return options


def channel_config(
    target: str | None, message_limit_bytes: int, wait_for_ready: bool, security: Security
) -> ChannelConfig:
    """Return the settings of a channel. Raises ValueError for a target that cannot work, or where a token could be overheard."""
    chosen = target_of(target)
    security.check(chosen)
    return ChannelConfig(chosen, message_limit_bytes, wait_for_ready, security)


def target_of(target: str | None) -> str:
    """Return where to connect: ``target``, else MEMSLOT_TARGET, else 127.0.0.1:7420.

    Raises ValueError for a web address, for a socket path above the 107 bytes that the system can take, and for what gRPC would look
    up as a host's name until the deadline, such as an address without its port. Raises TypeError for what is no text.
    """
    chosen = target or os.environ.get("MEMSLOT_TARGET") or DEFAULT_TARGET
    if not isinstance(chosen, str):
        raise TypeError(f"a target is a str, not {type(chosen).__name__}: write host:port or unix:/path")
    if chosen.lower().startswith(("http:", "https:", "grpc:")):
        raise ValueError(f"{chosen} is a web address: write host:port or unix:/path")
    size = len(os.fsencode(chosen.removeprefix("unix:").removeprefix("//")))
    if chosen.startswith("unix:") and size > SOCKET_PATH_LIMIT_BYTES:
        raise ValueError(
            f"the socket path has {size} bytes, at most {SOCKET_PATH_LIMIT_BYTES} work: choose a shorter one"
        )
    if not chosen.startswith(_RESOLVED) and not _is_host_and_port(chosen):
        raise ValueError(f"{chosen} is no target: write host:port, [address]:port for IPv6, or unix:/path")
    return chosen


def _is_host_and_port(target: str) -> bool:
    host, _, port = target.rpartition(":")
    bare = (host.startswith("[") and host.endswith("]")) or ":" not in host
    return bool(host) and bare and "/" not in host and port.isascii() and port.isdigit() and int(port) < 65536


def namespace_of(namespace: str | None) -> str:
    """Return the namespace that calls are about: ``namespace``, else MEMSLOT_NAMESPACE, else ``default``."""
    return namespace or os.environ.get("MEMSLOT_NAMESPACE") or "default"
