"""Where the server listens: what an address means, which are allowed, and how a Unix socket changes hands.

gRPC itself would take over a Unix socket that another server uses, so each socket has a lock file beside it (``PATH.lock``), held as
long as the server lives: a socket file whose lock is free and where nobody answers was left by a dead server and may be replaced.
"""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from memslot_sidecar.errors import AddressInUse, StartupError, UsageError

SOCKET_PATH_LIMIT_BYTES = 107


def socket_path(address: str) -> Path | None:
    """The path of a ``unix:PATH`` address, None for others. Raises UsageError when it is too long for a socket."""
    if not address.startswith("unix:"):
        return None
    path = address.removeprefix("unix:")
    path = path.removeprefix("//") if path.startswith("///") else path
    length = len(os.fsencode(path))
    if not path or length > SOCKET_PATH_LIMIT_BYTES:
        why = f"is {length} bytes long, and the system allows {SOCKET_PATH_LIMIT_BYTES}: choose a shorter path"
        raise UsageError(f"socket path {path!r} {why if path else 'is empty: write unix:PATH'}")
    return Path(path)


def host_and_port(address: str) -> tuple[str, int]:
    """The parts of a TCP address such as ``127.0.0.1:7420``, ``localhost:0`` or ``[::1]:7420``. Raises UsageError."""
    host, separator, port = address.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not separator or not bare or (":" in bare and bare == host) or not port.isdecimal() or int(port) > 65_535:
        raise UsageError(f"{address!r} is no address: write HOST:PORT, [IPV6]:PORT or unix:PATH")
    return bare, int(port)


def require_loopback(address: str, flag: str = "--listen") -> None:
    """Raises UsageError when other machines may reach the address; ``flag`` is what gave it."""
    if socket_path(address) is not None:
        return
    host, _ = host_and_port(address)
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = host == "localhost"
    if not loopback:
        trusted = f", or say --insecure-listen {address} if the network is trusted" if flag == "--listen" else ""
        raise UsageError(
            f"{flag} {address}: other machines may reach this address, and there is no encryption and there are no "
            f"credentials yet; use a loopback address or unix:PATH{trusted}"
        )


def require_free(address: str) -> None:
    """Raises AddressInUse when something listens on a TCP address, StartupError when it is not one of this machine's."""
    host, port = host_and_port(address)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise StartupError(f"cannot listen on {address}: {error.strerror}") from None
    for family, kind, protocol, _, where in found:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(where)
            except OSError as error:
                _refuse(address, error, tolerated=len(found) > 1)


@contextmanager
def claimed(path: Path, mode: int) -> Iterator[None]:
    """Holds a Unix socket's path: nobody else serves there, and no file is in the way.

    A socket that is made meanwhile has the permissions ``mode`` (see :func:`protected`). Raises AddressInUse, StartupError.
    """
    lock = path.with_name(path.name + ".lock")
    with ExitStack() as held:
        held.callback(os.close, _locked(lock, path, mode))
        held.callback(lock.unlink, missing_ok=True)
        _make_way(path)
        held.callback(path.unlink, missing_ok=True)
        yield


@contextmanager
def protected(path: Path, mode: int) -> Iterator[None]:
    """A socket that is made at ``path`` inside has the permissions ``mode`` from its first moment."""
    before = os.umask(0o777 & ~mode)
    try:
        yield
    finally:
        os.umask(before)
    path.chmod(mode)


def _refuse(address: str, error: OSError, *, tolerated: bool) -> None:
    if error.errno == errno.EADDRINUSE:
        raise AddressInUse(
            f"{address} is in use: another server, perhaps another sidecar, listens there; stop it or choose another --listen"
        ) from None
    if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) and tolerated:
        return
    raise StartupError(f"cannot listen on {address}: {os.strerror(error.errno or 0)}") from None


def _locked(lock: Path, path: Path, mode: int) -> int:
    """A descriptor that holds the lock file's lock; tried again when its last holder removed the file meanwhile."""
    while True:
        try:
            descriptor = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
        except OSError as error:
            remedies = {
                errno.ENOENT: "make its folder, or choose",
                errno.EACCES: f"let user {os.geteuid()} write there, or choose",
            }
            remedy = remedies.get(error.errno or 0, "choose")
            raise StartupError(f"cannot make {lock}: {error.strerror}; {remedy} another path for the socket") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise AddressInUse(f"unix:{path} is in use by another sidecar; stop it or choose another path") from None
        except FileNotFoundError:
            pass
        os.close(descriptor)


def _make_way(path: Path) -> None:
    """Removes the socket file of a dead server."""
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise StartupError(f"{path} is there and is no socket: remove it or choose another path")
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
        except OSError:
            pass
    raise AddressInUse(f"unix:{path} is in use by another server; stop it or choose another path")
