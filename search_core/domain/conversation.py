"""Conversations about a video: messages and the events of answers; an event's ``name`` identifies it for programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from search_core.domain.report import Question
from search_core.domain.research import ResearchRequest, ResearchRun
from search_core.domain.stance import Comparison
from search_core.domain.video import TranscriptPassage, VideoContext


class AnswerOrigin(StrEnum):
    """Names who wrote an answer."""

    MODEL = "model"
    EXTRACT = "extract"
    """No model: sentences are quoted word for word."""


class AnswerPart(StrEnum):
    """Names which answer a token belongs to."""

    VIDEO = "video"
    WEB = "web"


class WebFailure(StrEnum):
    """Names why the web gave no answer."""

    NO_RESULTS = "no_results"
    NOT_RELEVANT = "not_relevant"
    """There were results, but all are below the relevance threshold."""
    UNAVAILABLE = "unavailable"
    """No search service could be asked."""
    TIMEOUT = "timeout"
    STOPPED = "stopped"
    """The search was stopped before any web service answered."""
    SEARCH_FAILED = "search_failed"
    MODEL_FAILED = "model_failed"
    NOT_ANSWERED = "not_answered"
    """The answer from the web also says that it does not know."""

    @property
    def web_away(self) -> bool:
        """Return whether the web could not be asked, so that its contents are unknown."""
        return self in (WebFailure.UNAVAILABLE, WebFailure.TIMEOUT, WebFailure.STOPPED, WebFailure.SEARCH_FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSource:
    """A search result behind an answer; the answer cites its ``number``, from 1."""

    number: int
    title: str
    url: str
    snippet: str
    source: str
    """The site as people name it."""
    publish_date: datetime | None
    score: float | None = None
    """Its relevance in [0, 1]; None where it was not scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDocument:
    """A document of the library relevant to a question; its ``number`` counts own documents only, from 1."""

    number: int
    title: str
    url: str
    quote: str
    """Its sentence most relevant to the question, verbatim."""
    source: str
    publish_date: datetime | None
    sample: bool = False
    """True when it ships with the app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesChosen:
    """Reports the passages behind the answer, best first; none without a transcript."""

    name: ClassVar = "passages"
    passages: tuple[TranscriptPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToken:
    """A piece of an answer as it is written."""

    name: ClassVar = "token"
    part: AnswerPart
    text: str
    begins: bool = False
    """True if this token replaces all earlier ones, which turned out to be a model's thoughts or in another language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFinished:
    """Ends the answer from the video; ``text`` is all its tokens together."""

    name: ClassVar = "answer"
    text: str
    moments: tuple[float, ...]
    """Seconds from the start of the video that the answer cites, in order, no doubles."""
    origin: AnswerOrigin
    complete: bool = True
    """False if the model broke off; ``text`` is its answer until then."""
    notice: str = ""
    """One Korean sentence if the model failed and the answer is made without it; usually empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackDecided:
    """Reports whether the answer admits not knowing, so that the web is searched."""

    name: ClassVar = "fallback"
    triggered: bool
    reason: str
    """A ``FallbackReason``; empty unless triggered."""
    evidence: str
    """The sentence of the answer that admits not knowing; empty unless triggered."""
    passages: tuple[TranscriptPassage, ...]
    """The passages of the video that do not answer the question; empty unless triggered."""
    enabled: bool
    """False when the settings forbid the search that would follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearching:
    """Reports that the web is being searched."""

    name: ClassVar = "web_searching"
    question: str
    """What is searched for: the question itself, or for a check a query made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSourcesFound:
    """Reports the sources of the answer from the web, and the services asked for them."""

    name: ClassVar = "web_sources"
    sources: tuple[WebSource, ...]
    headline: str = ""
    """One Korean sentence: how many search services were asked and how many answered."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome:
    """The outcome of reading one source's page."""

    number: int
    """The source's."""
    failure: str = ""
    """A ``PageFailure``; empty when the page was read, in whole or in part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesRead:
    """Reports which pages were read; other sources are known by their snippet only."""

    name: ClassVar = "pages_read"
    pages: tuple[PageOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StancesCompared:
    """Reports the sources' stances to the video; ``source`` in a row is the index of a found source."""

    name: ClassVar = "stances"
    comparison: Comparison
    summary: str
    """One Korean paragraph that counts the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswerFinished:
    """Ends the answer from the web, which replaces the answer from the video.

    ``text`` may differ from the streamed tokens: citations of unknown sources are removed, and if the model broke off, ``text``
    is an extract.
    """

    name: ClassVar = "web_answer"
    text: str
    origin: AnswerOrigin
    cited: tuple[int, ...]
    """Numbers of the sources that the answer cites, in order, no doubles."""
    unsupported: tuple[tuple[int, int], ...] = ()
    """Spans in ``text`` of sentences that their cited sources do not support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswerFailed:
    """Reports that the web gave no answer; the answer from the video stays, and tokens of the web's answer are dropped."""

    name: ClassVar = "web_failed"
    failure: WebFailure
    cause: str
    """One English sentence for logs and export, without the question."""
    korean: str = ""
    """One Korean sentence for the page."""
    for_model: str = ""
    """The note on the failure that a language model reads, in this turn and later ones."""
    reason: str = ""
    """Why each web service did not answer, in the agreed words, if none did; otherwise empty."""
    retry_after_s: float | None = None
    """Seconds until the first paused service can be asked again; None when unknown."""
    headline: str = ""
    """How many web services answered; empty if none did, or after ``WebSourcesFound``, which has it."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each web service, failed ones included; empty if ``headline`` is."""

    @property
    def web_away(self) -> bool:
        """Return whether the web could not be asked, so that its contents are unknown."""
        return self.failure.web_away


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDocumentsFound:
    """Reports what own documents say on the question; never part of the web's answer."""

    name: ClassVar = "own_documents"
    documents: tuple[OwnDocument, ...]
    to_model: bool
    """True when their texts go to the language model's endpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredWithoutWeb:
    """Reports a language model's answer from the video, the conversation and own documents when the web gave none.

    It follows the first answer and does not replace it.
    """

    name: ClassVar = "answer_without_web"
    text: str
    moments: tuple[float, ...] = ()
    """Seconds from the start of the video that it cites, in order, no doubles."""
    cited: tuple[int, ...] = ()
    """Numbers of the own documents that it cites, in order, no doubles."""
    unsupported: tuple[tuple[int, int], ...] = ()
    """Spans in ``text`` of sentences that their cited documents do not support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDone:
    """Ends every answer, and says how many milliseconds it took."""

    name: ClassVar = "done"
    total_ms: float


AnswerEvent = (
    PassagesChosen
    | AnswerToken
    | AnswerFinished
    | FallbackDecided
    | WebSearching
    | WebSourcesFound
    | PagesRead
    | StancesCompared
    | WebAnswerFinished
    | WebAnswerFailed
    | OwnDocumentsFound
    | AnsweredWithoutWeb
    | AnswerDone
)


MAX_TITLE_CHARS = 40
"""Longest title of a conversation, which is made from its first question."""
INTERRUPTED = "서버가 다시 시작되면서 답변이 끊겼어요. 같은 질문을 다시 해 주세요."


class MessageKind(StrEnum):
    """Names the speaker of a message."""

    QUESTION = "question"
    """The user."""
    ANSWER = "answer"
    """Maekrak, by what the video says, or if the video says nothing, by the web."""
    CHECK = "check"
    """Maekrak, comparing an answer from the video with the web."""
    RESEARCH = "research"
    """Maekrak, by deep research; only the id of the run is stored with the message."""


class MessageState(StrEnum):
    """Names how far a message is."""

    RUNNING = "running"
    COMPLETE = "complete"
    STOPPED = "stopped"
    """The user stopped the answer; its text until then stays."""
    FAILED = "failed"
    """An unexpected error or the end of the server stopped the answer; its text until then stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """An answer or a check in its current state, the sum of its events."""

    passages: tuple[TranscriptPassage, ...] = ()
    text: str = ""
    """The answer from the video as far as it is written."""
    moments: tuple[float, ...] = ()
    """Seconds from the start of the video that the answer cites."""
    origin: AnswerOrigin | None = None
    """None until the answer from the video is finished."""
    complete: bool = True
    notice: str = ""
    fallback: FallbackDecided | None = None
    searched_for: str = ""
    """What the web was searched for; empty while it was not."""
    sources: tuple[WebSource, ...] = ()
    headline: str = ""
    ledger: tuple[str, ...] = ()
    pages: tuple[PageOutcome, ...] = ()
    comparison: Comparison | None = None
    summary: str = ""
    """The result of the comparison in one Korean paragraph."""
    web_text: str = ""
    """The answer from the web as far as it is written."""
    web_origin: AnswerOrigin | None = None
    """None until the answer from the web is finished."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    """Spans in ``web_text`` of sentences that their cited sources do not support."""
    failure: WebAnswerFailed | None = None
    own: OwnDocumentsFound | None = None
    """What own documents say on the question; never part of the web's answer."""
    without_web: AnsweredWithoutWeb | None = None
    """What a model adds to the answer from the video if the web gave no answer."""
    error: str = ""
    """A Korean sentence about what ended the answer unexpectedly."""
    done: AnswerDone | None = None

    def after(self, event: AnswerEvent) -> AnswerRecord:
        """Return the record with *event* applied."""
        match event:
            case PassagesChosen():
                return replace(self, passages=event.passages)
            case AnswerFinished(text=text, moments=moments, origin=origin, complete=complete, notice=notice):
                return replace(self, text=text, moments=moments, origin=origin, complete=complete, notice=notice)
            case AnswerToken(part=AnswerPart.VIDEO):
                return replace(self, text=event.text if event.begins else self.text + event.text)
            case AnswerToken():
                return replace(self, web_text=event.text if event.begins else self.web_text + event.text)
            case WebAnswerFinished(text=text, origin=origin, cited=cited, unsupported=unsupported):
                return replace(self, web_text=text, web_origin=origin, cited=cited, unsupported=unsupported)
            case WebAnswerFailed():  # the tokens that came before are void
                headline, ledger = event.headline or self.headline, event.ledger or self.ledger
                return replace(self, failure=event, headline=headline, ledger=ledger, web_text="", cited=(), unsupported=())
            case FallbackDecided():
                return replace(self, fallback=event)
            case AnswerDone():
                return replace(self, done=event)
            case _:
                return self._after_searching(event)

    def _after_searching(
        self, event: WebSearching | WebSourcesFound | PagesRead | StancesCompared | OwnDocumentsFound | AnsweredWithoutWeb
    ) -> AnswerRecord:
        match event:
            case WebSearching():
                return replace(self, searched_for=event.question)
            case WebSourcesFound():
                return replace(self, sources=event.sources, headline=event.headline, ledger=event.ledger)
            case PagesRead():
                return replace(self, pages=event.pages)
            case StancesCompared():
                return replace(self, comparison=event.comparison, summary=event.summary)
            case OwnDocumentsFound():
                return replace(self, own=event)
            case AnsweredWithoutWeb():
                return replace(self, without_web=event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    id: str
    kind: MessageKind
    state: MessageState = MessageState.COMPLETE
    text: str = ""
    """What the user asked; empty in all other messages."""
    moment_s: float | None = None
    """Where in the video the user asked it, in seconds; None when unknown, and in all other messages."""
    search: str = ""
    """Id of the search whose list is shown beside the answer to this question; empty without one."""
    about: str = ""
    """Id of the message this one answers or checks; empty for questions."""
    record: AnswerRecord | None = None
    """None for questions and for research."""
    research: ResearchRun | None = None
    """The current run of a research message, which is stored separately; None if it cannot be read."""
    missing: str = ""
    """A Korean sentence on why the run of a research message cannot be read."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEntry:
    """A conversation as a list shows it."""

    id: str
    """128 random bits as letters, as without a login whoever knows the id can read the conversation."""
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


def research_messages(run_id: str, request: ResearchRequest, asked_at: datetime) -> tuple[Message, Message]:
    """Return two messages for a run of research: the user's question, and the reply that refers to the run."""
    text, moment_s = request.question, request.moment_s
    question = Message(id=f"asked-{run_id}", kind=MessageKind.QUESTION, text=text, moment_s=moment_s, created_at=asked_at)
    return question, Message(id=run_id, kind=MessageKind.RESEARCH, about=question.id, created_at=asked_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """The request of a check."""

    question: Question
    """The question to search for, with its video and the earlier turns."""
    answer: AnswerRecord | None
    """The answer to check; None takes the relevant statements of the video."""
    subject: str | None = None
    """What the question is about, put before the query; None takes it from the video, an empty string adds nothing."""

    @property
    def video_alone(self) -> bool:
        """Return whether the answer to check was made from the video alone."""
        answer = self.answer
        if self.question.video is None or answer is None or answer.web_text or answer.own or answer.without_web:
            return False
        return bool(answer.moments) or answer.origin is AnswerOrigin.MODEL  # an extract without a moment says that there is none
