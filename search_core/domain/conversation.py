"""Conversations about a video: their messages, and all events of an answer, so that it can be shown again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from search_core.domain import answer
from search_core.domain.research_run import ResearchRun
from search_core.domain.stance import Comparison
from search_core.domain.video import TranscriptPassage, VideoContext

MAX_TITLE_CHARS = 40
"""Of the title that a conversation has from its first question."""
INTERRUPTED = "서버가 다시 시작되면서 답변이 끊겼어요. 같은 질문을 다시 해 주세요."


class MessageKind(StrEnum):
    """Names who speaks in a message."""

    QUESTION = "question"
    """The user."""
    ANSWER = "answer"
    """Maekrak, from the video first, from the web where the video says nothing."""
    CHECK = "check"
    """Maekrak, from the web, held against an answer from the video."""
    RESEARCH = "research"
    """Maekrak, by deep research: the message has the id of its run, which is stored by itself and once."""


class MessageState(StrEnum):
    """Names how far a message is."""

    RUNNING = "running"
    COMPLETE = "complete"
    STOPPED = "stopped"
    """By the user; what there was until then stays."""
    FAILED = "failed"
    """By something unexpected, or because the server ended meanwhile; what there was until then stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """Holds all that an answer, or a check of one, has published so far."""

    passages: tuple[TranscriptPassage, ...] = ()
    text: str = ""
    """The answer from the video as far as it is written."""
    moments: tuple[float, ...] = ()
    """Seconds from the start of the video that the answer cites."""
    origin: answer.AnswerOrigin | None = None
    """None until the answer from the video is finished."""
    complete: bool = True
    notice: str = ""
    fallback: answer.FallbackDecided | None = None
    searched_for: str = ""
    """What the web was searched for; empty while it was not."""
    sources: tuple[answer.WebSource, ...] = ()
    headline: str = ""
    ledger: tuple[str, ...] = ()
    pages: tuple[answer.PageOutcome, ...] = ()
    comparison: Comparison | None = None
    summary: str = ""
    """What the comparison comes to, in one Korean paragraph."""
    web_text: str = ""
    """The answer from the web as far as it is written."""
    web_origin: answer.AnswerOrigin | None = None
    """None until the answer from the web is finished."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    """Where in ``web_text`` sentences stand that the sources they cite do not bear out."""
    failure: answer.WebAnswerFailed | None = None
    own: answer.OwnDocumentsFound | None = None
    """What own documents say, beside all that the web says."""
    without_web: answer.AnsweredWithoutWeb | None = None
    """What a model adds to the answer from the video where the web gave it nothing."""
    error: str = ""
    """A Korean sentence about what ended the answer unexpectedly."""
    done: answer.AnswerDone | None = None

    def after(self, event: answer.AnswerEvent) -> AnswerRecord:
        """Return the record with what *event* reports."""
        match event:
            case answer.QuestionTranscribed():
                return self
            case answer.PassagesChosen():
                return replace(self, passages=event.passages)
            case answer.AnswerToken(part=answer.AnswerPart.VIDEO):
                return replace(self, text=self.text + event.text)
            case answer.AnswerToken():
                return replace(self, web_text=self.web_text + event.text)
            case answer.AnswerFinished():
                return replace(
                    self,
                    text=event.text,
                    moments=event.moments,
                    origin=event.origin,
                    complete=event.complete,
                    notice=event.notice,
                )
            case answer.FallbackDecided():
                return replace(self, fallback=event)
            case answer.AnswerDone():
                return replace(self, done=event)
            case _:
                return self._after_web(event)

    def _after_web(self, event: answer.AnswerEvent) -> AnswerRecord:
        match event:
            case answer.WebSearching():
                return replace(self, searched_for=event.question)
            case answer.WebSourcesFound():
                return replace(self, sources=event.sources, headline=event.headline, ledger=event.ledger)
            case answer.PagesRead():
                return replace(self, pages=event.pages)
            case answer.StancesCompared():
                return replace(self, comparison=event.comparison, summary=event.summary)
            case answer.WebAnswerFinished():
                return replace(
                    self, web_text=event.text, web_origin=event.origin, cited=event.cited, unsupported=event.unsupported
                )
            case answer.WebAnswerFailed():  # the tokens that came before are void
                headline, ledger = event.headline or self.headline, event.ledger or self.ledger
                return replace(self, failure=event, headline=headline, ledger=ledger, web_text="", cited=(), unsupported=())
            case answer.OwnDocumentsFound():
                return replace(self, own=event)
            case answer.AnsweredWithoutWeb():
                return replace(self, without_web=event)
            case _:
                return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    id: str
    kind: MessageKind
    state: MessageState = MessageState.COMPLETE
    text: str = ""
    """What the user asked; empty in all other messages, and while a spoken question is being written down."""
    spoken: bool = False
    """True for a question that was asked aloud."""
    about: str = ""
    """Id of the message this one answers or checks; empty for questions."""
    record: AnswerRecord | None = None
    """None for questions and for research."""
    research: ResearchRun | None = None
    """The current run of a research message; not stored with the message, and None where it cannot be had."""
    missing: str = ""
    """A Korean sentence about why a research message is without its run."""
    created_at: datetime
    """Time zone aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEntry:
    """A conversation as a list shows it."""

    id: str
    """128 random bits in letters: knowing it is enough to read the conversation where there is no login."""
    owner: str
    """The owner; empty without a login."""
    title: str
    video_key: str
    """Of the video it is about; empty without one."""
    video_title: str
    created_at: datetime
    updated_at: datetime
    messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation with all its messages, oldest first."""

    entry: ConversationEntry
    video: VideoContext | None
    messages: tuple[Message, ...] = ()


def title_of(question: str) -> str:
    """Return the title of a conversation that begins with *question*: one line of at most ``MAX_TITLE_CHARS`` characters."""
    line = " ".join(question.split())
    return line if len(line) <= MAX_TITLE_CHARS else f"{line[: MAX_TITLE_CHARS - 1].rstrip()}…"


def research_messages(run_id: str, question: str, asked_at: datetime, about: str = "") -> tuple[Message, ...]:
    """Return a run of research as messages of its conversation: its question and itself, or itself under the question *about*."""
    asked = Message(id=f"asked-{run_id}", kind=MessageKind.QUESTION, text=question, created_at=asked_at)
    itself = Message(id=run_id, kind=MessageKind.RESEARCH, about=about or asked.id, created_at=asked_at)
    return (itself,) if about else (asked, itself)
