"""Runs of research as the API tells them."""

from __future__ import annotations

from typing import Any

from search_core.domain import Message, Moment, ResearchEntry, ResearchRun, VideoContext
from search_core.storage.json_codec import JsonCodec

_RUN = JsonCodec(ResearchRun, VideoContext=VideoContext, Moment=Moment)


def research_entry_body(entry: ResearchEntry) -> dict[str, Any]:
    """Return a run as a list shows it."""
    return {
        "id": entry.id,
        "query": entry.question,
        "status": entry.status.value,
        "created_at": entry.created_at.isoformat(),
        "ended_at": entry.ended_at.isoformat() if entry.ended_at is not None else None,
    }


def run_body(run: ResearchRun) -> dict[str, Any]:
    """Return a run as it stands, with the names of its request in place of what they stand for; texts of pages are not kept."""
    request, video = run.request, run.request.video
    told = {name: value for name, value in _RUN.write(run).items() if name != "request"}
    return {
        **told,
        "query": request.question,
        "video": {"video_id": video.video_id, "title": video.title, "url": video.url} if video is not None else None,
        "session_id": request.conversation_id or None,
        "plan_first": request.plan_first,
        "own_only": request.own_only,
        "continues": request.continues or None,
    }


_TOLD = ("report", "by_model", "cited", "unsupported", "report_note", "failures", "coverage", "unanswered", "metrics")


def message_research_body(message: Message) -> dict[str, Any]:
    """Return the run of a research message as its session tells it; without one, its id and why."""
    run = message.research
    if run is None:
        return {"run_id": message.id, "state": None, "missing": message.missing}
    told = _RUN.write(run)
    return {
        "run_id": run.id,
        "state": run.status.value,
        "missing": "",
        "thoughts": told["plan"],
        "sources": told["sources"],
        "sourceUrls": [source.url for source in run.sources],
        **{name: told[name] for name in _TOLD},
    }
