"""Deep research: requests, plans, sources, reports and metrics; the events of a run, and the run made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question
from search_core.domain.result import FoundSource, Moment
from search_core.domain.run import RunFailed, RunStatus
from search_core.domain.video import VideoContext

STOPPED_MARKER = "[Research stopped by user]"
"""Ends the text of a stopped report, wherever it is stored or handed to programs."""
STOPPED_KOREAN = "[사용자가 조사를 멈췄어요]"
"""The Korean text that readers see instead."""
SEARCH_FAILED = "Search failed"
"""Kind of the failure of a run for which no search service of the web answered."""


class ResearchStatus(RunStatus):
    """Names how far a run is; a run with one of the last four has ended."""

    QUEUED = "queued"
    PLANNING = "planning"
    PLANNED = "planned"
    """The run waits until the user agrees to its plan."""
    SEARCHING = "searching"
    READING = "reading"
    WRITING = "writing"
    COMPLETE = "complete"
    FINISHED_EARLY = "finished_early"
    """The user asked for a report from the sources found so far."""
    STOPPED = "stopped"
    """The user stopped the run; its results until then stay."""
    FAILED = "failed"

    @property
    def ending(self) -> str:
        """Return in Korean how a run has ended; empty while it goes on."""
        return _ENDS.get(self, "")


_ENDS = {
    ResearchStatus.COMPLETE: "조사를 마쳤어요.",
    ResearchStatus.FINISHED_EARLY: "지금까지 찾은 자료로 마무리했어요.",
    ResearchStatus.STOPPED: "조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요.",
    ResearchStatus.FAILED: "조사를 끝까지 하지 못했어요.",
}


class SubtaskState(StrEnum):
    """Names how far one subtask is."""

    WAITING = "waiting"
    SEARCHING = "searching"
    DONE = "done"
    FAILED = "failed"
    """No web search service answered for the subtask."""
    LEFT_OUT = "left_out"
    """The run ended before it was answered."""


class PlanOrigin(StrEnum):
    """Names who made a plan or a subtask."""

    MODEL = "model"
    RULES = "rules"
    """The question itself, as it was asked."""
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchRequest:
    """A request for research."""

    question: str
    video: VideoContext | None = None
    memory: ConversationMemory = field(default_factory=ConversationMemory)
    moment_s: float | None = None
    """Where in the video the user is, in seconds from its start; None when unknown."""
    owner: str = ""
    """The owner of the run; empty without a login."""
    conversation_id: str = ""
    """The conversation it was asked in; empty outside of one."""
    plan_first: bool = False
    """True waits with the plan until the user agrees to it."""
    fresh: bool = False
    """True bypasses stored replies of earlier searches."""

    def about(self, text: str) -> Question:
        """Return *text* as a question about the same video, asked at the same moment after the same turns."""
        return Question(text=text, video=self.video, memory=self.memory, moment_s=self.moment_s)


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
    below_threshold: int = 0
    """Results of the web that its search found below the threshold, which are no sources."""
    scorer: str = ""
    """Name of the embedder that scored its results; empty before its search, or if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSource(FoundSource):
    """A source of a report."""

    number: int
    """Number in the report's citations, from 1, web sources before own documents; 0 until all searches have ended."""
    snippet: str
    relevance_score: float | None = None
    """In [0, 1]; None means not scored."""
    subtasks: tuple[int, ...] = ()
    """Numbers of the subtasks whose search gave it."""
    moment: Moment | None = None
    """The moment of the video that the source relates to."""
    reading: bool = False
    """True while its page is being read."""
    shortened: bool = False
    """True if its page is longer than the part that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchMetrics:
    """Holds the durations of a run in milliseconds, 0 for steps that were not taken."""

    query_decomposition: float = 0.0
    search_duration_ms: float = 0.0
    scrape_duration_ms: float = 0.0
    analysis_duration_ms: float = 0.0
    total_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged:
    """Says how far the run is now."""

    name: ClassVar = "status"
    status: ResearchStatus
    message: str
    """One Korean sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtaskPlanned:
    """A new or changed subtask, before the plan is complete."""

    name: ClassVar = "thought"
    subtask: Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade:
    """The plan is complete; says who made it."""

    name: ClassVar = "thought"
    origin: PlanOrigin
    note: str = ""
    """One Korean sentence if the model could not make the plan, or parts of its plan were dropped."""
    size: int | None = None
    """Number of subtasks in the plan, so that those with higher numbers are removed; None keeps all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesUpdated:
    """What the searches have found so far, after another one has ended."""

    name: ClassVar = "sources_update"
    subtask: Subtask
    count: int
    """Different sources so far, over all subtasks."""
    domains: Mapping[str, int]
    """Sources of the web by domain, most first."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked for this subtask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesComplete:
    """All sources, by relevance, when the searches for all subtasks have ended."""

    name: ClassVar = "sources_complete"
    sources: tuple[ResearchSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRead:
    """Reading the page of one source begins (``source.reading``), or has ended.

    Its number is 0 until all sources are published, because pages are read while searches still run.
    """

    name: ClassVar = "source_read"
    source: ResearchSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChunk:
    """A piece of the report as it is written."""

    name: ClassVar = "content_chunk"
    text: str
    begins: bool = False
    """True for the first piece of a report; it replaces an earlier attempt that was cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWritten:
    """The whole report, its citations checked; replaces the chunks."""

    name: ClassVar = "report"
    text: str
    by_model: bool
    """False for an extract."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    """Spans in ``text`` of sentences that their cited sources do not support."""
    note: str = ""
    """One Korean sentence when the model could not write it, or only snippets could be used."""
    unfinished: bool = False
    """True when it breaks off because writing failed."""
    own_sent: bool | None = None
    """Whether own documents were given to the language model; None where there are none or no model."""
    excerpted: tuple[int, ...] = ()
    """Numbers of the sources of which only the sentences nearest to the question were used, for lack of room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchEnded:
    """Ends every run."""

    name: ClassVar = "research_complete"
    status: ResearchStatus
    metrics: ResearchMetrics = field(default_factory=ResearchMetrics)
    coverage: tuple[str, ...] = ()
    """The coverage ledger in Korean sentences: asked, failed and why, pages really read, snippets only."""
    unanswered: tuple[int, ...] = ()
    """Numbers of the subtasks that were not answered."""
    at: datetime | None = None


ResearchEvent = (
    StatusChanged
    | SubtaskPlanned
    | PlanMade
    | SourcesUpdated
    | SourcesComplete
    | SourceRead
    | ContentChunk
    | ReportWritten
    | RunFailed
    | ResearchEnded
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchRun:
    """A run in its current state, the sum of its events; stored, and shown again unchanged."""

    id: str
    request: ResearchRequest
    status: ResearchStatus = ResearchStatus.QUEUED
    message: str = ""
    plan: tuple[Subtask, ...] = ()
    plan_origin: PlanOrigin | None = None
    plan_note: str = ""
    count: int = 0
    domains: Mapping[str, int] = field(default_factory=dict)
    """Sources of the web by domain."""
    sources: tuple[ResearchSource, ...] = ()
    opened: tuple[ResearchSource, ...] = ()
    """Sources whose pages are being read or were, until ``sources`` contains them."""
    report: str = ""
    by_model: bool | None = None
    """False for an extract, None until the report is finished."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    report_note: str = ""
    unfinished: bool = False
    """True when the report breaks off because writing failed."""
    own_sent: bool | None = None
    """Whether own documents were given to the language model; None where there are none or no model."""
    excerpted: tuple[int, ...] = ()
    """Numbers of the sources of which only the sentences nearest to the question were used."""
    failures: tuple[RunFailed, ...] = ()
    coverage: tuple[str, ...] = ()
    unanswered: tuple[int, ...] = ()
    metrics: ResearchMetrics = field(default_factory=ResearchMetrics)
    created_at: datetime
    ended_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.status.ended:
            object.__setattr__(self, "message", self.status.ending)

    @classmethod
    def begin(cls, run_id: str, request: ResearchRequest, at: datetime) -> ResearchRun:
        """Return a run before its first event."""
        return cls(id=run_id, request=request, created_at=at)

    def after(self, event: ResearchEvent) -> ResearchRun:
        """Return the run with *event* applied."""
        match event:
            case StatusChanged():
                return replace(self, status=event.status, message=event.message)
            case SubtaskPlanned() | SourcesUpdated():
                counts = (event.count, event.domains) if isinstance(event, SourcesUpdated) else (self.count, self.domains)
                others = [subtask for subtask in self.plan if subtask.number != event.subtask.number]
                plan = tuple(sorted((*others, event.subtask), key=lambda subtask: subtask.number))
                return replace(self, plan=plan, count=counts[0], domains=counts[1])
            case PlanMade():
                remaining = tuple(subtask for subtask in self.plan if event.size is None or subtask.number <= event.size)
                return replace(self, plan=remaining, plan_origin=event.origin, plan_note=event.note)
            case ContentChunk():
                return replace(self, report=event.text if event.begins else self.report + event.text)
            case ReportWritten():
                report = replace(self, report=event.text, report_note=event.note, by_model=event.by_model, cited=event.cited)
                report = replace(report, unsupported=event.unsupported, unfinished=event.unfinished)
                return replace(report, own_sent=event.own_sent, excerpted=event.excerpted)
            case RunFailed():
                return replace(self, failures=(*self.failures, event))
            case ResearchEnded():
                ended = replace(self, status=event.status, metrics=event.metrics, opened=(), ended_at=event.at)
                return replace(ended, coverage=event.coverage, unanswered=event.unanswered)
            case SourcesComplete():
                return replace(self, sources=event.sources, opened=(), count=len(event.sources))
            case SourceRead(source=source):
                return self._after_reading(source)

    def _after_reading(self, source: ResearchSource) -> ResearchRun:
        """Return the run with *source* updated; the source has no number until all sources are known."""
        same = [other for other in self.sources if _same(other, source)]
        if same:
            numbered = replace(source, number=same[0].number)
            return replace(self, sources=tuple(numbered if other is same[0] else other for other in self.sources))
        return replace(self, opened=(*(other for other in self.opened if not _same(other, source)), source))

    @property
    def last_event(self) -> ResearchEnded:
        """Return the event that ended it."""
        return ResearchEnded(
            status=self.status,
            metrics=self.metrics,
            coverage=self.coverage,
            unanswered=self.unanswered,
            at=self.ended_at,
        )

    @property
    def search_failed(self) -> bool:
        """Return whether the run failed because no search service of the web answered."""
        return self.status is ResearchStatus.FAILED and any(failure.kind == SEARCH_FAILED for failure in self.failures)

    @property
    def shown_report(self) -> str:
        """Return the report for readers, its stop mark in Korean; positions before the mark are unchanged."""
        text = self.report.rstrip()
        return f"{text.removesuffix(STOPPED_MARKER)}{STOPPED_KOREAN}" if text.endswith(STOPPED_MARKER) else self.report


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchEntry:
    """A run as the history lists it."""

    id: str
    question: str
    status: ResearchStatus
    video_key: str
    """Empty when it is not about a video."""
    created_at: datetime
    ended_at: datetime | None = None
    """None while it goes on."""
    conversation: str = ""
    """The conversation that it was begun in; empty outside of one."""


def _same(one: ResearchSource, other: ResearchSource) -> bool:
    return (one.url or one.title, one.own) == (other.url or other.title, other.own)
