"""A TCP proxy that can lose what the server answers."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_CHUNK_BYTES = 65536


class ReplyProxy:
    """Forwards connections to `upstream`, a `host:port`; a context manager. `target` is where it listens.

    While replies are lost, what the client sends still reaches the server.
    """

    def __init__(self, upstream: str) -> None:
        host, _, port = upstream.rpartition(":")
        self._upstream = (host, int(port))
        self._losing = threading.Event()
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self.target = f"127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> ReplyProxy:
        self._accepting.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        self.cut()

    def lose_replies(self) -> None:
        """From now on nothing that the server sends comes through."""
        self._losing.set()

    def heal(self) -> None:
        """Connections that are made from now on work; those that lost something are cut."""
        self._losing.clear()
        self.cut()

    def cut(self) -> None:
        """Ends all connections."""
        with self._lock:
            sockets, self._sockets = self._sockets, set()
        for connection in sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def admit(self, client: socket.socket) -> bool:
        """Whether a connection is forwarded; one that is not has been closed."""
        return client.fileno() >= 0

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if not self.admit(client):
                continue
            server = socket.create_connection(self._upstream)
            with self._lock:
                self._sockets |= {client, server}
            threading.Thread(target=self._forward, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._forward, args=(server, client, True), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket, replies: bool) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK_BYTES):
                if not (replies and self._losing.is_set()):
                    sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
