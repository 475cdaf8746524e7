"""People's labels of results, and which results a threshold shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search_core.domain.report import Label, StoredSearch, result_key
from search_core.domain.result import RankingOptions, SearchResult
from search_core.ranking import arrange


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSearch:
    """Holds one search's scored results and their labels."""

    results: tuple[SearchResult, ...]
    """In any order; each has an address of its own."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """By the address of the result."""

    @classmethod
    def of(cls, stored: StoredSearch) -> LabelledSearch:
        """Return the labels of a stored search."""
        results = (*stored.report.results, *stored.report.hidden)
        keys = ((result.url, result_key(result.url)) for result in results)
        labels = {address: stored.labels[key] for address, key in keys if key in stored.labels}
        return cls(results=results, labels=labels)

    def relevance(self, result: SearchResult) -> bool | None:
        """Return whether *result* is relevant; None if it is unlabelled or the label is unsure."""
        label = self.labels.get(result.url)
        return None if label is None or label is Label.UNSURE else label is Label.RELEVANT


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLabels:
    """Holds the results of many searches that can be shown, as arrays, and their searches' numbers."""

    search: NDArray[np.intp]
    """The number of the search, from 0."""
    score: NDArray[np.float64]
    within: NDArray[np.bool_]
    """Whether the place is within the number of results that are shown at most."""
    judged: NDArray[np.bool_]
    """Whether it is judged relevant or not relevant."""
    relevant: NDArray[np.bool_]
    searches: int
    """Number of searches, including those without results."""

    @classmethod
    def of(cls, searches: Sequence[LabelledSearch], most: int) -> ScoredLabels:
        """Return the results of *searches* that a page without a threshold shows, at most *most* of each kind.

        Those without a score are left out.
        """
        everything = RankingOptions(threshold=0.0, max_results=most)
        rows = [
            (number, result.relevance_score, within, search.relevance(result))
            for number, search in enumerate(searches)
            for within, results in zip((True, False), arrange(search.results, everything), strict=True)
            for result in results
            if result.relevance_score is not None
        ]
        return cls(
            search=np.array([number for number, *_ in rows], dtype=np.intp),
            score=np.array([score for _, score, *_ in rows], dtype=np.float64),
            within=np.array([within for *_, within, _ in rows], dtype=np.bool_),
            judged=np.array([relevant is not None for *_, relevant in rows], dtype=np.bool_),
            relevant=np.array([bool(relevant) for *_, relevant in rows], dtype=np.bool_),
            searches=len(searches),
        )

    def shown(self, threshold: float) -> NDArray[np.bool_]:
        """Return which results a page with *threshold* shows."""
        return self.within & (self.score >= threshold)

    def per_search(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the number of *which* results in each search."""
        return np.bincount(self.search[which], minlength=self.searches).astype(np.float64)
