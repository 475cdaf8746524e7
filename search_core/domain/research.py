"""Deep research: what is asked, planned, found, read and measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question
from search_core.domain.result import FromLibrary, Moment
from search_core.domain.video import VideoContext

STOPPED_MARKER = "[Research stopped by user]"
"""Ends the text of a stopped report, wherever it is stored or handed to programs."""
STOPPED_KOREAN = "[사용자가 조사를 멈췄어요]"
"""The Korean text that readers see instead."""
SEARCH_FAILED = "Search failed"
"""Kind of the failure of a run for which no search service of the web answered."""


class ResearchStatus(StrEnum):
    """Names how far a run is: ``planned`` waits for the user to agree, the last four are ends."""

    QUEUED = "queued"
    PLANNING = "planning"
    PLANNED = "planned"
    """The plan waits for the user, who asked to see it first."""
    SEARCHING = "searching"
    READING = "reading"
    WRITING = "writing"
    COMPLETE = "complete"
    FINISHED_EARLY = "finished_early"
    """The user asked for a report from what there was."""
    STOPPED = "stopped"
    """By the user; what there was stays."""
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""
        return self in (self.COMPLETE, self.FINISHED_EARLY, self.STOPPED, self.FAILED)

    @property
    def waits_for_user(self) -> bool:
        """Return whether it goes on when the user says so."""
        return self is self.PLANNED


class SubtaskState(StrEnum):
    """Names how far one subtask is."""

    WAITING = "waiting"
    SEARCHING = "searching"
    DONE = "done"
    FAILED = "failed"
    """No search service of the web answered for it."""
    LEFT_OUT = "left_out"
    """The run ended before it was answered."""


class PlanOrigin(StrEnum):
    """Names who made a plan, or a subtask of it."""

    MODEL = "model"
    RULES = "rules"
    """Split by the parts of the question, or the question itself."""
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchRequest:
    """What a run is to find out."""

    question: str
    video: VideoContext | None = None
    memory: ConversationMemory = field(default_factory=ConversationMemory)
    owner: str = ""
    """The owner of the run; empty without a login."""
    conversation_id: str = ""
    """The conversation it was asked in; empty outside of one."""
    plan_first: bool = False
    """True waits with the plan until the user agrees to it."""
    fresh: bool = False
    """True bypasses stored replies of earlier searches."""
    continues: str = ""
    """Id of the run that this one continues with its findings; empty for a new one."""
    own_only: bool = False
    """True searches the library and not the web."""

    def about(self, text: str) -> Question:
        """Return *text* as a question about the same video after the same turns."""
        return Question(text=text, video=self.video, memory=self.memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtask:
    """One part of a plan; ``number`` counts from 1."""

    number: int
    text: str
    origin: PlanOrigin
    state: SubtaskState = SubtaskState.WAITING
    found: int = 0
    """Sources its search gave, own documents among them."""
    own: int = 0
    """How many of them are documents of the library."""
    failure: str = ""
    """One Korean sentence when its search failed or found nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSource(FromLibrary):
    """A source of a report."""

    number: int
    """What the report cites it by, from 1, those of the web before own documents; 0 until every subtask was searched for."""
    title: str
    url: str
    snippet: str
    domain: str
    """Host name without ``www.``; for a document of the library what such documents are called."""
    publish_date: datetime | None = None
    """Time zone aware; None when unknown."""
    relevance_score: float | None = None
    """In [0, 1]; None means not scored."""
    subtasks: tuple[int, ...] = ()
    """Numbers of the subtasks whose search gave it."""
    moment: Moment | None = None
    """The moment of the video that it bears on."""
    read: bool | None = None
    """True when its page was read, False when that failed, None when it was not tried: then only the snippet is known."""
    failure: str = ""
    """A ``PageFailure`` when reading its page failed."""
    reading: bool = False
    """True while its page is being read."""
    shortened: bool = False
    """True when its page goes on behind what was read of it."""
    collection: str = ""
    """Collection of the library that holds it, ``user`` or ``sample``; empty for a page of the web."""


class CoverageKind(StrEnum):
    """Names what a line of the coverage ledger is about."""

    SUMMARY = "summary"
    """The run as a whole."""
    SUBTASK = "subtask"
    """What the search for one subtask came to."""
    SERVICE = "service"
    """What one search service answered for the subtask."""
    PAGES = "pages"
    """How many pages were read, and how much of them was used."""
    UNANSWERED = "unanswered"
    """A subtask the report does not answer."""


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """A line of the coverage ledger."""

    kind: CoverageKind
    text: str
    """One Korean sentence."""
    subtask: int = 0
    """Number of the subtask; 0 for lines about all."""

    @property
    def listed(self) -> str:
        """Return the line as written in a plain list, that of a service set off under its subtask."""
        return f"· {self.text}" if self.kind is CoverageKind.SERVICE else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchMetrics:
    """Holds what a run took; times in milliseconds, 0 for what was not done."""

    query_decomposition: float = 0.0
    search_duration_ms: float = 0.0
    scrape_duration_ms: float = 0.0
    analysis_duration_ms: float = 0.0
    total_ms: float = 0.0
