"""The closed sets of the contract, with its numbers. A number that this client does not know becomes UNSPECIFIED."""

from __future__ import annotations

import enum


class _Known(enum.IntEnum):
    @classmethod
    def _missing_(cls, value: object) -> _Known | None:
        return cls(0) if isinstance(value, int) and value != 0 else None


class Origin(_Known):
    """Who a body comes from, as its writer says."""

    UNSPECIFIED = 0
    USER = 1
    MODEL = 2
    TOOL = 3
    OPERATOR = 4


class Outcome(_Known):
    """What a mutation did to one slot."""

    UNSPECIFIED = 0
    CREATED = 1
    OVERWRITTEN = 2
    APPENDED = 3
    PATCHED = 4
    UPDATED = 5
    UNCHANGED = 6
    FORGOTTEN = 7
    ABSENT = 8
    CHECKED = 9


class ReceiptWarning(_Known):
    """What a caller should know though the call succeeded."""

    UNSPECIFIED = 0
    SLOT_LIMIT_NEAR = 1
    TTL_CLAMPED = 2


class Overflow(_Known):
    """What happens when a namespace is full."""

    UNSPECIFIED = 0
    REJECT = 1
    EVICT_LOWEST_RANK = 2


class IndexMode(_Known):
    """By what the slots of a namespace can be found: name and metadata, words too, or words and vectors."""

    UNSPECIFIED = 0
    KEYS = 1
    FULLTEXT = 2
    HYBRID = 3


class VectorIndexKind(_Known):
    """What compares the vectors of a namespace. AUTO is EXACT, and HNSW when they are many."""

    UNSPECIFIED = 0
    AUTO = 1
    EXACT = 2
    HNSW = 3
    CHROMA = 4
    SQLITE_VSS = 5


class SummaryMode(_Known):
    """Of which bodies summaries are made: none, extracted sentences, or by the server's language model."""

    UNSPECIFIED = 0
    OFF = 1
    EXTRACTIVE = 2
    MODEL = 3


class SummarySource(_Known):
    """How a summary was made: sent by the body's writer, whole sentences chosen without a model, or written by a model."""

    UNSPECIFIED = 0
    WRITER = 1
    EXTRACTIVE = 2
    MODEL = 3


class SearchMode(_Known):
    """By what a search finds. AUTO is all that the namespace's index and the request allow."""

    UNSPECIFIED = 0
    AUTO = 1
    FULLTEXT = 2
    VECTOR = 3
    HYBRID = 4


class Match(_Known):
    """What led to a hit: words of a field, the similarity of its vector, or the score of slots that were written next to it."""

    UNSPECIFIED = 0
    NAME = 1
    DESCRIPTION = 2
    TAGS = 3
    TASK_TYPE = 4
    BODY = 5
    VECTOR = 6
    NEIGHBOR = 7


class Order(_Known):
    """In which order a lookup lists: the highest rank, latest change, oldest slot, latest access, soonest expiry or largest body first."""

    UNSPECIFIED = 0
    RANK = 1
    NAME = 2
    UPDATED = 3
    CREATED = 4
    ACCESSED = 5
    EXPIRES = 6
    SIZE = 7


class Language(_Known):
    """Of the texts that a model reads."""

    UNSPECIFIED = 0
    EN = 1
    ZH = 2


class OnRead(_Known):
    """Where a body goes that a model asks to read: to the application alone, or also into a text to be shown to the model once."""

    UNSPECIFIED = 0
    APPLICATION = 1
    SHOW_ONCE = 2


class ActionOutcome(_Known):
    """How an action of a model ended. VALID: it could be executed, and was not, as only validating was asked for."""

    UNSPECIFIED = 0
    VALID = 1
    DONE = 2
    NOT_FOUND = 3
    REFUSED = 4


class Verdict(_Known):
    """Whether memory outside the prompt pays. UNSPECIFIED: nothing was recorded."""

    UNSPECIFIED = 0
    MEMSLOT_CHEAPER = 1
    INLINING_CHEAPER = 2


class MissingSaving(_Known):
    """Why a saving is missing or smaller than it could be."""

    UNSPECIFIED = 0
    RESULTS_IN_HISTORY = 1
    INSTRUCTION_TOO_LONG = 2
    MANY_FULL_ACTIONS = 3


class TurnStep(_Known):
    """One of the five steps of a turn."""

    UNSPECIFIED = 0
    OUTPUT = 1
    PARSE = 2
    STORE = 3
    PROMPT = 4
    TOKENS = 5


class StepVerdict(_Known):
    """How a step of a turn went; UNSPECIFIED where nothing is known of it."""

    UNSPECIFIED = 0
    OK = 1
    WARNING = 2
    BROKEN = 3
