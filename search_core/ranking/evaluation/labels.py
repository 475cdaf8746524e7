"""What people said of results, and the order that settings put those results in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search_core.domain import Label, RankingOptions, SearchResult, StoredSearch, result_key
from search_core.ranking import arrange


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSearch:
    """Holds the scored results of one search and what is known of them."""

    id: str
    query: str
    results: tuple[SearchResult, ...]
    """With their parts, in any order; each has an address of its own."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """By the address of the result."""

    @classmethod
    def of(cls, stored: StoredSearch) -> LabelledSearch:
        """Return the labels of a stored search."""
        results = (*stored.report.results, *stored.report.hidden)
        keys = ((result.url, result_key(result.url)) for result in results)
        labels = {address: stored.labels[key] for address, key in keys if key in stored.labels}
        return cls(id=stored.entry.id, query=stored.entry.query, results=results, labels=labels)

    def relevance(self, result: SearchResult) -> bool | None:
        """Return whether *result* is relevant, or None where it is not judged or the judge was unsure."""
        label = self.labels.get(result.url)
        return None if label is None or label is Label.UNSURE else label is Label.RELEVANT

    @property
    def answerless(self) -> bool:
        """Return whether results were judged and none is relevant: the right answer is to show nothing."""
        known = [self.relevance(result) for result in self.results]
        return any(each is not None for each in known) and not any(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLabels:
    """Holds the results that can be shown, of many searches, as arrays of one length, and the numbers of the searches."""

    search: NDArray[np.intp]
    """The number of the search, from 0."""
    score: NDArray[np.float64]
    within: NDArray[np.bool_]
    """Whether the position is within the number of results that are shown at most."""
    labelled: NDArray[np.bool_]
    """Whether it is judged, unsure judgements included."""
    judged: NDArray[np.bool_]
    """Whether it is judged relevant or not relevant."""
    relevant: NDArray[np.bool_]
    addresses: tuple[str, ...]
    searches: int
    """How many searches there are, with those that found nothing."""

    @classmethod
    def of(cls, searches: Sequence[LabelledSearch], ranking: RankingOptions) -> ScoredLabels:
        """Return the results of *searches* scored by the weights of *ranking*; those without a score are left out.

        Scores and positions are those of the page: whether a result is shown is decided by its score alone.
        """
        rows = [
            (number, result, place < ranking.max_results, result.url in search.labels, search.relevance(result))
            for number, search in enumerate(searches)
            for place, result in enumerate(order_by_score(search.results, ranking))
            if result.relevance_score is not None
        ]
        return cls(
            search=np.array([number for number, *_ in rows], dtype=np.intp),
            score=np.array([result.relevance_score for _, result, *_ in rows], dtype=np.float64),
            within=np.array([within for _, _, within, *_ in rows], dtype=np.bool_),
            labelled=np.array([labelled for *_, labelled, _ in rows], dtype=np.bool_),
            judged=np.array([relevant is not None for *_, relevant in rows], dtype=np.bool_),
            relevant=np.array([bool(relevant) for *_, relevant in rows], dtype=np.bool_),
            addresses=tuple(result.url for _, result, *_ in rows),
            searches=len(searches),
        )

    def shown(self, threshold: float) -> NDArray[np.bool_]:
        """Return which results a page with this *threshold* shows."""
        return self.within & (self.score >= threshold)

    def per_search(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return how many of *which* results each search has."""
        return np.bincount(self.search[which], minlength=self.searches).astype(np.float64)


def order_by_score(results: Sequence[SearchResult], ranking: RankingOptions) -> tuple[SearchResult, ...]:
    """Return *results* scored by the weights of *ranking*, best first."""
    everything = RankingOptions(threshold=0.0, entity_first=False, max_results=len(results), weights=ranking.weights)
    return arrange(results, everything)[0]
