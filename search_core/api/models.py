"""Objects of the API that the domain does not have: what is composed, renamed or left out for callers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from search_core.domain import (
    ClaimsBudget,
    ClaimsEntry,
    ConstructedQuery,
    ConversationEntry,
    Degradation,
    HiddenReason,
    MessageState,
    PartOrigin,
    ProviderReply,
    RankingOptions,
    ResearchEntry,
    ResearchSource,
    ResearchStatus,
    SearchIntent,
    SearchResult,
    Subtask,
    WebFailure,
)
from search_core.presenting.report_json import Video

ENTRY_LEFT_OUT = ("owner", "video_key")
"""Whose a conversation is stays out, for only they get to see it."""
MESSAGE_LEFT_OUT = ("record", "research", "missing")
RUN_LEFT_OUT = ("request",)
RUN_ENTRY_LEFT_OUT = ("question", "video_key", "conversation_id", "continues")
CLAIMS_ENTRY_LEFT_OUT = ("video_key",)
CLAIMS_FOUND_LEFT_OUT = ("less_certain",)
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
