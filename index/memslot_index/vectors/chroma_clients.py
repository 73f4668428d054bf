"""Clients of Chroma: one for all indexes in a folder or on a server, with its failures told in our words."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from types import TracebackType

import chromadb
import httpx
from chromadb.api.client import AdminClient, Client
from chromadb.api.fastapi import FastAPI
from chromadb.config import Settings
from chromadb.errors import ChromaError

from memslot_index.vectors.base import BackendUnavailable
from memslot_index.vectors.unused_memory import fill_unused_memory

_CONNECT_S = 5.0
_ANSWER_S = 60.0
_MESSAGE = 300

_lock = Lock()
_clients: dict[tuple[str, Path | None], tuple[Client, int]] = {}


class Answering:
    """Around each call: what says that Chroma does not answer, or not as it should, becomes BackendUnavailable."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # For an answer that it cannot read, as a proxy's, Chroma raises a plain Exception.
        if isinstance(error, (httpx.HTTPError, ChromaError, json.JSONDecodeError)) or kind is Exception:
            raise BackendUnavailable("chroma", f"{type(error).__name__}: {error}"[:_MESSAGE]) from error


def acquire(url: str, folder: Path | None) -> Client:
    """Return the client of a server, of a folder, or (without both) of memory. Each is opened once. Raises BackendUnavailable."""
    with _lock, Answering():
        client, users = _clients.get((url, folder)) or (_open(url, folder), 0)
        _clients[url, folder] = client, users + 1
        return client


def release(url: str, folder: Path | None) -> None:
    """Close a client with the last of its users."""
    with _lock, Answering():
        client, users = _clients.pop((url, folder))
        if users > 1:
            _clients[url, folder] = client, users - 1
        else:
            _close(client)


def _open(url: str, folder: Path | None) -> Client:
    settings = Settings(anonymized_telemetry=False)
    if url:
        return _connect(url, settings)
    if folder:
        fill_unused_memory()
    client = (
        chromadb.PersistentClient(folder, settings=settings) if folder else chromadb.EphemeralClient(settings=settings)
    )
    assert isinstance(client, Client)
    return client


def _connect(url: str, settings: Settings) -> Client:
    """Chroma's client would wait for ever: it is told not to, and the server is asked for a sign of life before it is made."""
    httpx.get(f"{url.rstrip('/')}/api/v2/heartbeat", timeout=_CONNECT_S).raise_for_status()
    try:
        client = chromadb.HttpClient(url, settings=settings)
    except ValueError as error:
        raise BackendUnavailable("chroma", str(error)) from error
    assert isinstance(client, Client)
    assert isinstance(client._server, FastAPI)
    client._server._session.timeout = httpx.Timeout(_ANSWER_S, connect=_CONNECT_S)
    return client


def _close(client: Client) -> None:
    """Close it and, which it forgets, its sessions of HTTP."""
    assert isinstance(client._admin_client, AdminClient)
    for server in (client._server, client._admin_client._server):
        if isinstance(server, FastAPI):
            server._session.close()
    client.close()
