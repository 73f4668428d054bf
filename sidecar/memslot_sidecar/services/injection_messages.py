"""Inject and Scrub: requests to commands, and results to replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from memslot.v1 import agent_service_pb2 as pb
from memslot_sidecar.edge.injection.scrubbing import Scrubbed
from memslot_sidecar.operations.inject import InjectCommand
from memslot_sidecar.operations.injecting import CHARS_DEFAULT, Injected, Injection, Limits, limit
from memslot_sidecar.services.enums import known
from memslot_sidecar.services.languages import LANGUAGES
from memslot_sidecar.status import to_status

REFUSING: Mapping[int, bool] = {0: False, 1: False, 2: True}
"""By number of UntrustedPolicy."""


def inject_command(request: pb.InjectRequest) -> InjectCommand:
    """The command of an injection. Raises InvalidField."""
    return InjectCommand(
        namespace=request.namespace,
        names=request.names,
        limits=Limits(
            max_chars=limit(request.max_chars, "max_chars", CHARS_DEFAULT),
            max_tokens=limit(request.max_tokens, "max_tokens"),
            language=known(LANGUAGES, request.language, "language"),
            refuse_untrusted=known(REFUSING, request.untrusted, "untrusted"),
            summaries=not request.no_summaries,
        ),
        turn=request.turn,
        token_counter=request.token_counter,
    )


def inject_reply(injection: Injection, counter: str, revision: int) -> pb.InjectResponse:
    """Reply of Inject."""
    text = injection.text
    reply = pb.InjectResponse(
        text=text, characters=len(text), tokens=injection.tokens, token_counter=counter, revision=revision
    )
    fill_injected(reply.injected, injection.injected)
    for name, error in injection.left_out:
        reply.left_out.add(name=name).status.CopyFrom(to_status(error))
    return reply


def fill_injected(messages: Any, injected: Iterable[Injected]) -> None:
    """What an injection shows, slot by slot."""
    for one in injected:
        messages.add(
            name=one.record.name,
            revision=one.record.revision,
            summarised=one.shown.summarised,
            origin=cast(Any, one.shown.origin),
            untrusted=one.shown.untrusted,
            injection_id=one.delimited.injection_id,
            characters=len(one.delimited.text),
        )


def scrub_reply(request: pb.ScrubRequest, done: Scrubbed) -> pb.ScrubResponse:
    """Reply of Scrub."""
    place = "text" if request.text else "messages_json"
    return pb.ScrubResponse(removed=done.removed, characters=done.characters, **{place: done.text})
