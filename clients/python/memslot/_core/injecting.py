"""Bodies into one prompt, and out of the history again."""

from __future__ import annotations

import json
from collections.abc import Iterable, MutableSequence
from typing import Any, TypeVar

from memslot._core import decode, encode, methods
from memslot._core.acting import Spoken, injected_slot
from memslot._core.binding import Binding
from memslot._core.histories import messages_of, plain
from memslot._core.pending import ask
from memslot._core.steps import Scoped, Steps
from memslot.enums import Language
from memslot.expiry import Seconds
from memslot.injections import Injection, LeftOut
from memslot.v1 import agent_service_pb2 as pb

HistoryT = TypeVar("HistoryT", str, list[Any])


def inject(
    at: Binding,
    *names: str,
    max_chars: int = 0,
    max_tokens: int = 0,
    token_counter: str = "",
    turn: str | None = None,
    language: Spoken = Language.EN,
    refuse_untrusted: bool = False,
    summaries: bool = True,
    timeout: Seconds | None = None,
) -> Steps[Injection]:
    """Return slots as one text for the tail of one prompt, the most important ``names`` (at most 128) first.

    Each body stands between delimiters that it cannot close, and what a model or a tool wrote, or nobody says who, is marked as data that gives
    no instructions; with ``refuse_untrusted`` it is left out. The text keeps within ``max_chars`` (0: 16,000) and ``max_tokens`` (0: no
    bound), counted by ``token_counter``: a body that does not fit is shown by its summary, where one is at hand and ``summaries`` is true, or
    else left out, as is what is not there or no text. It is booked with ``turn`` (by default that of ``with memory.turn(...)``): in
    the prompts of other turns the same text counts as leaked, and :meth:`scrub` removes it. Each body shown is an access.

    Raises InvalidName, InvalidField.
    """
    request = pb.InjectRequest(
        namespace=at.namespace,
        names=encode.strings(names, "names"),
        max_chars=max_chars,
        max_tokens=max_tokens,
        token_counter=encode.text(token_counter, "token_counter"),
        turn=encode.text(turn or "", "turn"),
        language=pb.Language.ValueType(encode.member(Language, language, "language")),
        untrusted=pb.UNTRUSTED_POLICY_REFUSE if refuse_untrusted else pb.UNTRUSTED_POLICY_MARK,
        no_summaries=not summaries,
    )
    return _injection((yield from ask(at, methods.INJECT, request, timeout)))


def injected(
    at: Binding,
    *names: str,
    into: MutableSequence[Any] | None = None,
    role: str = "user",
    max_chars: int = 0,
    max_tokens: int = 0,
    token_counter: str = "",
    turn: str | None = None,
    language: Spoken = Language.EN,
    refuse_untrusted: bool = False,
    summaries: bool = True,
    timeout: Seconds | None = None,
) -> Steps[Scoped[Injection]]:
    """Show slots to a model for one call: ``with memory.injected("plan", into=messages): reply = model(messages)``.

    The block is given the text, as :meth:`inject` returns it. With ``into`` a message ``{"role": role, "content": text}`` stands at the end of that
    list while the block runs, and is taken out when it ends, wherever it stands then; nothing is added when nothing could be shown. Whoever puts
    the text elsewhere takes it out with :meth:`scrub`. Without names nothing is shown and nobody is asked. The other arguments and
    errors are those of :meth:`inject`.
    """
    if into is not None and not isinstance(into, MutableSequence):
        raise TypeError(f"into is a list of messages, not {type(into).__name__}")
    if not names:
        return Scoped(_injection(pb.InjectResponse()), _nothing)
    text = yield from inject(
        at,
        *names,
        max_chars=max_chars,
        max_tokens=max_tokens,
        token_counter=token_counter,
        turn=turn,
        language=language,
        refuse_untrusted=refuse_untrusted,
        summaries=summaries,
        timeout=timeout,
    )
    if into is None or not text:
        return Scoped(text, _nothing)
    message = {"role": role, "content": str(text)}
    into.append(message)
    return Scoped(text, lambda: _take_out(into, message))


def scrub(
    at: Binding, history: HistoryT, *, keep: Iterable[str] = (), timeout: Seconds | None = None
) -> Steps[HistoryT]:
    """Return a text or a list of messages without the injections in it, but those with the ids in ``keep``; what was given stays as it is.

    Messages may be of any provider (dicts, or objects of its SDK): each text in them is looked through, also where it was escaped as JSON. A message
    without injections is the same object in the result; one that held nothing else says ``[memslot: shown for one turn]``, since
    providers refuse empty messages.

    Raises InvalidField; TypeError for messages that are no JSON.
    """
    ids = encode.strings(keep, "keep")
    if isinstance(history, str):
        text: str = yield from _scrubbed_text(at, history, ids, timeout)
        return text
    sent = json.dumps(messages_of(history), default=plain)
    request = pb.ScrubRequest(messages_json=sent, keep=ids)
    reply = yield from ask(at, methods.SCRUB, request, timeout)
    pairs = zip(history, json.loads(sent), json.loads(reply.messages_json), strict=True)
    return [given if before == after else after for given, before, after in pairs]


def _scrubbed_text(at: Binding, text: str, keep: list[str], timeout: Seconds | None) -> Steps[str]:
    """A text that a message cannot carry, for halves of surrogate pairs in it, goes as JSON, which can."""
    if not text:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        request = pb.ScrubRequest(messages_json=json.dumps([text]), keep=keep)
        reply = yield from ask(at, methods.SCRUB, request, timeout)
        [left] = json.loads(reply.messages_json)
        return str(left)
    reply = yield from ask(at, methods.SCRUB, pb.ScrubRequest(text=text, keep=keep), timeout)
    return str(reply.text)


def _injection(reply: pb.InjectResponse) -> Injection:
    made = Injection(reply.text)
    made.injected = tuple(map(injected_slot, reply.injected))
    made.left_out = tuple(LeftOut(one.name, decode.status_error(one.status)) for one in reply.left_out)
    made.tokens = reply.tokens
    made.token_counter = reply.token_counter
    made.revision = reply.revision
    return made


def _take_out(messages: MutableSequence[Any], message: object) -> None:
    for place in range(len(messages) - 1, -1, -1):
        if messages[place] is message:
            del messages[place]


def _nothing() -> None:
    """Nothing was added."""
