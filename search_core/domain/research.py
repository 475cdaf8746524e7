"""Deep research: what is asked, planned, found, read and written, and what is told meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from search_core.domain.memory import ConversationMemory

if TYPE_CHECKING:
    from search_core.domain.result import Moment
    from search_core.video import VideoContext


class ResearchStatus(StrEnum):
    """Names how far a run is; the last four are ends."""

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
    """By the user; what there was stands."""
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Tell whether nothing more will happen by itself."""
        return self in (self.COMPLETE, self.FINISHED_EARLY, self.STOPPED, self.FAILED)


class SubtaskState(StrEnum):
    """Names how far one subtask is."""

    WAITING = "waiting"
    SEARCHING = "searching"
    DONE = "done"
    FAILED = "failed"
    """No search service could be asked for it."""
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
    """Is what a run is to find out."""

    question: str
    video: VideoContext | None = None
    memory: ConversationMemory = field(default_factory=ConversationMemory)
    owner: str = ""
    """Whose run it is; empty where nobody is logged in."""
    conversation_id: str = ""
    """The conversation it was asked in; empty outside of one."""
    plan_first: bool = False
    """True waits with the plan until the user agrees to it."""
    continues: str = ""
    """Id of the run whose findings this one goes on from; empty for a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtask:
    """Is one part of a plan; ``number`` counts from 1."""

    number: int
    text: str
    origin: PlanOrigin
    state: SubtaskState = SubtaskState.WAITING
    found: int = 0
    """Sources its search gave."""
    failure: str = ""
    """One Korean sentence when its search failed or found nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSource:
    """Is a source of a report; ``number`` is what the report cites, from 1."""

    number: int
    title: str
    url: str
    snippet: str
    domain: str
    """Host name without ``www.``."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchMetrics:
    """Holds what a run took; times in milliseconds, 0 for what was not done."""

    query_decomposition: float = 0.0
    search_duration_ms: float = 0.0
    scrape_duration_ms: float = 0.0
    analysis_duration_ms: float = 0.0
    total_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged:
    """Tells how far the run is."""

    status: ResearchStatus
    message: str
    """One Korean sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtaskPlanned:
    """Tells of a subtask, new or changed: a thought of the plan."""

    subtask: Subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade:
    """Tells that the plan stands as far as it was told, and who made it."""

    origin: PlanOrigin
    note: str = ""
    """One Korean sentence when the model could not make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesUpdated:
    """Tells what the searches have given so far, after one more of them has ended."""

    subtask: Subtask
    count: int
    """Different sources so far, over all subtasks."""
    domains: Mapping[str, int]
    """Sources by domain, most first."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked for this subtask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesComplete:
    """Tells all sources, by relevance, when every subtask was searched for."""

    sources: tuple[ResearchSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRead:
    """Tells what became of reading the page of one source."""

    source: ResearchSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChunk:
    """Is a piece of the report as it is written."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWritten:
    """Tells the whole report, its citations looked up; takes the place of the chunks."""

    text: str
    by_model: bool
    """False for an extract."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    """Where in ``text`` sentences stand that the sources they cite do not bear out."""
    note: str = ""
    """One Korean sentence when the model could not write it, or only snippets could be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchFailed:
    """Tells of a failure by its type and in words; the run ends with it only when its status says so."""

    kind: str
    """What failed, as in "Search failed" or the name of an error's type."""
    description: str
    """One English sentence without the question."""
    korean: str
    """One or two Korean sentences: what failed and what to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchEnded:
    """Ends every run."""

    status: ResearchStatus
    metrics: ResearchMetrics
    coverage: tuple[str, ...] = ()
    """The coverage ledger in Korean sentences: asked, failed and why, pages really read, snippets only."""
    unanswered: tuple[int, ...] = ()
    """Numbers of the subtasks that were not answered."""


ResearchEvent = (
    StatusChanged
    | SubtaskPlanned
    | PlanMade
    | SourcesUpdated
    | SourcesComplete
    | SourceRead
    | ContentChunk
    | ReportWritten
    | ResearchFailed
    | ResearchEnded
)

STOPPED_MARKER = "[Research stopped by user]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchRun:
    """Holds all that a run has told so far; kept, and shown again as it was."""

    id: str
    request: ResearchRequest
    status: ResearchStatus = ResearchStatus.QUEUED
    message: str = ""
    plan: tuple[Subtask, ...] = ()
    plan_origin: PlanOrigin | None = None
    plan_note: str = ""
    count: int = 0
    domains: Mapping[str, int] = field(default_factory=dict)
    sources: tuple[ResearchSource, ...] = ()
    report: str = ""
    by_model: bool | None = None
    """None until the report is finished."""
    cited: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
    report_note: str = ""
    failures: tuple[ResearchFailed, ...] = ()
    coverage: tuple[str, ...] = ()
    unanswered: tuple[int, ...] = ()
    metrics: ResearchMetrics = field(default_factory=ResearchMetrics)
    created_at: datetime
    """Time zone aware."""
    ended_at: datetime | None = None

    def after(self, event: ResearchEvent) -> ResearchRun:
        """Return the run with what *event* tells."""
        match event:
            case StatusChanged():
                return replace(self, status=event.status, message=event.message)
            case SubtaskPlanned():
                return replace(self, plan=_with(self.plan, event.subtask))
            case PlanMade():
                return replace(self, plan_origin=event.origin, plan_note=event.note)
            case ContentChunk():
                return replace(self, report=self.report + event.text)
            case ReportWritten():
                return replace(
                    self,
                    report=event.text,
                    by_model=event.by_model,
                    cited=event.cited,
                    unsupported=event.unsupported,
                    report_note=event.note,
                )
            case ResearchFailed():
                return replace(self, failures=(*self.failures, event))
            case ResearchEnded():
                return replace(
                    self, status=event.status, metrics=event.metrics, coverage=event.coverage, unanswered=event.unanswered
                )
            case _:
                return self._after_finding(event)

    def _after_finding(self, event: SourcesUpdated | SourcesComplete | SourceRead) -> ResearchRun:
        match event:
            case SourcesUpdated():
                return replace(self, plan=_with(self.plan, event.subtask), count=event.count, domains=event.domains)
            case SourcesComplete():
                return replace(self, sources=event.sources, count=len(event.sources))
            case SourceRead():
                kept = tuple(event.source if source.number == event.source.number else source for source in self.sources)
                return replace(self, sources=kept)


def _with(plan: tuple[Subtask, ...], subtask: Subtask) -> tuple[Subtask, ...]:
    """Return *plan* with *subtask* in the place of its number, or added."""
    others = [other for other in plan if other.number != subtask.number]
    return tuple(sorted((*others, subtask), key=lambda each: each.number))
