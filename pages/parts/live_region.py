"""The outcome of a search, announced to screen readers."""

from __future__ import annotations

from pages.parts import frame, labels
from pages.parts.outcomes import why_hidden
from pages.parts.page_session import PageSession, page_session
from pages.parts.progress import newer_words, provider_labels
from search_core.domain import SearchReport
from search_core.presenting import ResultFormatter


def announce_results(report: SearchReport | None) -> None:
    """Return how many results are shown in *report*, once they are there and again when that has changed by itself."""
    session = page_session()
    if report is not None and session.awaited == session.report_of:
        session.announce(_words(session, report))
        if not session.has_partial_results:
            session.awaited = ""
    frame.announce(f"search-{session.news_of}-{session.news_count}", session.news)


def _words(session: PageSession, report: SearchReport) -> str:
    if session.newer is not None:
        return f"{newer_words(session)}. {labels.NEWS_NEWER.format(button=labels.NEWER_SHOW)}"
    if report.waiting and session.has_partial_results:
        facts = {"count": len(report.results), "waiting": len(report.waiting)}
        return labels.NEWS_EARLY.format(**facts) if report.results else ""
    return " ".join(filter(None, (_why_nothing(report), *_counts(report))))


def _why_nothing(report: SearchReport) -> str:
    """Return why nothing of what was asked for is shown; empty where something is."""
    if report.web_results if report.web_wanted else report.results:
        return ""
    if report.web_unavailable:
        return labels.NEWS_AWAY
    outcome = ResultFormatter(labels=provider_labels()).outcome_sentence(report)
    return outcome or f"{why_hidden(report)}."


def _counts(report: SearchReport) -> tuple[str, ...]:
    counts = ((labels.NEWS_FOUND, report.web_results), (labels.NEWS_OWN, report.own_results))
    return tuple(words.format(count=len(results)) for words, results in counts if results)
