"""Fifty turns with a user of whom a hundred things are known from before: questions, small talk, and things to be remembered."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

TURNS = 50
BODY_CHARACTERS = 200

_KINDS = ("favourite", "last")
_THINGS = """
    colour drink fruit city animal season flower composer sport tree school job car teacher pet book song journey language friend
    doctor bank gym street project tenant dentist phone team course holiday meeting exam concert visit repair dinner train lesson
    present bakery museum river island recipe jacket bicycle market library garden
"""
_ONSETS = (
    "Bra",
    "Cor",
    "Del",
    "Fen",
    "Gal",
    "Hol",
    "Jas",
    "Kir",
    "Lum",
    "Mar",
    "Nor",
    "Os",
    "Pel",
    "Quin",
    "Ros",
    "Sal",
    "Tor",
    "Ul",
    "Ver",
    "Wen",
)
_ENDS = ("vik", "ton", "dale", "mere", "by")
_SMALL_TALK = ("Good morning!", "It rains a lot today.", "Thank you.", "I am a little tired.", "Tell me a short joke.")
_FILLER = (
    "This was said in a talk some weeks ago, has not changed since, is of use when plans are made, may be told to nobody else, "
    "and ought to be checked with the user before anything is booked or paid"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A thing known of the user: the slot's name, a body of some 200 characters, and the word that a right answer holds."""

    slot: str
    body: str
    word: str

    @property
    def question(self) -> str:
        """What the user asks about it."""
        return f"What is my {self.slot.replace('_', ' ')}?"


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user says; ``asks`` is the fact that it asks for."""

    said: str
    asks: Fact | None = None


def facts() -> Sequence[Fact]:
    """The hundred things, each with a word of its own that is in no dictionary."""
    words = [f"{onset}{end}" for onset in _ONSETS for end in _ENDS]
    random.Random(5).shuffle(words)
    slots = [f"{kind}_{thing}" for kind in _KINDS for thing in _THINGS.split()]
    return [_fact(slot, word) for slot, word in zip(slots, words, strict=True)]


def turns(known: Sequence[Fact]) -> Sequence[Turn]:
    """The talk: of five turns three ask, one tells something new, one is small talk."""
    rng = random.Random(7)
    talk = []
    for number in range(TURNS):
        if number % 5 == 1:
            talk.append(Turn(f"Remember that my room number {number} is {rng.randrange(100, 999)}."))
        elif number % 5 == 3:
            talk.append(Turn(rng.choice(_SMALL_TALK)))
        else:
            fact = rng.choice(known)
            talk.append(Turn(fact.question, fact))
    return talk


def _fact(slot: str, word: str) -> Fact:
    body = f"The user's {slot.replace('_', ' ')} is {word}. {_FILLER}"
    return Fact(slot, body[: BODY_CHARACTERS - 1] + ".", word)
