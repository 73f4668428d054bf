"""The scanner: goes through an output once, asks the recogniser of whatever starts at a place, and goes on behind what that took.

It keeps what was found, where names and delimiters stand (each looked for once), and how much work broken objects may still cost:
together they make the time linear in the output's length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memslot_sidecar.parsing.concluding import conclude
from memslot_sidecar.parsing.hints import hint
from memslot_sidecar.parsing.json_strict import TRUNCATED
from memslot_sidecar.parsing.model import Action, Call, Reject, Reply
from memslot_sidecar.parsing.names import MENTION

_WORK_FACTOR = 24
_WORK_FLOOR = 20_000
_DELIMITER = re.compile(
    r"</?(?:[\w.-]{1,20}:)?(?:tool_calls?|TOOLCALL|function_calls?|functioncall|think(?:ing)?|tool_response)>"
    r"|<[|｜][^<>|｜\n\"]{1,60}[|｜]>|<\|?tool_call\|?>|\[TOOL_CALLS\]|\[/THINK\]"
)
_OBJECT_AHEAD = r"(?=[\s\u200b\ufeff]*(?:[\"'“‘＂`\\&/#]|[^\W\d][\w$-]{0,100}\s{0,100}[:：=]))"
"""What an object goes on with behind its brace; most braces in prose and code are followed by something else."""
BALANCE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|"', re.DOTALL)
_FENCE_LINE = re.compile(r"(?:\A|\n)[ \t]*```")


@dataclass(frozen=True)
class Recogniser:
    """What finds one shape. ``read`` returns where scanning goes on."""

    name: str
    trigger: str
    """A pattern without groups for what the shape starts with."""
    read: Callable[[Scan, re.Match[str]], int]
    anchors: tuple[str, ...] = ("<",)
    """The texts that a match of ``trigger`` starts with: only there is it tried."""


@dataclass
class Container:
    """An opening marker behind which a call is expected, and how much had been found when it was read."""

    shape: str
    start: int
    end: int
    known: int


@dataclass(slots=True)
class Cut:
    """A span that the user's text goes without, and what stands there instead."""

    start: int
    end: int
    instead: str = ""


class Scan:
    """One pass over one output."""

    def __init__(
        self, text: str, rules: Rules, own_prefixes: tuple[str, ...] = (), *, lenient: bool = False, depth: int = 0
    ) -> None:
        self.text = text
        self.stop = len(text)
        self.rules = rules
        self.lenient = lenient
        self.own_prefixes = own_prefixes
        self.depth = depth
        """How many messages this text is the content of."""
        self.found: list[Action | Reject] = []
        self.cuts: list[Cut] = []
        self.replies: list[Reply] = []
        self.passed: list[tuple[int, int]] = []
        """Spans that are another's business: foreign calls and data."""
        self.container: Container | None = None
        self.fence_start = -1
        self.taken_to = 0
        """The end of the last call or marker."""
        self.reasoned_to = 0
        """The end of the last closed reasoning."""
        self.one_action_a_turn = False
        self.invented_from = -1
        self.draft_from = -1
        """Where reasoning started that never ends."""
        self.inside_code = False
        self.seen = 0
        """Calls of any kind so far, foreign ones too."""
        self._work = _WORK_FACTOR * len(text) + _WORK_FLOOR
        self._words = sorted(place for word, trigger in rules.words for place in _occurrences(text, word, trigger))
        self._places: dict[int, tuple[re.Pattern[str], list[int]]] = {}
        """By the pattern's id, for its hash is made anew each time; the pattern is kept so that the id stays its own."""
        self._signless = 0, -1
        """From where to where no sign stands: so that each is looked for once."""

    def run(self, start: int, stop: int) -> None:
        """Find everything between two positions."""
        outer, self.stop = self.stop, stop
        at = self._anchor(start)
        while at < stop:
            trigger = self.rules.trigger.match(self.text, at, stop)
            after = self.rules.by_name[trigger.lastgroup or ""].read(self, trigger) if trigger else 0
            at = self._anchor(max(after, at + 1))
        self.close_container(stop)
        self.stop = outer

    def _anchor(self, at: int) -> int:
        """The next place where any shape may start."""
        if not self._signless[0] <= at <= self._signless[1]:
            sign = self.rules.sign.search(self.text, at)
            self._signless = at, sign.start() if sign else len(self.text)
        index = bisect_left(self._words, at)
        word = self._words[index] if index < len(self._words) else self.stop
        return min(word, self._signless[1], self.stop)

    def places(self, pattern: re.Pattern[str]) -> list[int]:
        """Where a pattern matches in the whole output."""
        known = self._places.get(id(pattern))
        if known is None:
            known = self._places[id(pattern)] = pattern, [found.start() for found in pattern.finditer(self.text)]
        return known[1]

    def next(self, pattern: re.Pattern[str], start: int) -> int:
        """The next place where a pattern matches, or the end."""
        places = self.places(pattern)
        index = bisect_left(places, start)
        return min(places[index], self.stop) if index < len(places) else self.stop

    def mentioned(self, start: int, end: int) -> bool:
        """Whether an action may be named there."""
        return self.next(MENTION, start) < end

    def limit(self, start: int) -> int:
        """Where something broken ends at the latest: at the next delimiter of calls or of the fence it stands in."""
        delimiter = self.next(_DELIMITER, start)
        return min(delimiter, self.next(_FENCE_LINE, start)) if self.fence_start >= 0 else delimiter

    def torn_end(self, start: int, limit: int, reason: str) -> int:
        """Where something broken ends whose open text swallowed the next call: at the first delimiter behind its start, if all that
        follows is closed, so that none of it can belong to the open text. What was cut off, or may be open still, reaches to the limit."""
        first = self.next(_DELIMITER, start)
        if reason == TRUNCATED or first >= limit or not self.spend(self.stop - first):
            return limit
        return first if balanced(self.text, first, self.stop) else limit

    def spend(self, work: int) -> bool:
        """Whether so much work may still be done on broken objects."""
        self._work -= work
        return self._work > 0

    @property
    def shape(self) -> str:
        """The shape that the last marker announced."""
        return self.container.shape if self.container else "json"

    def add(self, call: Call) -> bool:
        """Take a call. False when its name is foreign."""
        self.seen += 1
        outcomes = conclude(call, self.own_prefixes)
        reason = self._refusal(call.start, call.end)
        for outcome in outcomes:
            if reason and isinstance(outcome, Action):
                self.reject(reason, outcome.start, outcome.end, call_id=outcome.call_id)
            else:
                self.found.append(outcome)
        self.taken_to = max(self.taken_to, call.end)
        return bool(outcomes)

    def _refusal(self, start: int, end: int) -> str:
        if 0 <= self.invented_from <= start:
            return "AFTER_INVENTED_RESULT"
        if 0 <= self.draft_from <= start:
            return "REASONING_NOT_CLOSED"
        return "QUOTED_INLINE" if self._quoted_inline(start, end) else ""

    def _quoted_inline(self, start: int, end: int) -> bool:
        text = self.text
        if text[start - 1 : start] != "`" or text[end : end + 1] != "`" or text[end : end + 3] == "```":
            return False
        line_start = text.rfind("\n", max(0, start - 400), start) + 1
        line_end = text.find("\n", end, end + 400)
        after = text[end + 1 : line_end if line_end >= 0 else end + 400]
        return bool(text[max(line_start, start - 400) : start - 1].strip() or after.strip())

    def foreign(self, end: int, start: int = -1) -> int:
        """Pass over another tool's call."""
        self.seen += 1
        self.passed.append((start if start >= 0 else self.taken_to, end))
        self.taken_to = max(self.taken_to, end)
        return end

    def reject(self, reason: str, start: int, end: int, detail: str = "", call_id: str = "") -> int:
        """Report what is no action; returns its end."""
        self.seen += 1
        self.found.append(Reject(reason, start, end, hint(reason, detail), call_id))
        self.taken_to = max(self.taken_to, end)
        return end

    def refuse_from(self, known: int, reason: str) -> None:
        """Turn the actions found since then into rejects."""
        for index in range(known, len(self.found)):
            action = self.found[index]
            if isinstance(action, Action):
                self.found[index] = Reject(reason, action.start, action.end, hint(reason), action.call_id)

    def cut(self, start: int, end: int, instead: str = "") -> int:
        """Leave a span out of the user's text."""
        self.cuts.append(Cut(start, end, instead))
        return end

    def open_container(self, shape: str, start: int, end: int) -> int:
        """Note a marker behind which a call is expected."""
        self.close_container(start)
        self.container = Container(shape, start, end, self.seen)
        self.taken_to = end
        return end

    def close_container(self, end: int) -> None:
        """Report a container that named an action in vain."""
        container, self.container = self.container, None
        if container and self.seen == container.known and self.mentioned(container.end, end):
            torn = end >= len(self.text) and len(self.text) - container.end < 200
            self.reject("TRUNCATED" if torn else "UNREADABLE_CALL", container.start, end)

    def line_start(self, at: int) -> int:
        """Where the line begins; no further back than a label or a list sign reaches."""
        return self.text.rfind("\n", max(0, at - 120), at) + 1 or max(0, at - 120)


class Rules:
    """All recognisers, and the one pattern that finds where any of them starts."""

    def __init__(self, recognisers: Iterator[Recogniser]) -> None:
        listed = list(recognisers)
        self.by_name = {recogniser.name: recogniser for recogniser in listed}
        self.trigger = re.compile("|".join(f"(?P<{recogniser.name}>{recogniser.trigger})" for recogniser in listed))
        # The first character alone, so that the search for it is fast; behind it, what must stand there.
        self.sign = re.compile(rf"[{{｛<](?:(?<!<){_OBJECT_AHEAD}|(?<=(?={self._trigger(listed, '<').pattern})<))")
        anchors = {anchor for recogniser in listed for anchor in recogniser.anchors}
        self.words = [(word, self._trigger(listed, word)) for word in sorted(anchors - {"{", "｛", "<"})]

    @staticmethod
    def _trigger(recognisers: list[Recogniser], word: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{one.trigger})" for one in recognisers if word in one.anchors))


def balanced(text: str, start: int, stop: int) -> bool:
    """Whether all braces and double quotes that open there are closed there."""
    depth = 0
    for found in BALANCE.finditer(text, start, stop):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth < 0 or found[0] == '"':
            return False
    return depth == 0


def _occurrences(text: str, word: str, trigger: re.Pattern[str]) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        if trigger.match(text, at):
            yield at
        at = text.find(word, at + 1)
