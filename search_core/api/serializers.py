"""Events and messages as the API tells them."""

from __future__ import annotations

from typing import Any

from search_core.answering import event_json
from search_core.api.research_wire import message_research_body
from search_core.domain import (
    AnswerEvent,
    AnswerRecord,
    AnswerToken,
    Conversation,
    ConversationEntry,
    Message,
    MessageKind,
    PagesRead,
    PassagesChosen,
    StancesCompared,
    WebAnswerFailed,
    WebFailure,
    WebSourcesFound,
)

NOTHING_FOUND = "No web results found"


def event_body(event: AnswerEvent) -> dict[str, Any]:
    """Return *event* with its name under ``type`` and what it tells beside it."""
    told = event_json(event)
    if isinstance(event, AnswerToken):
        return {"type": told["event"], "content": event.text, "part": event.part.value}
    return {"type": told["event"], **told["data"]}


def failure_body(failure: WebAnswerFailed) -> dict[str, Any]:
    """Return what is said where the web gave no answer to somebody who asked for nothing else."""
    nothing = failure.failure in (WebFailure.NO_RESULTS, WebFailure.NOT_RELEVANT)
    message = NOTHING_FOUND if nothing else failure.cause
    why = {"reason": failure.reason, "retry_after_s": failure.retry_after_s} if failure.web_away else {}
    return {"type": "error", "message": message, "failure": failure.failure.value, "korean": failure.korean, **why}


def entry_body(entry: ConversationEntry) -> dict[str, Any]:
    """Return a conversation as a list shows it; whose it is stays out, for only they get to see it."""
    return {
        "id": entry.id,
        "title": entry.title,
        "video_title": entry.video_title,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "messages": entry.messages,
    }


def conversation_body(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation with its messages, oldest first."""
    video = conversation.video
    return {
        **entry_body(conversation.entry),
        "video": {"video_id": video.video_id, "title": video.title, "url": video.url} if video is not None else None,
        "messages": [message_body(message) for message in conversation.messages],
    }


def message_body(message: Message) -> dict[str, Any]:
    """Return a message; what an answer told stands under the names of its events."""
    return {
        "id": message.id,
        "kind": message.kind.value,
        "state": message.state.value,
        "text": message.text,
        "spoken": message.spoken,
        "about": message.about,
        "created_at": message.created_at.isoformat(),
        "told": _record_body(message.record) if message.record is not None else None,
        "research": message_research_body(message) if message.kind is MessageKind.RESEARCH else None,
    }


def _record_body(record: AnswerRecord) -> dict[str, Any]:
    """Return *record* as the events it was made from, the tokens put together; only what there is."""
    told: list[AnswerEvent] = []
    if record.passages:
        told.append(PassagesChosen(passages=record.passages))
    if record.fallback is not None:
        told.append(record.fallback)
    if record.sources or record.headline:
        told.append(WebSourcesFound(sources=record.sources, headline=record.headline, ledger=record.ledger))
    if record.pages:
        told.append(PagesRead(pages=record.pages))
    if record.comparison is not None:
        told.append(StancesCompared(comparison=record.comparison, summary=record.summary))
    told += [event for event in (record.failure, record.own, record.without_web, record.done) if event is not None]
    bodies = {told_json["event"]: told_json["data"] for told_json in map(event_json, told)}
    return {**_texts(record), **bodies, **({"error": record.error} if record.error else {})}


def _texts(record: AnswerRecord) -> dict[str, Any]:
    """Return both answers as far as they are written, ``origin`` null while they are not finished."""
    texts: dict[str, Any] = {}
    if record.text or record.origin is not None:
        texts["answer"] = {
            "text": record.text,
            "moments": list(record.moments),
            "origin": record.origin.value if record.origin is not None else None,
            "complete": record.complete,
            "notice": record.notice,
        }
    if record.web_text or record.web_origin is not None:
        texts["web_answer"] = {
            "text": record.web_text,
            "origin": record.web_origin.value if record.web_origin is not None else None,
            "cited": list(record.cited),
            "unsupported": [list(place) for place in record.unsupported],
        }
    return texts
