"""Labelled searches made of numbers."""

from __future__ import annotations

from search_core.domain import Label, RankingOptions, RankingWeights, ScoreParts, SearchResult
from search_core.ranking.evaluation.labels import LabelledSearch

WORDS_ONLY = RankingWeights(semantic_video=0, semantic_question=0, lexical=1, entity=0, recency=0, agreement=0)
BY_WORDS = RankingOptions(threshold=0.5, entity_first=False, max_results=10, weights=WORDS_ONLY)
"""A score is the lexical part alone, so that it can be read off."""
_LABELS = {"+": Label.RELEVANT, "-": Label.NOT_RELEVANT, "?": Label.UNSURE}


def search(name: str, *results: tuple[float, str]) -> LabelledSearch:
    """Return a search whose results have these scores and signs: + relevant, - not, ? unsure, anything else not judged."""
    made = tuple(
        SearchResult(
            title=f"{name}{place}", url=f"{name}{place}", snippet="", source="", parts=ScoreParts(lexical=score, entity=score)
        )
        for place, (score, _) in enumerate(results)
    )
    signs = {result.url: _LABELS[sign] for result, (_, sign) in zip(made, results, strict=True) if sign in _LABELS}
    return LabelledSearch(id=name, query=f"질문 {name}", results=made, labels=signs)


def alike(count: int, signs: str, score: float = 0.9) -> list[LabelledSearch]:
    """Return *count* searches whose results, all of one score, are labelled by *signs*."""
    return [search(f"s{number}-", *((score, sign) for sign in signs)) for number in range(count)]
