"""Merges the hits of all providers into one list of pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import starmap

from search_core.domain.reply import NO_WORD, ProviderReply
from search_core.domain.result import Rank, SearchResult
from search_core.language.korean import detect_language, has_hangul
from search_core.language.near_duplicates import near_duplicates
from search_core.language.web_address import canonical_url, host_name
from search_core.providers.kit.http import interleave

_WORD = re.compile(r"[^\W_]+")
_RANK_CONSTANT = 60
"""The constant k of reciprocal-rank fusion, large enough that one list alone cannot dictate the order."""
_CUT = re.compile(r"(?:…|\.{3})\s*$")


class ResultAggregator:
    """Merges the replies of all providers.

    A provider that was asked several queries votes once: a page counts with its best rank in any of that provider's
    lists, so that asking more often does not look like more services agreeing. If several outlets carry one story, the page with
    the fullest snippet represents the story, with its own title and source, so that no outlet is credited with another's words.
    """

    def aggregate(self, replies: Sequence[ProviderReply]) -> tuple[SearchResult, ...]:
        """Return each hit of *replies* once, stale ones included, ordered by ``prior``, then by first sighting.

        A document of the library is never merged with a page of the web, even if it is a copy.
        """
        by_kind = [[_merge(sightings) for sightings in _pages(replies, own=own)] for own in (False, True)]
        stories = [_story([merged[index] for index in group]) for merged in by_kind for group in near_duplicates(merged)]
        priors = fuse([rank for _, rank in story.ranks] for story in stories)
        weighed = [replace(story, prior=prior) for story, prior in zip(stories, priors, strict=True)]
        return tuple(sorted(weighed, key=lambda result: -result.prior))


def add_behind(known: Sequence[SearchResult], merged: Sequence[SearchResult]) -> tuple[list[SearchResult], list[SearchResult]]:
    """Return *known* with their current providers, and the *merged* results whose page and story are not among *known*."""
    seen = {_address(result): result for result in merged}
    again = ((result, seen.get(_address(result), result)) for result in known)
    updated = [replace(result, providers=now.providers, ranks=now.ranks) for result, now in again]
    addresses = set(map(_address, known))
    new = [result for result in merged if _address(result) not in addresses]
    web, new_web = ([result for result in part if not result.own] for part in (known, new))
    stories = near_duplicates([*web, *new_web])
    known_places = {place - len(web) for story in stories if min(story) < len(web) for place in story}
    return updated, [
        *(result for place, result in enumerate(new_web) if place not in known_places),
        *(result for result in new if result.own),
    ]


def merge_wordings(replies: Sequence[ProviderReply]) -> ProviderReply:
    """Return one service's *replies*, the first to the query itself, others to other wordings, merged into one reply.

    Hits are ordered by their best place in any list, each address once. Other fields are of the first reply with results.
    """
    if len(replies) == 1:
        return replies[0]
    base = next((reply for reply in replies if not reply.is_degraded()), replies[0])
    others = tuple(reply.query for reply in replies if reply is not base and reply.status not in NO_WORD)
    hits: dict[str, SearchResult] = {}
    for hit in interleave(reply.results for reply in replies):
        hits.setdefault(_address(hit), hit)
    return replace(base, also=others, results=tuple(hits.values()), cut=sum(reply.cut for reply in replies))


def fuse(ranks: Iterable[Sequence[int]]) -> list[float]:
    """Return the fused score of each hit, given by its 1-based ranks; the best of the search is 1.

    Reciprocal-rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): a hit scores the sum of 1 / (k + rank) over its lists.
    """
    scores = [sum(1 / (_RANK_CONSTANT + rank) for rank in seen) for seen in ranks]
    best = max(scores, default=0.0)
    return [score / best if best else 0.0 for score in scores]


def _address(result: SearchResult) -> str:
    return canonical_url(result.url) or result.url


def _pages(replies: Iterable[ProviderReply], *, own: bool) -> list[list[SearchResult]]:
    """Return the results grouped by page, in order of first sighting."""
    pages: dict[str, list[SearchResult]] = {}
    for number, reply in enumerate(replies):
        for rank, result in enumerate(reply.results, start=1):
            if result.own is own:
                key = canonical_url(result.url) or f"without address {number} {rank}"
                pages.setdefault(key, []).append(
                    replace(result, providers=(reply.provider,), ranks=(Rank(reply.provider, rank),))
                )
    return list(pages.values())


def _merge(sightings: Sequence[SearchResult]) -> SearchResult:
    """Return the *sightings* of one page merged into one result."""
    first = sightings[0]
    source = next((seen.source for seen in sightings if seen.source), "") or host_name(first.url) or first.url
    page = first if len(sightings) == 1 else _choose(sightings, source)
    return replace(page, source=source, language=page.language or detect_language(f"{page.title} {page.snippet}"))


def _choose(sightings: Sequence[SearchResult], source: str) -> SearchResult:
    """Return the first of the *sightings* of one page, with the best values of all."""
    ranks = _best_ranks(sightings)
    title = min((seen.title for seen in sightings), key=lambda text: _title_faults(text, source))
    return replace(
        sightings[0],
        title=title,
        url=min((seen.url for seen in sightings), key=_detours),
        snippet=max((seen.snippet for seen in sightings), key=lambda text: _informative(text, title)),
        publish_date=_earliest(sightings),
        providers=tuple(ranks),
        ranks=tuple(starmap(Rank, ranks.items())),
        language=next((seen.language for seen in sightings if seen.language), ""),
    )


def _story(members: Sequence[SearchResult]) -> SearchResult:
    """Return the result that represents a story, with the ranks of all providers that found a copy."""
    if len(members) == 1:
        return members[0]
    ranks = _best_ranks(members)
    best = max(members, key=lambda result: _informative(result.snippet, result.title))
    return replace(best, providers=tuple(ranks), ranks=tuple(starmap(Rank, ranks.items())), publish_date=_earliest(members))


def _best_ranks(results: Iterable[SearchResult]) -> dict[str, int]:
    """Return the best rank by provider, in order of first sighting."""
    best: dict[str, int] = {}
    for provider, rank in (seen for result in results for seen in result.ranks):
        best[provider] = min(rank, best.get(provider, rank))
    return best


def _title_faults(title: str, source: str) -> tuple[bool, bool]:
    """Return whether *title* only names the site, and whether it is cut off."""
    plain = title.strip()
    return not plain or plain in (source, f"www.{source}") or plain.startswith(("http://", "https://")), bool(_CUT.search(plain))


def _informative(snippet: str, title: str) -> tuple[bool, int]:
    """Return whether the script of *snippet* fits the title, and how many words it adds to the title; for sorting."""
    words = set(_WORD.findall(snippet)) - set(_WORD.findall(title))
    return has_hangul(snippet) or not has_hangul(title), len(words)


def _detours(url: str) -> tuple[bool, bool, int]:
    """Return how far *url* is from the plain address of its page, for sorting."""
    return not url.startswith("https://"), "amp" in url.lower() or "://m." in url, len(url)


def _earliest(results: Iterable[SearchResult]) -> datetime | None:
    dates = [result.publish_date for result in results if result.publish_date is not None]
    return min(dates, key=lambda date: date if date.tzinfo else date.replace(tzinfo=UTC), default=None)
