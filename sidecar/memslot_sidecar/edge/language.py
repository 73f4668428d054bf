"""Languages of the texts that a model reads."""

from __future__ import annotations

import enum


class Language(enum.IntEnum):
    """English or simplified Chinese (values as in the contract)."""

    EN = 1
    ZH = 2
