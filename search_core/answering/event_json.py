"""Events of an answer as plain values for JSON: the shape that scripts rely on."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import Any

from search_core.domain import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerEvent,
    AnswerFinished,
    AnswerToken,
    Comparison,
    FallbackDecided,
    OwnDocument,
    OwnDocumentsFound,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    QuestionHeard,
    StanceRow,
    StancesCompared,
    TranscriptPassage,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSearching,
    WebSource,
    WebSourcesFound,
)

_NAMES = MappingProxyType(
    {
        QuestionHeard: "question_heard",
        PassagesChosen: "passages",
        AnswerToken: "token",
        AnswerFinished: "answer",
        FallbackDecided: "fallback",
        WebSearching: "web_searching",
        WebSourcesFound: "web_sources",
        PagesRead: "pages_read",
        StancesCompared: "stances",
        WebAnswerFinished: "web_answer",
        WebAnswerFailed: "web_failed",
        OwnDocumentsFound: "own_documents",
        AnsweredWithoutWeb: "answer_without_web",
        AnswerDone: "done",
    }
)


def event_json(event: AnswerEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": _NAMES[type(event)], "data": {field.name: _plain(getattr(event, field.name)) for field in fields(event)}}


def _plain(value: Any) -> Any:
    match value:
        case tuple():
            return [_plain(each) for each in value]
        case TranscriptPassage():
            return {"start_s": value.start_s, "end_s": value.end_s, "text": value.text, "score": value.score}
        case WebSource() | OwnDocument() | PageOutcome() | Comparison() | StanceRow():
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case datetime():
            return value.isoformat()
        case _:
            return value
