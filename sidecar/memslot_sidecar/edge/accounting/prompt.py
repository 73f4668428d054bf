"""A prompt taken apart: which of its characters are there for memslot's sake, and what they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memslot_sidecar.edge.accounting.amounts import Span, amount_at, amount_of, difference, total
from memslot_sidecar.edge.accounting.counters import Counter
from memslot_sidecar.edge.accounting.history import actions_in
from memslot_sidecar.edge.accounting.receipts import receipts_in
from memslot_sidecar.edge.card.wording import WORDS
from memslot_sidecar.edge.injection.delimiting import find
from memslot_sidecar.edge.inspection.findings import Found, PromptText
from memslot_sidecar.edge.notes import Amount, Note


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent to the model. ``schemas`` are all tools, ``own_schemas`` those of memslot; ``cards`` are prompt cards to look for."""

    texts: Sequence[PromptText]
    schemas: str = ""
    own_schemas: str = ""
    cards: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the prompt: notes of the conversation, ids of this turn's injections, and bodies that were found."""

    notes: Sequence[Note] = ()
    injections: Collection[str] = ()
    found: Sequence[Found] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """The sizes: ``prompt`` is all, ``rest`` what would be there without memslot."""

    prompt: Amount
    instruction: Amount
    receipts: Amount
    injected: Amount
    leaked: Amount
    rest: Amount


def taken_apart(sent: Sent, known: Known, counter: Counter) -> Parts:
    """Counts a prompt and its parts. Takes time in proportion to its length; may run in any thread."""
    texts = [text for text in sent.texts if not text.structure]
    plain = [text.text for text in texts]
    whole = total([*(amount_of(text, counter) for text in plain), amount_of(sent.schemas, counter)])
    cards = [*_cards(plain, sent.cards), *_tails(plain)]
    receipts = list(receipts_in(plain, known.notes))
    injected = [span for span, injection_id in _injections(plain) if injection_id in known.injections]
    leaked = list(_leaked(texts, known.found))
    own = amount_at([*cards, *receipts, *injected, *leaked, *actions_in(texts)], plain, counter)
    own_schemas = amount_of(sent.own_schemas, counter)
    return Parts(
        prompt=whole,
        instruction=total([amount_at(cards, plain, counter), own_schemas]),
        receipts=amount_at(receipts, plain, counter),
        injected=amount_at(injected, plain, counter),
        leaked=amount_at(leaked, plain, counter),
        rest=_at_least_none(difference(whole, own, own_schemas)),
    )


def holds(texts: Sequence[PromptText], card: str) -> bool:
    """Whether a prompt holds a card."""
    return next(_cards([text.text for text in texts], [card]), None) is not None


def _cards(texts: Sequence[str], cards: Iterable[str]) -> Iterator[Span]:
    for card in {card.strip() for card in cards} - {""}:
        for number, text in enumerate(texts):
            start = text.find(card)
            while start >= 0:
                yield number, start, start + len(card)
                start = text.find(card, start + len(card))


def _tails(texts: Sequence[str]) -> Iterator[Span]:
    """The lines that say what changed since a card was made."""
    beginnings = tuple(words.since for words in WORDS.values())
    for number, text in enumerate(texts):
        for beginning in beginnings:
            start = text.find(beginning)
            while start >= 0:
                end = text.find("\n", start)
                end = len(text) if end < 0 else end
                yield number, start, end
                start = text.find(beginning, end)


def _injections(texts: Sequence[str]) -> Iterator[tuple[Span, str]]:
    for number, text in enumerate(texts):
        for one in find(text):
            yield (number, one.start, one.end), one.injection_id


def _leaked(texts: Sequence[PromptText], found: Sequence[Found]) -> Iterator[Span]:
    """Bodies that nothing allows. What was found only in a message's structure stands in no text of it, and is left out."""
    numbers = {(text.message_index, text.field): number for number, text in enumerate(texts)}
    for one in found:
        number = numbers.get((one.message_index, one.field))
        if number is not None and not one.injection_id:
            yield number, one.start, min(one.end, len(texts[number].text))


def _at_least_none(amount: Amount) -> Amount:
    return Amount(max(amount.characters, 0), max(amount.tokens, 0))
