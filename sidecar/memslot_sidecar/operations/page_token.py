"""Page tokens: where a page ended, bound to the store and to the very same query.

A token is base64url of a keyed hash and a JSON array of the store's id and the sort key. It holds names, never a body; nobody but the store that
made it can make one.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import enum
import hashlib
import hmac
import json
from functools import lru_cache
from types import NoneType
from typing import Any

from memslot_index.filters import NamePrefix, TagsAll, TagsAny, TagsNone, TaskTypeIn
from memslot_sidecar.errors import InvalidPageToken, StoreReplaced
from memslot_sidecar.stores.base import SortKey, Store

_MAC_BYTES = 12
_OF_STRINGS = (NoneType, NamePrefix, TagsAll, TagsAny, TagsNone, TaskTypeIn)
_PLAIN = frozenset({str, int, float, bool})
_TOKEN_LIMIT_CHARACTERS = 8192


def encode(store: Store, query: Any, key: SortKey) -> str:
    """The token that continues ``query`` (any dataclass of plain values) after ``key``."""
    return _encoded(store.store_id, store.digest_key, _text(query), key)


@lru_cache(maxsize=1024)
def _encoded(store_id: str, digest_key: bytes, query: bytes, key: SortKey) -> str:
    payload = json.dumps([store_id, list(key)], ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_mac(digest_key, query, payload) + payload).decode().rstrip("=")


def decode(store: Store, query: Any, token: str) -> SortKey:
    """The sort key in ``token``. Raises InvalidPageToken, or StoreReplaced when another store made it."""
    try:
        if len(token) > _TOKEN_LIMIT_CHARACTERS:
            raise ValueError
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        store_id, key = json.loads(payload.decode())
        if not isinstance(key, list):
            raise ValueError
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _invalid() from None
    if store_id != store.store_id:
        raise StoreReplaced(
            "page_token belongs to another store, or to this one before it was restored: start again without a token",
            field="page_token",
        )
    if not hmac.compare_digest(mac, _mac(store.digest_key, _text(query), payload)):
        raise _invalid()
    return tuple(key)


def _invalid() -> InvalidPageToken:
    return InvalidPageToken(
        "page_token was not made for this query: send next_page_token of the previous page with the same namespace, filter and order",
        field="page_token",
    )


def _mac(digest_key: bytes, query: bytes, payload: bytes) -> bytes:
    digest = hashlib.blake2b(key=digest_key[:64], digest_size=_MAC_BYTES)
    digest.update(query)
    digest.update(b"\0")
    digest.update(payload)
    return digest.digest()


def _text(query: Any) -> bytes:
    # Other filters are not remembered: 1, 1.0 and True are equal as keys, but three values.
    if isinstance(getattr(query, "filter", None), _OF_STRINGS):
        return _remembered_text(query)
    return repr(_canonical(query)).encode()


@lru_cache(maxsize=1024)
def _remembered_text(query: Any) -> bytes:
    return repr(_canonical(query)).encode()


def _canonical(value: Any) -> Any:
    """The same text in every process: sets are sorted, types are told apart."""
    if value is None or type(value) in _PLAIN:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(_canonical(getattr(value, field.name)) for field in dataclasses.fields(value)))
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (frozenset, set)):
        return ("set", *sorted((_canonical(item) for item in value), key=repr))
    if isinstance(value, (tuple, list)):
        return tuple(map(_canonical, value))
    return value
