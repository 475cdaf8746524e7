"""Steps of a search that need nothing of its run: whether to ask again, scores and places, what stopping leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from search_core.domain import (
    ConstructedQuery,
    Degradation,
    DegradedPart,
    ProviderReply,
    Question,
    RankingOptions,
    SearchIntent,
    SearchReport,
    SearchResult,
    SearchStatus,
    SearchType,
)
from search_core.relevance import RelevanceFilter, Scored, arrange


def is_worth_another_round(replies: Sequence[ProviderReply], *, fresh_only: bool) -> bool:
    """Tell whether asking more broadly can help: a service of the web answered, and none found anything.

    The library alone is asked more broadly where it found nothing, but not for want of fresh news: it has no freshness.
    """
    web = [reply for reply in replies if reply.web]
    if any(reply.results for reply in web):
        return False
    counted = web if fresh_only or any(reply.results for reply in replies) else replies
    return any(reply.status is SearchStatus.NO_RESULTS for reply in counted)


def score(
    relevance: Callable[[], RelevanceFilter],
    question: Question,
    merged: Sequence[SearchResult],
    intent: SearchIntent,
    constructed: ConstructedQuery,
) -> Scored:
    """Return *merged* scored for the question as it was understood, by the filter that *relevance* gives now."""
    return relevance().score(
        merged,
        understood(question, intent, constructed),
        question.video,
        terms=intent.search_terms,
        freshness_matters=intent.intent_type is SearchType.NEWS,
        timeless=intent.intent_type is SearchType.BACKGROUND,
    )


def understood(question: Question, intent: SearchIntent, constructed: ConstructedQuery) -> str:
    """Return *question* as it was understood: with what its pointing words mean, or as it was asked."""
    return constructed.text if intent.requires_context and not constructed.verbatim else question.text


def describe_stop(waiting: Iterable[str], labels: Iterable[str]) -> Degradation:
    """Return that a search was stopped before the providers of these names, called *labels*, had answered."""
    return Degradation(
        part=DegradedPart.GATHERING,
        cause=f"The search was stopped before these answered: {', '.join(waiting)}.",
        korean=f"검색을 멈춰서 {', '.join(labels)}의 답은 기다리지 않았어요.",
    )


def rearrange(report: SearchReport, ranking: RankingOptions) -> SearchReport:
    """Return *report* with its results placed anew by *ranking*; asks nobody and embeds nothing."""
    shown, hidden = place((*report.results, *report.hidden), ranking)
    return replace(report, results=shown, hidden=hidden, options=replace(report.options, ranking=ranking))


def place(results: Sequence[SearchResult], ranking: RankingOptions) -> tuple[tuple[SearchResult, ...], tuple[SearchResult, ...]]:
    """Return which of *results* are shown and which hidden; documents of the library stand after the pages of the web.

    The score alone decides what is shown, so a document may keep a page out, but never stands among pages as one of them.
    """
    shown, hidden = arrange(results, ranking)
    return tuple(sorted(shown, key=_is_own)), tuple(sorted(hidden, key=_is_own))


def _is_own(result: SearchResult) -> bool:
    return result.own
