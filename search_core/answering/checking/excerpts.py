"""What of a page a language model is given: the sentences that were compared, and those nearest to question and answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from search_core import korean
from search_core.answering.comparison.claim import is_table
from search_core.domain import Comparison, SearchResult
from search_core.sentences import sentences_of

MAX_EXCERPT_CHARS = 1200
"""Eight of them are what a small local model can still hold beside the instructions."""
MAX_SENTENCES = 60


def add_excerpts(
    results: Sequence[SearchResult], texts: Mapping[str, str], about: str, comparison: Comparison | None
) -> tuple[SearchResult, ...]:
    """Return *results*, each with an excerpt of its page in place of its snippet where *texts* holds the page by address.

    Sentences that *comparison* quotes come in first, then those that share most words with *about*, then the page's first ones.
    """
    wanted = frozenset(korean.terms(about))
    rows = comparison.rows if comparison is not None else ()
    return tuple(
        replace(result, snippet=_excerpt(texts[result.url], [row.quote for row in rows if row.source == place], wanted))
        if texts.get(result.url, "").strip()
        else result
        for place, result in enumerate(results)
    )


def _excerpt(text: str, quotes: Sequence[str], wanted: frozenset[str]) -> str:
    sentences = tuple(each for each in sentences_of(text, MAX_SENTENCES) if not is_table(each)) or (text,)
    # A sentence that is longer than the excerpt is at best cut to it, so no more of it is analysed.
    shared = [len(wanted.intersection(terms)) for terms in korean.terms_of([each[:MAX_EXCERPT_CHARS] for each in sentences])]
    order = sorted(range(len(sentences)), key=lambda place: (sentences[place] not in quotes, -shared[place], place))
    kept: list[int] = []
    left = MAX_EXCERPT_CHARS
    for place in order:
        if len(sentences[place]) < left:
            kept.append(place)
            left -= len(sentences[place]) + 1
    return "\n".join(sentences[place] for place in sorted(kept)) or sentences[order[0]][:MAX_EXCERPT_CHARS]
