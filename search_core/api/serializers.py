"""Events, conversations and runs as JSON objects of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from search_core.api.models import (
    CLAIMS_ENTRY_LEFT_OUT,
    CLAIMS_FOUND_LEFT_OUT,
    ENTRY_LEFT_OUT,
    MESSAGE_LEFT_OUT,
    RUN_ENTRY_LEFT_OUT,
    RUN_IN_MESSAGE,
    RUN_LEFT_OUT,
    ClaimsQuestion,
    MessageRun,
    MissingRun,
    RunQuestion,
    StreamError,
)
from search_core.claims.run_kind import CLAIMS
from search_core.domain import (
    AnswerEvent,
    AnswerRecord,
    AnswerToken,
    ClaimsBudget,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsRun,
    Conversation,
    ConversationEntry,
    FoundClaims,
    Message,
    MessageKind,
    PagesRead,
    PassagesChosen,
    ResearchEntry,
    ResearchEvent,
    ResearchRun,
    StancesCompared,
    WebAnswerFailed,
    WebFailure,
    WebSourcesFound,
)
from search_core.domain.plain_json import plain_json
from search_core.durable_runs.run_kind import RunKind
from search_core.presenting.report_json import video_json
from search_core.research import RESEARCH

NOTHING_FOUND = "No web results found"


def event_body(event: AnswerEvent) -> dict[str, Any]:
    """Return *event* with its name under ``type`` and its fields beside it."""
    if isinstance(event, AnswerToken):
        return {"type": event.name, "content": event.text, "part": event.part}
    return {"type": event.name, **plain_json(event)}


def failure_body(failure: WebAnswerFailed) -> StreamError:
    """Return the error for a caller who asked for the web alone, and whom it gave no answer."""
    nothing = failure.failure in (WebFailure.NO_RESULTS, WebFailure.NOT_RELEVANT)
    message = NOTHING_FOUND if nothing else failure.cause
    error: StreamError = {"type": "error", "message": message, "failure": failure.failure, "korean": failure.korean}
    if failure.web_away:
        error |= {"reason": failure.reason, "retry_after_s": failure.retry_after_s}
    if failure.ledger:
        error["ledger"] = list(failure.ledger)
    return error


def run_event_body(event: ResearchEvent | ClaimsEvent) -> dict[str, Any]:
    """Return *event* of a run with its name under ``type`` and its fields beside it."""
    kind: RunKind[Any, Any, Any] = CLAIMS if isinstance(event, get_args(ClaimsEvent)) else RESEARCH
    encoded = kind.event_json(event)
    return {"type": encoded["event"], **encoded["data"]}


def claims_run_body(run: ClaimsRun) -> dict[str, Any]:
    """Return a check of claims as it stands, with what it was asked; texts of pages are not kept."""
    request = run.request
    video = video_json(request.video)
    assert video is not None
    question: ClaimsQuestion = {"video": video, "fresh": request.fresh, "continues": request.continues or None}
    return {**{name: value for name, value in CLAIMS.runs.write(run).items() if name not in RUN_LEFT_OUT}, **question}


def claims_entry_body(entry: ClaimsEntry) -> dict[str, Any]:
    """Return a check of claims as a list shows it."""
    return {**plain_json(entry, *CLAIMS_ENTRY_LEFT_OUT)}


def found_claims_body(found: FoundClaims, budget: ClaimsBudget) -> dict[str, Any]:
    """Return claims that could be checked, and what that takes."""
    return {**plain_json(found, *CLAIMS_FOUND_LEFT_OUT), "budget": plain_json(budget)}


def entry_body(entry: ConversationEntry) -> dict[str, Any]:
    """Return a conversation as a list shows it."""
    return {**plain_json(entry, *ENTRY_LEFT_OUT)}


def conversation_body(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation with its messages, oldest first."""
    messages = [message_body(message) for message in conversation.messages]
    return {**entry_body(conversation.entry), "video": video_json(conversation.video), "messages": messages}


def message_body(message: Message) -> dict[str, Any]:
    """Return a message; the events of an answer stand under their names."""
    return {
        **plain_json(message, *MESSAGE_LEFT_OUT),
        "told": _record_body(message.record) if message.record is not None else None,
        "research": _message_run(message) if message.kind is MessageKind.RESEARCH else None,
    }


def run_entry_body(entry: ResearchEntry) -> dict[str, Any]:
    """Return a run as a list shows it."""
    return {**plain_json(entry, *RUN_ENTRY_LEFT_OUT), "query": entry.question}


def run_body(run: ResearchRun) -> dict[str, Any]:
    """Return a run as it stands, with what it was asked; texts of pages are not kept."""
    request = run.request
    question: RunQuestion = {
        "query": request.question,
        "video": video_json(request.video),
        "session_id": request.conversation_id or None,
        "plan_first": request.plan_first,
        "own_only": request.own_only,
        "continues": request.continues or None,
    }
    return {**{name: value for name, value in RESEARCH.runs.write(run).items() if name not in RUN_LEFT_OUT}, **question}


def _message_run(message: Message) -> Mapping[str, Any]:
    """Return the run of a research message; without one, its id and why."""
    run = message.research
    if run is None:
        missing: MissingRun = {"run_id": message.id, "state": None, "missing": message.missing}
        return missing
    encoded = RESEARCH.runs.write(run)
    head: MessageRun = {
        "run_id": run.id,
        "state": run.status,
        "missing": "",
        "thoughts": encoded["plan"],
        "sources": encoded["sources"],
        "sourceUrls": [source.url for source in run.sources],
    }
    return {**head, **{name: encoded[name] for name in RUN_IN_MESSAGE}}


def _record_body(record: AnswerRecord) -> dict[str, Any]:
    """Return *record* as the events it was made from, the tokens put together; only what there is."""
    events: list[AnswerEvent] = []
    if record.passages:
        events.append(PassagesChosen(passages=record.passages))
    if record.fallback is not None:
        events.append(record.fallback)
    if record.sources:
        events.append(WebSourcesFound(sources=record.sources, headline=record.headline, ledger=record.ledger))
    if record.pages:
        events.append(PagesRead(pages=record.pages))
    if record.comparison is not None:
        events.append(StancesCompared(comparison=record.comparison, summary=record.summary))
    events += [event for event in (record.failure, record.own, record.without_web, record.done) if event is not None]
    bodies = {event.name: plain_json(event) for event in events}
    return {**_texts(record), **bodies, **({"error": record.error} if record.error else {})}


def _texts(record: AnswerRecord) -> dict[str, Any]:
    """Return both answers as far as they are written, ``origin`` null while they are not finished."""
    texts: dict[str, Any] = {}
    if record.text or record.origin is not None:
        texts["answer"] = {
            "text": record.text,
            "moments": list(record.moments),
            "origin": record.origin,
            "complete": record.complete,
            "notice": record.notice,
        }
    if record.web_text or record.web_origin is not None:
        texts["web_answer"] = {
            "text": record.web_text,
            "origin": record.web_origin,
            "cited": list(record.cited),
            "unsupported": [list(place) for place in record.unsupported],
        }
    return texts
