"""What the API sends that is no record of the domain, and events with their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NotRequired, get_args

from typing_extensions import TypedDict

from search_core.domain import (
    AnswerDone,
    AnswerEvent,
    AnswerPart,
    AnswerToken,
    ClaimsBudget,
    ClaimsEntry,
    ConversationEntry,
    FoundClaims,
    MessageState,
    ResearchEntry,
    WebAnswerFailed,
    WebFailure,
)
from search_core.domain.plain_json import plain_json


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of an answer as it is written."""

    name: ClassVar = "token"
    part: AnswerPart
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnd(AnswerDone):
    """The end of every stream; times in milliseconds, 0 for what was not done."""

    total_ms: float = 0.0
    session_id: str
    message_id: str
    state: MessageState


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


class Sessions(TypedDict):
    """The caller's sessions, last changed first."""

    sessions: list[ConversationEntry]


class ResearchRuns(TypedDict):
    """The caller's runs, newest first."""

    runs: list[ResearchEntry]


class ClaimsRuns(TypedDict):
    """The caller's checks of claims, newest first."""

    runs: list[ClaimsEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsFound(FoundClaims):
    """Claims that could be checked, and what that takes."""

    budget: ClaimsBudget


ANSWER_EVENTS = (*(kind for kind in get_args(AnswerEvent) if kind not in (AnswerToken, AnswerDone)), Token, StreamEnd)
"""What stands in the stream of an answer."""
NOTHING_FOUND = "No web results found"


def event_body(event: Any) -> dict[str, Any]:
    """Return *event* with its name under ``type`` and its fields beside it."""
    if isinstance(event, AnswerToken):
        event = Token(part=event.part, content=event.text)
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
