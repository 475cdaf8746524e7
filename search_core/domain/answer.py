"""The events of an answer about a video: the passages, the answer as it is written, and what the web adds.

The ``name`` of an event is what it is called wherever programs read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from search_core.domain.stance import Comparison
from search_core.domain.video import TranscriptPassage


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
    """Something was found, all of it below the relevance threshold."""
    UNAVAILABLE = "unavailable"
    """No search service could be asked."""
    TIMEOUT = "timeout"
    SEARCH_FAILED = "search_failed"
    MODEL_FAILED = "model_failed"
    NOT_ANSWERED = "not_answered"
    """The second answer says, too, that it does not know."""

    @property
    def web_away(self) -> bool:
        """Return whether the web could not be asked, so that nothing is known of what it has."""
        return self in (WebFailure.UNAVAILABLE, WebFailure.TIMEOUT, WebFailure.SEARCH_FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSource:
    """A search result that an answer rests on; ``number`` is what the answer cites, from 1."""

    number: int
    title: str
    url: str
    snippet: str
    source: str
    """The site as people name it."""
    publish_date: datetime | None
    """Time zone aware; None when unknown."""
    score: float | None = None
    """Its relevance in [0, 1]; None where it was not scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDocument:
    """A document of the library that bears on a question; ``number`` counts own documents alone, from 1."""

    number: int
    title: str
    url: str
    quote: str
    """The sentence of it that bears most on the question, as it stands there."""
    source: str
    publish_date: datetime | None
    """Time zone aware; None when unknown."""
    sample: bool = False
    """True when it ships with the app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTranscribed:
    """Reports what a spoken question says."""

    name: ClassVar = "question_heard"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesChosen:
    """Reports the passages of the transcript the answer is made from, best first; none without a transcript."""

    name: ClassVar = "passages"
    passages: tuple[TranscriptPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToken:
    """A piece of an answer as it is written."""

    name: ClassVar = "token"
    part: AnswerPart
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFinished:
    """Ends the answer from the video; ``text`` is all its tokens together."""

    name: ClassVar = "answer"
    text: str
    moments: tuple[float, ...]
    """Seconds from the start of the video that the answer cites, in order, no doubles."""
    origin: AnswerOrigin
    complete: bool = True
    """False when the model broke off; what it said until then stands."""
    notice: str = ""
    """One Korean sentence when the model could not do its part; mostly empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackDecided:
    """Reports whether the answer says that it does not know, so that the web is searched."""

    name: ClassVar = "fallback"
    triggered: bool
    reason: str
    """A ``FallbackReason``; empty unless triggered."""
    evidence: str
    """The sentence of the answer that gave the verdict; empty unless triggered."""
    passages: tuple[TranscriptPassage, ...]
    """What was checked and found insufficient; empty unless triggered."""
    enabled: bool
    """False when the settings forbid the search that would follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearching:
    """Reports that the web is being searched."""

    name: ClassVar = "web_searching"
    question: str
    """The query as it goes out: the question in its own words, or the one that a check makes of it."""


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
    """What became of reading the page of one source."""

    number: int
    """The source's."""
    failure: str = ""
    """A ``PageFailure``; empty when the page was read, in whole or in part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesRead:
    """Reports which pages were read; of the other sources only the snippet is known."""

    name: ClassVar = "pages_read"
    pages: tuple[PageOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StancesCompared:
    """Reports how the sources relate to what the video says; the rows' ``source`` is the position of a source found, from 0."""

    name: ClassVar = "stances"
    comparison: Comparison
    summary: str
    """One Korean paragraph that counts the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswerFinished:
    """Ends the answer from the web, which replaces the first.

    ``text`` is what its tokens said, without citations of sources there are none of; where a check's model broke off, an extract.
    """

    name: ClassVar = "web_answer"
    text: str
    origin: AnswerOrigin
    cited: tuple[int, ...]
    """Numbers of the sources that the answer cites, in order, no doubles."""
    unsupported: tuple[tuple[int, int], ...] = ()
    """Where in ``text`` sentences begin and end that the sources they cite do not bear out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswerFailed:
    """Reports that the web gave no answer, so that the first one stays; tokens of the second that came before are void."""

    name: ClassVar = "web_failed"
    failure: WebFailure
    cause: str
    """One English sentence for logs and export, without the question."""
    korean: str = ""
    """One Korean sentence for the page."""
    for_model: str = ""
    """Its text for a language model, in this turn and those that follow."""
    reason: str = ""
    """Where no service of the web answered, says so with each one's reason, in the specified words; otherwise empty."""
    retry_after_s: float | None = None
    """When a service that rests or refuses can be asked again, at the earliest; None when unknown."""
    headline: str = ""
    """Where services of the web answered, how many did; otherwise empty, as after ``WebSourcesFound``."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each of them, those that failed among them; empty where ``headline`` is."""

    @property
    def web_away(self) -> bool:
        """Return whether the web could not be asked, so that nothing is known of what it has."""
        return self.failure.web_away


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDocumentsFound:
    """Reports what documents of the library say on the question; never a part of the answer from the web."""

    name: ClassVar = "own_documents"
    documents: tuple[OwnDocument, ...]
    to_model: bool
    """True when their texts go to the language model's endpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredWithoutWeb:
    """Reports what a language model makes of the video, the conversation and own documents where the web gave it nothing.

    It follows the first answer and does not replace it.
    """

    name: ClassVar = "answer_without_web"
    text: str
    moments: tuple[float, ...] = ()
    """Seconds from the start of the video that it cites, in order, no doubles."""
    cited: tuple[int, ...] = ()
    """Numbers of the own documents that it cites, in order, no doubles."""
    unsupported: tuple[tuple[int, int], ...] = ()
    """Where in ``text`` sentences begin and end that the documents they cite do not bear out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDone:
    """Ends every answer; times in milliseconds, 0 for what was not done."""

    name: ClassVar = "done"
    passages_ms: float = 0.0
    answer_ms: float = 0.0
    search_ms: float = 0.0
    reading_ms: float = 0.0
    """Spent on fetching and reading pages."""
    comparison_ms: float = 0.0
    web_answer_ms: float = 0.0
    total_ms: float


AnswerEvent = (
    QuestionTranscribed
    | PassagesChosen
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
