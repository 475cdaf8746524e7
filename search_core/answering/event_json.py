"""Events of an answer as plain values for JSON: the shape that scripts rely on."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from search_core.domain import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerEvent,
    AnswerFinished,
    AnswerToken,
    FallbackDecided,
    OwnDocumentsFound,
    PagesRead,
    PassagesChosen,
    QuestionHeard,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSearching,
    WebSourcesFound,
)
from search_core.domain.plain_json import plain_json

EVENT_NAMES: MappingProxyType[type[AnswerEvent], str] = MappingProxyType(
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
"""What each kind of event is called wherever programs read it."""


def event_json(event: AnswerEvent) -> dict[str, Any]:
    """Return *event* as ``{"event": name, "data": {…}}``; times are ISO 8601, moments seconds."""
    return {"event": EVENT_NAMES[type(event)], "data": plain_json(event)}
