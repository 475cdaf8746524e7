"""Events, conversations and runs as JSON objects of the API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, get_args

from typing_extensions import TypedDict

from search_core.claims.parts import CLAIMS
from search_core.domain import (
    AnswerEvent,
    AnswerRecord,
    AnswerToken,
    ClaimsBudget,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsRequest,
    ClaimsRun,
    ConstructedQuery,
    Conversation,
    ConversationEntry,
    Degradation,
    FoundClaims,
    HiddenReason,
    Message,
    MessageKind,
    MessageState,
    PagesRead,
    PartOrigin,
    PassagesChosen,
    ProviderReply,
    RankingOptions,
    ResearchEntry,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    SearchIntent,
    SearchResult,
    StancesCompared,
    Subtask,
    WebAnswerFailed,
    WebFailure,
    WebSourcesFound,
)
from search_core.domain.plain_json import fields_json, plain_json
from search_core.presenting.report_json import Video, video_json
from search_core.research import RESEARCH
from search_core.runs.run_kind import RunKind

ENTRY_LEFT_OUT = ("owner", "video_key")
"""Whose a conversation is stays out, for only they get to see it."""
MESSAGE_LEFT_OUT = ("record", "research", "missing")
RUN_LEFT_OUT = ("request",)
RUN_ENTRY_LEFT_OUT = ("question", "video_key", "conversation_id", "continues")
CLAIMS_ENTRY_LEFT_OUT = ("video_key",)
CLAIMS_FOUND_LEFT_OUT = ("less_certain", "before")
RUN_IN_MESSAGE = ("report", "by_model", "cited", "unsupported", "report_note", "failures", "coverage", "unanswered", "metrics")
"""Fields of a run that its message has under the same names."""


class ProblemDetail(TypedDict):
    """Names what is wrong, and says it in English and in Korean."""

    type: str
    message: str
    korean: str


class Problem(TypedDict):
    """Why a request is refused, in English and in Korean."""

    error: ProblemDetail


class NotConfigured(TypedDict):
    """No search service of the web is set up."""

    error: Literal["Web search not configured"]
    type: str
    korean: str


class StreamError(TypedDict):
    """Why the answer ends here: nothing found, no service could be asked, or the answer ended.

    Tokens of the web that came before are void.
    """

    type: Literal["error"]
    message: str
    korean: str
    failure: NotRequired[WebFailure]
    reason: NotRequired[str]
    """Where no service of the web answered: the cause of each. Otherwise empty."""
    retry_after_s: NotRequired[float | None]
    """When a service can be asked again, at the earliest."""
    ledger: NotRequired[list[str]]
    """Where services of the web answered and had nothing: a Korean sentence for each that was asked."""
    session_id: NotRequired[str]


class StreamEnd(TypedDict):
    """The end of every stream; times in milliseconds."""

    type: Literal["done"]
    session_id: str
    message_id: str
    state: MessageState


class Passage(TypedDict):
    """A stretch of the transcript that bears on the question; its times are seconds from the start of the video."""

    start_s: float
    end_s: float
    text: str
    score: float
    """From 0 to 1."""


class Part(TypedDict):
    """One piece of the query, and where it comes from."""

    text: str
    origin: PartOrigin


class Rank(TypedDict):
    """The place of a result in the list of one search service, from 1."""

    provider: str
    place: int


class HiddenResult(TypedDict):
    """A result that is not shown, and why."""

    hidden_because: HiddenReason


class Report(TypedDict):
    """The whole of one search: what was understood, asked, answered, shown and hidden."""

    query: str
    video: Video | None
    intent: SearchIntent
    constructed: ConstructedQuery
    web_unavailable: bool
    """The web was to be searched, and none of its services answered."""
    waiting: list[str]
    """Services that had not answered yet; none once the search has ended."""
    not_asked: list[str]
    """Services of the web that are set up and chosen, and were not asked: others had found something, or the search had ended."""
    outcome: str
    """That the web was away, or that nothing was found, in Korean with the reasons; else empty."""
    replies: list[ProviderReply]
    """One for each request made, in order of asking."""
    results: list[SearchResult]
    hidden: list[HiddenResult]
    """Results past the number wanted, then those below the threshold, best first."""
    threshold: float
    ranking: RankingOptions
    scorer: str
    """Name of what scored, or `none`."""
    degradations: list[Degradation]
    elapsed_ms: float
    own_ms: float
    """Time spent in our own code, without waiting for services and models."""
    created_at: datetime | None


class Sessions(TypedDict):
    """The caller's sessions, last changed first."""

    sessions: list[ConversationEntry]


class MissingRun(TypedDict):
    """A run that was deleted, or cannot be read; `missing` says so in Korean."""

    run_id: str
    state: None
    missing: str


class MessageRun(TypedDict):
    """A run as a message of its conversation."""

    run_id: str
    state: ResearchStatus
    missing: Literal[""]
    thoughts: list[Subtask]
    sources: list[ResearchSource]
    sourceUrls: list[str]


class MessageContent(TypedDict):
    """What a message has beside what the domain has of it."""

    told: dict[str, Any] | None
    """What the events said, under their names; the tokens put together."""
    research: MessageRun | MissingRun | None
    """The run of a message of the kind `research`, as it stands; null for all others."""


class RunQuestion(TypedDict):
    """What a run was asked to find out."""

    query: str
    video: Video | None
    session_id: str | None
    plan_first: bool
    own_only: bool
    continues: str | None
    """The run whose findings this one goes on from."""


class ResearchRuns(TypedDict):
    """The caller's runs, newest first."""

    runs: list[ResearchEntry]


class ClaimsQuestion(TypedDict):
    """What a check of claims was asked to check."""

    video: Video
    fresh: bool
    continues: str | None
    """The run whose checks this one goes on from."""


class ClaimsRuns(TypedDict):
    """The caller's checks of claims, newest first."""

    runs: list[ClaimsEntry]


class ClaimsPrice(TypedDict):
    """What claims that could be checked take."""

    budget: ClaimsBudget


class RunStarted(TypedDict):
    """Names the run that was started; number 0, in the answer to its start only."""

    type: Literal["run"]
    id: str


class Interrupted(TypedDict):
    """The stream ends, not the run: come again. It has no number."""

    type: Literal["interrupted"]
    cause: str
    message: str
    korean: str


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


def run_body(run: ResearchRun | ClaimsRun) -> dict[str, Any]:
    """Return a run as it stands, with what it was asked; texts of pages are not kept."""
    written = CLAIMS.runs.write(run) if isinstance(run, ClaimsRun) else RESEARCH.runs.write(run)
    return {**{name: value for name, value in written.items() if name not in RUN_LEFT_OUT}, **_question(run.request)}


def _question(request: ResearchRequest | ClaimsRequest) -> RunQuestion | ClaimsQuestion:
    video, continues = video_json(request.video), request.continues or None
    if isinstance(request, ClaimsRequest):
        assert video is not None
        return {"video": video, "fresh": request.fresh, "continues": continues}
    return {
        "query": request.question,
        "video": video,
        "session_id": request.conversation_id or None,
        "plan_first": request.plan_first,
        "own_only": request.own_only,
        "continues": continues,
    }


def run_entry_body(entry: ResearchEntry | ClaimsEntry) -> dict[str, Any]:
    """Return a run as a list shows it."""
    if isinstance(entry, ClaimsEntry):
        return {**plain_json(entry, *CLAIMS_ENTRY_LEFT_OUT)}
    return {**plain_json(entry, *RUN_ENTRY_LEFT_OUT), "query": entry.question}


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
        texts["answer"] = fields_json(record, "text", "moments", "origin", "complete", "notice")
    if record.web_text or record.web_origin is not None:
        cited = fields_json(record, "cited", "unsupported")
        texts["web_answer"] = {"text": record.web_text, "origin": record.web_origin, **cited}
    return texts
