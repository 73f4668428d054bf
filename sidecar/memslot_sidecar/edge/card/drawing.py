"""Writing a card: instructions, then as many slots by rank as there is room for. No name is ever cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memslot_sidecar.edge.accounting.counters import Counter
from memslot_sidecar.edge.card.wording import WORDS, instruction
from memslot_sidecar.edge.language import Language
from memslot_sidecar.edge.quoting import quoted, quoted_line
from memslot_sidecar.model import SlotRecord

_ENTRY_BYTES = 200


@dataclass(frozen=True, slots=True)
class CardForm:
    """What a card looks like. ``max_tokens`` of 0 is no bound, and ``token_counter`` then does not matter."""

    language: Language = Language.EN
    max_chars: int = 4000
    max_tokens: int = 0
    token_counter: str = ""
    with_schemas: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A slot as a card lists it."""

    revision: int
    expire_ms: int | None


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it was made at ``revision``; ``tokens`` are those of its text by the counters that were asked so far."""

    text: str
    language: Language
    revision: int
    listed: Mapping[str, Listed]
    names: tuple[str, ...]
    tokens: dict[str, int] = field(default_factory=dict)

    @property
    def size_bytes(self) -> int:
        """About what it takes in memory."""
        return 4 * len(self.text) + sum(_ENTRY_BYTES + 4 * len(name) for name in self.names)


class Drawing:
    """A card in the making. ``slots`` is how many slots there are."""

    def __init__(self, form: CardForm, counter: Counter, slots: int) -> None:
        self._form = form
        self._count = counter.count if form.max_tokens else _uncounted
        self._words = WORDS[form.language]
        self._slots = slots
        self._parts = [instruction(form.language, with_schemas=form.with_schemas) + "\n", self._words.list_of]
        self._lines: list[str] = []
        self._records: list[SlotRecord] = []
        self._chars = sum(map(len, self._parts)) + 1
        self._tokens = self._count("\n".join(self._parts))

    def add(self, record: SlotRecord) -> bool:
        """Lists a slot, without its description when that does not fit; False when there is no room for it."""
        name = f"- {quoted(record.name)}"
        full = name + self._words.colon + quoted_line(record.description) if record.description else name
        return self._fit(record, full) or (full != name and self._fit(record, name))

    def finish(self, revision: int) -> tuple[Card, int]:
        """The card, and its tokens (0 where there is no bound of them)."""
        text = self._text()
        most = self._form.max_tokens
        while (tokens := self._count(text)) > most > 0 and self._lines:
            self._lines.pop()
            self._records.pop()
            text = self._text()
        listed = {record.name: Listed(record.revision, record.expire_ms) for record in self._records}
        return Card(text, self._form.language, revision, listed, tuple(listed)), tokens

    def _fit(self, record: SlotRecord, line: str) -> bool:
        last = len(self._lines) + 1 >= self._slots
        after = "" if last else "\n" + self._more(self._slots)
        chars = len(line) + 1
        if self._chars + chars + len(after) > self._form.max_chars:
            return False
        tokens = self._count("\n" + line)
        if self._tokens + tokens + self._count(after) > (self._form.max_tokens or self._tokens + tokens):
            return False
        self._lines.append(line)
        self._records.append(record)
        self._chars += chars
        self._tokens += tokens
        return True

    def _text(self) -> str:
        left = self._slots - len(self._lines)
        if not self._lines:
            rest = self._words.empty if left <= 0 else self._more(left)
            return f"{self._parts[0]}\n{rest}"
        more = [self._more(left)] if left > 0 else []
        return "\n".join([*self._parts, *self._lines, *more])

    def _more(self, count: int) -> str:
        return self._words.more.format(count=count)


def _uncounted(_text: str) -> int:
    return 0
