"""One numbered list of sources from all subtasks' searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.research import ResearchSource
from search_core.domain.result import Moment, SearchResult
from search_core.language.web_address import canonical_url, host_name
from search_core.search.gathering.aggregate import ResultAggregator

OWN_DOCUMENTS = "내 자료"
SAMPLES = "내 자료 (예시)"
"""Names the library instead of a domain; counts of web domains leave it out."""


class _Sighting(NamedTuple):
    """The best of what the searches say about one page."""

    score: float | None
    moment: Moment | None


def merge_sources(found: Mapping[int, Sequence[SearchResult]]) -> tuple[ResearchSource, ...]:
    """Return the results of all subtasks as one list, numbered from 1 by relevance, web before own documents.

    *found* holds the results of each subtask by its number. A page, and the copies of one story, are listed once with the
    numbers of all their subtasks.
    """
    merged = _merge(found)
    seen = _best_sightings(found)
    ranked = sorted(merged, key=lambda result: (result.own, -_relevance(seen, result), -result.prior))
    return tuple(_source(number, result, seen[_key(result)]) for number, result in enumerate(ranked, start=1))


def domain_counts(sources: Iterable[ResearchSource]) -> dict[str, int]:
    """Return how many sources each domain of the web has, most first."""
    return dict(Counter(source.domain for source in sources if not source.own).most_common())


def by_domain(sources: Iterable[ResearchSource]) -> dict[str, tuple[ResearchSource, ...]]:
    """Group the sources by domain, each in order of number, the domain with the best source first."""
    groups: dict[str, list[ResearchSource]] = {}
    for source in sorted(sources, key=lambda source: source.number):
        groups.setdefault(source.domain, []).append(source)
    return {domain: tuple(own) for domain, own in groups.items()}


def _merge(found: Mapping[int, Sequence[SearchResult]]) -> tuple[SearchResult, ...]:
    """Return the merged results, with subtasks in the place of search services."""
    replies = [
        ProviderReply(provider=str(subtask), status=SearchStatus.SUCCESS, results=tuple(results))
        for subtask, results in sorted(found.items())
    ]
    return ResultAggregator().aggregate(replies)


def _best_sightings(found: Mapping[int, Sequence[SearchResult]]) -> dict[tuple[str, bool], _Sighting]:
    seen: dict[tuple[str, bool], _Sighting] = {}
    for result in (result for results in found.values() for result in results):
        before = seen.get(_key(result), _Sighting(None, None))
        scores = [score for score in (before.score, result.relevance_score) if score is not None]
        moments = [moment for moment in (before.moment, result.moment) if moment is not None]
        best = max(moments, key=lambda moment: moment.similarity, default=None)
        seen[_key(result)] = _Sighting(max(scores, default=None), best)
    return seen


def _key(result: SearchResult) -> tuple[str, bool]:
    return canonical_url(result.url) or result.title, result.own


def _relevance(seen: Mapping[tuple[str, bool], _Sighting], result: SearchResult) -> float:
    score = seen[_key(result)].score
    return -1.0 if score is None else score


def _source(number: int, result: SearchResult, seen: _Sighting) -> ResearchSource:
    return ResearchSource(
        number=number,
        title=result.title,
        url=result.url,
        snippet=result.snippet,
        domain=(SAMPLES if result.sample else OWN_DOCUMENTS) if result.own else host_name(result.url) or result.source,
        publish_date=result.publish_date,
        relevance_score=seen.score,
        subtasks=tuple(sorted(map(int, result.providers))),
        moment=seen.moment,
        collection=result.collection,
    )
