"""A slot of the store as an entry of the index."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from itertools import islice

from memslot_index.changes import Change, Entry, Removal
from memslot_index.fulltext.bodies import body_text
from memslot_index.utterances import speaker_of
from memslot_sidecar.errors import StoreCorrupt
from memslot_sidecar.finding.comparing import missing
from memslot_sidecar.finding.summary import summarise_of
from memslot_sidecar.model import EffectiveSettings, IndexMode, StoredSlot, SummaryMode
from memslot_sidecar.stores.base import Store

_log = logging.getLogger(__name__)

PORTION = 64
_PORTION_CHARS = 1 << 20


def change_of(store: Store, namespace: str, name: str, settings: EffectiveSettings) -> Change:
    """A slot as it is now, or that it is gone, or cannot be read for good: no other is kept waiting for it."""
    try:
        stored = store.read(namespace, name)
    except StoreCorrupt as error:
        _log.error("a slot of namespace %s is not found by searches, since it cannot be read: %s", namespace, error)
        stored = None
    if stored is None:
        return Removal(namespace, name)
    if settings.index_mode is IndexMode.KEYS:
        return Removal(namespace, name, summarise_of(stored, settings))
    return entry_of(store, stored, settings)


def changes_of(
    store: Store, keys: Iterable[tuple[str, str]], settings: Callable[[str], EffectiveSettings]
) -> list[Change]:
    """The first of some slots (namespace, name) as they are now: so many as are read and indexed in one step, at least one.

    Long bodies are few a step, since nothing else goes on while they are read.
    """
    found: list[Change] = []
    size = 0
    for namespace, name in islice(keys, PORTION):
        change = change_of(store, namespace, name, settings(namespace))
        found.append(change)
        size += len(change.text) if isinstance(change, Entry) else 0
        if size > _PORTION_CHARS:
            break
    return found


def takes_part(settings: EffectiveSettings) -> bool:
    """Whether the index has to know of a namespace's slots."""
    return settings.index_mode is not IndexMode.KEYS or settings.summary_mode is not SummaryMode.OFF


def entry_of(store: Store, stored: StoredSlot, settings: EffectiveSettings) -> Entry:
    """A slot to be indexed."""
    record = stored.record
    hybrid = settings.index_mode is IndexMode.HYBRID and not missing()
    sent = hybrid and record.vector_bytes > 0
    supplied = store.supplied(record.namespace, record.name, record.revision) if sent else None
    text = body_text(record.content_type, stored.body)
    return Entry(
        space=record.namespace,
        name=record.name,
        revision=record.revision,
        created=record.created_revision,
        description=record.description,
        tags=record.tags,
        task_type=record.task_type,
        text=text,
        vector=None if supplied is None else supplied.vector,
        embed=hybrid and settings.embedder != "none",
        speaker=speaker_of(text) if hybrid else "",
        summarise=summarise_of(stored, settings),
    )
