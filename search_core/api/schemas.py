"""Objects that only the API sends, and events with their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from search_core.domain.conversation import AnswerDone, AnswerPart, AnswerToken, MessageState, WebAnswerFailed, WebFailure
from search_core.domain.plain_json import plain_json


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamError:
    """Why the answer ends here: nothing found, no service reachable, or the answer broke off.

    Tokens of the web that came before are void.
    """

    name: ClassVar = "error"
    message: str
    korean: str
    failure: WebFailure | None = None
    """Why the web gave no answer; None where something unexpected ended it."""
    reason: str = ""
    """Where no service of the web answered: the cause of each. Otherwise empty."""
    retry_after_s: float | None = None
    """When a service can be asked again, at the earliest."""
    ledger: tuple[str, ...] = ()
    """Where services of the web answered and had nothing: a Korean sentence for each that was asked."""
    session_id: str = ""
    """Of an answer in place of a stream; in a stream the last event has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of an answer."""

    name: ClassVar = "token"
    part: AnswerPart
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnd(AnswerDone):
    """The end of every stream."""

    session_id: str
    message_id: str
    state: MessageState


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """Names a started run; has number 0."""

    name: ClassVar = "run"
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """The stream ends, but not the run: reconnect. It has no number."""

    name: ClassVar = "interrupted"
    cause: str
    message: str
    korean: str


NOTHING_FOUND = "No web results found"


def event_body(event: Any) -> dict[str, Any]:
    """Return *event* with its name under ``type`` and its fields beside it."""
    if isinstance(event, AnswerToken):
        event = Token(part=event.part, content=event.text)
    return {"type": event.name, **plain_json(event)}


def stream_error(failure: WebAnswerFailed) -> StreamError:
    """Return the error for a caller whose request only the web could answer, and did not."""
    return StreamError(
        message=NOTHING_FOUND if failure.failure is WebFailure.NO_RESULTS else failure.cause,
        korean=failure.korean,
        failure=failure.failure,
        reason=failure.reason,
        retry_after_s=failure.retry_after_s,
        ledger=failure.ledger,
    )
