"""A report as plain values for JSON: the shape scripts rely on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from search_core.domain import ProviderReply, SearchReport, SearchResult
from search_core.presenting.formatter import ResultFormatter


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return *report* as values ``json.dumps`` takes as they are; times are ISO 8601.

    ``outcome`` says in the specified words that the web could not be searched, or had nothing, and is empty otherwise; *labels*
    says what search services are called there.
    """
    intent, video = report.intent, report.question.video
    return {
        "query": report.question.text,
        "video": {"video_id": video.video_id, "title": video.title, "url": video.url} if video is not None else None,
        "intent": {
            "intent_type": intent.intent_type.value,
            "confidence": intent.confidence,
            "search_terms": list(intent.search_terms),
            "requires_context": intent.requires_context,
            "language_preference": intent.language_preference,
            "degraded": intent.degraded,
        },
        "constructed": {
            "text": report.constructed.text,
            "parts": [{"text": part.text, "origin": part.origin.value} for part in report.constructed.parts],
            "fallback_queries": list(report.constructed.fallback_queries),
            "translated": report.constructed.translated,
            "verbatim": report.constructed.verbatim,
        },
        "web_unavailable": report.web_unavailable,
        "outcome": ResultFormatter(report.created_at, labels).said(report),
        "replies": [reply_json(reply) for reply in report.replies],
        "results": [result_json(result) for result in report.results],
        "hidden": [result_json(result) for result in report.hidden],
        "threshold": report.options.ranking.threshold,
        "scorer": report.scorer,
        "degradations": [{"part": each.part.value, "cause": each.cause, "korean": each.korean} for each in report.degradations],
        "elapsed_ms": report.elapsed_ms,
        "own_ms": report.own_ms,
        "created_at": _iso(report.created_at),
    }


def reply_json(reply: ProviderReply) -> dict[str, Any]:
    """Return one reply without its results, which stand merged in the report."""
    return {
        "provider": reply.provider,
        "web": reply.web,
        "status": reply.status.value,
        "error_message": reply.error_message,
        "latency_ms": reply.latency_ms,
        "count": len(reply.results),
        "query": reply.query,
        "retry_after_s": reply.retry_after_s,
        "from_cache": reply.from_cache,
        "stale": reply.stale,
        "stored_at": _iso(reply.stored_at),
    }


def result_json(result: SearchResult) -> dict[str, Any]:
    """Return one result."""
    return {
        "title": result.title,
        "url": result.url,
        "snippet": result.snippet,
        "source": result.source,
        "relevance_score": result.relevance_score,
        "publish_date": _iso(result.publish_date),
        "language": result.language,
        "providers": list(result.providers),
        "ranks": [{"provider": provider, "place": place} for provider, place in result.ranks],
        "prior": result.prior,
        "parts": asdict(result.parts) if result.parts is not None else None,
        "entity_matches": list(result.entity_matches),
        "moment": asdict(result.moment) if result.moment is not None else None,
        "summary": result.summary,
        "summary_origin": result.summary_origin,
        "collection": result.collection,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
