"""What of a page a language model is given: the sentences that were compared, and those nearest to question and answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from search_core import korean
from search_core.answering.nearest_sentences import SentenceScores, order_by_bearing, scored_of_each
from search_core.domain import Comparison, SearchResult
from search_core.sentences import sentences_of
from search_core.stance.claim import is_table

MAX_EXCERPT_CHARS = 1200
"""Eight of them are what a small local model can still hold beside the instructions."""
MAX_SENTENCES = 60


def add_excerpts(
    results: Sequence[SearchResult],
    texts: Mapping[str, str],
    about: str,
    comparison: Comparison | None,
    scores: SentenceScores | None = None,
) -> tuple[SearchResult, ...]:
    """Return *results*, each with an excerpt of its page in place of its snippet where *texts* holds the page by address.

    Sentences that *comparison* quotes come in first, then those that bear most on *about*, in another language by *scores*
    (None where no model sees that), then the page's first ones.
    """
    rows = comparison.rows if comparison is not None else ()
    read = {place for place, result in enumerate(results) if texts.get(result.url, "").strip()}
    at_most = scored_of_each(len(read))
    return tuple(
        replace(
            result,
            snippet=_excerpt(texts[result.url], [row.quote for row in rows if row.source == place], about, scores, at_most),
        )
        if place in read
        else result
        for place, result in enumerate(results)
    )


def _excerpt(text: str, quotes: Sequence[str], about: str, scores: SentenceScores | None, at_most: int) -> str:
    sentences = tuple(each for each in sentences_of(text, MAX_SENTENCES) if not is_table(each)) or (text,)
    # A sentence that is longer than the excerpt is at best cut to it, so no more of it is analysed.
    read = [each[:MAX_EXCERPT_CHARS] for each in sentences]
    bearing = order_by_bearing(read, about, frozenset(korean.terms(about)), scores, at_most=at_most)
    order = sorted(bearing, key=lambda place: sentences[place] not in quotes)
    chosen: list[int] = []
    left = MAX_EXCERPT_CHARS
    for place in order:
        if len(sentences[place]) < left:
            chosen.append(place)
            left -= len(sentences[place]) + 1
    return "\n".join(sentences[place] for place in sorted(chosen)) or sentences[order[0]][:MAX_EXCERPT_CHARS]
