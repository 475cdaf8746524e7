"""A report as plain values for JSON: the shape scripts rely on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from typing_extensions import TypedDict

from search_core.domain import SearchReport, SearchResult, TranscriptOrigin, VideoContext
from search_core.domain.plain_json import fields_json, plain_json
from search_core.presenting.formatter import ResultFormatter

INTENT_LEFT_OUT = ("query", "references")
REPLY_LEFT_OUT = ("results", "advice", "out_of_order")
"""The results of all replies stand merged in the report."""


class Video(TypedDict):
    """Which video something is about."""

    video_id: str
    title: str
    url: str
    transcript_origin: TranscriptOrigin
    transcript_model: str


def report_json(report: SearchReport, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return *report* as values ``json.dumps`` takes as they are; times are ISO 8601.

    ``outcome`` says in the specified words that the web could not be searched, or had nothing, and is empty otherwise; *labels*
    says what search services are called there.
    """
    ranking = report.options.ranking
    return {
        "query": report.question.text,
        "video": video_json(report.question.video),
        "intent": plain_json(report.intent, *INTENT_LEFT_OUT),
        **fields_json(report, "constructed", "web_unavailable", "waiting", "not_asked"),
        "outcome": ResultFormatter(report.created_at, labels).outcome_sentence(report),
        "replies": [{**plain_json(reply, *REPLY_LEFT_OUT), "count": len(reply.results)} for reply in report.replies],
        "results": [_result_json(result) for result in report.results],
        "hidden": [
            {**_result_json(result), "hidden_because": ranking.reason_hidden(result.relevance_score).value}
            for result in report.hidden
        ],
        "threshold": ranking.threshold,
        "ranking": plain_json(ranking),
        **fields_json(report, "scorer", "degradations", "elapsed_ms"),
        "own_ms": report.compute_ms,
        "created_at": plain_json(report.created_at),
    }


def video_json(video: VideoContext | None) -> Video | None:
    """Return what identifies *video*; its transcript is left out."""
    return cast(Video, fields_json(video, *Video.__annotations__)) if video is not None else None


def _result_json(result: SearchResult) -> dict[str, Any]:
    return {**plain_json(result), "ranks": [{"provider": provider, "place": place} for provider, place in result.ranks]}
