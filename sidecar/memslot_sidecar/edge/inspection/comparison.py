"""One inspection's comparing: a prompt against bodies, portion by portion, and what is told of it. Runs in threads; holds no body for long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memslot_sidecar.edge.inspection.bodies import Portion
from memslot_sidecar.edge.inspection.choosing import chosen, leaked
from memslot_sidecar.edge.inspection.findings import Found, PromptText
from memslot_sidecar.edge.inspection.matching import Match, matches
from memslot_sidecar.edge.inspection.portions import Body
from memslot_sidecar.edge.inspection.prompts import Prompt

Allowed = Mapping[tuple[str, int], str]
"""The injection that allows a slot at a revision."""


class Comparison:
    """A prompt, and what was found in it so far."""

    def __init__(self, texts: Sequence[PromptText], allowed: Allowed) -> None:
        self.prompt = Prompt([text.text for text in texts])
        self._texts = texts
        self._allowed = allowed
        self._found: list[Match] = []

    @property
    def names(self) -> set[str]:
        """The slots of which something was found."""
        return {match.body.name for match in self._found}

    def compare(self, bodies: Sequence[Body]) -> None:
        """Compares a portion of bodies."""
        self._found += matches(self.prompt, Portion(bodies), self._preference)

    def told(
        self, there: Callable[[str], bool], count: Callable[[str], int], most: int
    ) -> tuple[list[Found], int, int]:
        """The findings of slots that are still ``there``, how many characters are leaked, and how many findings beyond ``most``, the
        smallest, are not told."""
        told = chosen(self._sound(there), self._is_allowed)
        leaks = leaked(told, self._is_allowed)
        kept = told
        if len(told) > most:
            longest = {id(match) for match in sorted(told, key=lambda match: match.start - match.end)[:most]}
            kept = [match for match in told if id(match) in longest]
        return [self._finding(match, count) for match in kept], leaks, len(told) - len(kept)

    def _sound(self, there: Callable[[str], bool]) -> list[Match]:
        """Without slots that are gone, and without what a structure only repeats of the texts in it."""
        live = [match for match in self._found if there(match.body.name)]
        in_texts = {
            (match.body.name, self._texts[match.text].message_index)
            for match in live
            if not self._texts[match.text].structure
        }
        return [
            match
            for match in live
            if not self._texts[match.text].structure
            or (match.body.name, self._texts[match.text].message_index) not in in_texts
        ]

    def _finding(self, match: Match, count: Callable[[str], int]) -> Found:
        text = self._texts[match.text]
        return Found(
            name=match.body.name,
            revision=match.body.revision,
            message_index=text.message_index,
            field=text.field,
            start=match.start,
            end=match.end,
            tokens=count(text.text[match.start : match.end]),
            whole=match.whole,
            injection_id=self._allowed.get((match.body.name, match.body.revision), ""),
        )

    def _is_allowed(self, match: Match) -> bool:
        return (match.body.name, match.body.revision) in self._allowed

    def _preference(self, body: Body) -> tuple[bool, int, str]:
        return (body.name, body.revision) not in self._allowed, len(body.text), body.name
