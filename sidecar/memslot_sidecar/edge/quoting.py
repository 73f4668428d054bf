"""Names and descriptions as a model reads them: data of somebody else's, one line each, inside quotes that they cannot close."""

from __future__ import annotations

import json
import re

_INVISIBLE = "\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
"""What is not seen and can be read: controls, directions, joiners of nothing, tags. Not the joiners that emoji and some scripts need."""


def quoted(name: str) -> str:
    """A name as a JSON string. What cannot be seen in it is escaped, so that a model which copies it into JSON means the same name."""
    return _HIDDEN.sub(_escaped, json.dumps(name, ensure_ascii=False))


def quoted_line(text: str) -> str:
    """A description as a JSON string of one line, without what cannot be seen."""
    return json.dumps(" ".join(_HIDDEN.sub(" ", text).split()), ensure_ascii=False)


def hides(text: str) -> bool:
    """Whether a text of any number of lines has characters that are not seen and can be read."""
    return any(found.group() not in "\t\n\r" for found in _HIDDEN.finditer(text))


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]
