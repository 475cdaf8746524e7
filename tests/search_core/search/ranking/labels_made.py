"""Labelled searches made of numbers."""

from __future__ import annotations

from search_core.domain.report import Label
from search_core.domain.result import RankingOptions, SearchResult
from search_core.search.ranking.evaluation import LabelledSearch

OPTIONS = RankingOptions(threshold=0.5, max_results=10)
_LABELS = {"+": Label.RELEVANT, "-": Label.NOT_RELEVANT, "?": Label.UNSURE}


def search(name: str, *results: tuple[float, str]) -> LabelledSearch:
    """Return a search whose results have these scores and signs: + relevant, - not, ? unsure, anything else not judged."""
    made = tuple(
        SearchResult(title=f"{name}{place}", url=f"{name}{place}", snippet="", source="", relevance_score=score)
        for place, (score, _) in enumerate(results)
    )
    signs = {result.url: _LABELS[sign] for result, (_, sign) in zip(made, results, strict=True) if sign in _LABELS}
    return LabelledSearch(results=made, labels=signs)


def alike(count: int, signs: str, score: float = 0.9) -> list[LabelledSearch]:
    """Return *count* searches whose results, all of one score, are labelled by *signs*."""
    return [search(f"s{number}-", *((score, sign) for sign in signs)) for number in range(count)]
