"""A provider's message as it came from the API: its calls are the actions, its text parts are the user's text.

A text part is read for actions only when the message has no calls of its own: a model that makes native calls quotes others in its text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memslot_sidecar.parsing import mapped
from memslot_sidecar.parsing.json_strict import Decoder
from memslot_sidecar.parsing.model import Action, Broken, Reject, Reply
from memslot_sidecar.parsing.objects import ObjectReader, Reading
from memslot_sidecar.parsing.scan import Scan
from memslot_sidecar.parsing.user_text import user_text

_DEPTH_LIMIT = 2


def read_whole(scan: Scan) -> bool:
    """Read an output that is a provider's message and nothing else. False when it is not."""
    start = Decoder(scan.text).space(0)
    if scan.text[start : start + 1] not in {"{", "["} or not scan.text[start:]:
        return False
    decoder = Decoder(scan.text)
    try:
        value, end = decoder.read(start)
    except Broken:
        return False
    if decoder.space(end) < len(scan.text):
        return False
    reading = ObjectReader(decoder.spans, "json", scan.own_prefixes).read(value)
    if not reading.form:
        return False
    read_message(scan, reading, decoder, start, end)
    return True


def read_message(scan: Scan, reading: Reading, decoder: Decoder, start: int, end: int) -> int:
    """Take the calls of a message and put its text parts in its place; returns its end."""
    has_calls = bool(reading.calls) or reading.foreign
    for call in reading.calls:
        call.flaws += [flaw for flaw, at in decoder.flaws if call.start <= at < call.end]
        call.repaired += [mark for mark, _ in decoder.repairs]
        if scan.add(call) and call.call_id:
            scan.replies.append(Reply(call.call_id, reading.form))
    texts = [_text(scan, holder, key, decoder, has_calls) for holder, key in reading.texts]
    scan.seen += 1
    return scan.cut(start, end, "\n".join(text for text in texts if text))


def _text(scan: Scan, holder: dict[str, Any], key: str, decoder: Decoder, quoted: bool) -> str:
    text = str(holder[key])
    place = decoder.places.get((id(holder), key))
    if place is None or scan.depth >= _DEPTH_LIMIT:
        return text
    inner = Scan(text, scan.rules, scan.own_prefixes, lenient=scan.lenient, depth=scan.depth + 1)
    if not read_whole(inner):
        inner.run(0, len(text))
    if quoted:
        inner.refuse_from(0, "QUOTED_BESIDE_CALLS")
    if not inner.found:
        return user_text(inner)
    written = mapped.from_json(scan.text, place[0] + 1, place[1] - 1)
    exact = written.text == text
    for found in inner.found:
        span = written.source(found.start, found.end) if exact else place
        scan.found.append(_moved(found, *span))
    return user_text(inner)


def _moved(found: Action | Reject, start: int, end: int) -> Action | Reject:
    return replace(found, start=start, end=end)
