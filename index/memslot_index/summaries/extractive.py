"""The summariser ``extractive``: the sentences that say most about a text, in its own words and order, without a model.

No library does it for English and Chinese: sumy (0.13) brings lxml, requests, NLTK and an old setuptools, fetches NLTK's data from the network for English,
loses what stands behind the last full stop of a Chinese text, and takes 1.5 s for 400 sentences; lede (0.5) ends sentences at ``.!?`` before a capital letter
only; textrank4zh and snownlp are ten years old. Of what splits sentences, sentencex (1.0) panics at a no-break space. ICU does both scripts, in linear time;
what remains is ranking.
"""

from __future__ import annotations

from memslot_index.summaries.cutting import beginning, clean, cut
from memslot_index.summaries.ranking import importance, similarities
from memslot_index.summaries.sentences import Sentence, sentences, words

LIMIT_CHARS = 50_000
LIMIT_SENTENCES = 400
"""Only so much of the beginning of a text is looked at."""
_SAME = 0.8
_LEAST = 0.25
"""A sentence that matters less, compared with the best, is not taken only because there is room: it has nothing to do with the others."""


class ExtractiveSummariser:
    """Chooses whole sentences as long as they fit, none that repeats another. Only where not one fits, the best one is cut at a word.

    Of a text of more than 50,000 characters or 400 sentences the beginning is summarised. The same text has the same summary.
    """

    name = "extractive/1"

    def summarise(self, text: str, max_chars: int) -> str:
        """Return the text itself if it is short, else its most important sentences in their order."""
        start = beginning(text, LIMIT_CHARS)
        whole = clean(start)
        if len(whole) <= max_chars and len(text) <= LIMIT_CHARS:
            return whole
        found = sentences(whole, LIMIT_SENTENCES)
        if len(found) > 1 and len(start) == LIMIT_CHARS:
            found.pop()
        chosen, best = _chosen(found, max_chars)
        return _joined(found, chosen) if chosen else cut(found[best].text if found else whole, max_chars)

    def close(self) -> None:
        """Hold nothing, release nothing."""


def _chosen(found: list[Sentence], max_chars: int) -> tuple[list[int], int]:
    """Return which sentences to take, in order, and which one says most."""
    if not found:
        return [], 0
    terms = [words(sentence.text) for sentence in found]
    likeness = similarities(terms)
    ranks = importance(likeness)
    rows = [row for row, said in enumerate(terms) if said] or list(range(len(found)))
    rows.sort(key=lambda row: (-ranks[row], row))
    chosen: list[int] = []
    left = max_chars + 1
    for row in rows:
        if ranks[row] < _LEAST * ranks[rows[0]]:
            break
        if len(found[row].text) < left and all(likeness[row, other] < _SAME for other in chosen):
            chosen.append(row)
            left -= len(found[row].text) + 1
    return sorted(chosen), rows[0]


def _joined(found: list[Sentence], chosen: list[int]) -> str:
    return "".join(found[row].text + found[row].separator[:1] for row in chosen).rstrip()
