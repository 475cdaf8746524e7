"""Which sentences of a page bear on a question, in the question's language and in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from search_core.ranking.lexical import AskedWords
from search_core.text import korean

MAX_SCORED = 120
"""Foreign sentences of all pages together that are scored: most of a second where their vectors are not stored."""
LEAST_SCORED = 8
"""Of one page, however many pages there are."""

SentenceScores = Callable[[str, Sequence[str]], Sequence[float]]
"""Returns how much each of some sentences bears on a question by words and meaning, in [0, 1]."""


def order_by_bearing(
    sentences: Sequence[str],
    about: str,
    wanted: frozenset[str],
    scores: SentenceScores | None = None,
    *,
    at_most: int = MAX_SCORED,
) -> list[int]:
    """Return the positions of *sentences*, first those that bear most on *about*, whose terms are *wanted*; of equals the first.

    In one language those do that share most terms. In another they are ordered by words of both scripts, and the first
    *at_most* of them anew by *scores*, which are None where no model sees meaning across languages.
    """
    if not _are_foreign(sentences, about):
        shared = [len(wanted.intersection(terms)) for terms in korean.terms_of(sentences)]
        return sorted(range(len(sentences)), key=lambda place: (-shared[place], place))
    held = AskedWords(about).scores([""] * len(sentences), sentences)
    order = sorted(range(len(sentences)), key=lambda place: (-held[place], place))
    if scores is None:
        return order
    first = order[:at_most]
    found = dict(zip(first, scores(about, [sentences[place] for place in first]), strict=True))
    return [*sorted(first, key=lambda place: (-found[place], place)), *order[at_most:]]


def scored_of_each(pages: int) -> int:
    """Return how many sentences of each of so many *pages* are scored."""
    return max(LEAST_SCORED, MAX_SCORED // max(1, pages))


def _are_foreign(sentences: Sequence[str], about: str) -> bool:
    return bool(sentences) and korean.detect_language("\n".join(sentences)) != korean.detect_language(about)
