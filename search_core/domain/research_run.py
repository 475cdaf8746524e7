"""A research run as it is shown and stored, folded from its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from search_core.domain import research_event
from search_core.domain.research import (
    SEARCH_FAILED,
    STOPPED_KOREAN,
    STOPPED_MARKER,
    CoverageLine,
    PlanOrigin,
    ResearchMetrics,
    ResearchRequest,
    ResearchSource,
    ResearchStatus,
    Subtask,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchRun:
    """Holds what the events of a run make together; stored, and shown again as it was."""

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
    """Sources whose pages are read, or were, while ``sources`` does not hold them yet."""
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
    failures: tuple[research_event.ResearchFailed, ...] = ()
    coverage: tuple[str, ...] = ()
    coverage_lines: tuple[CoverageLine, ...] = ()
    """The same with what each line is about."""
    unanswered: tuple[int, ...] = ()
    metrics: ResearchMetrics = field(default_factory=ResearchMetrics)
    created_at: datetime
    """Time zone aware."""
    ended_at: datetime | None = None

    @classmethod
    def begin(cls, run_id: str, request: ResearchRequest, at: datetime) -> ResearchRun:
        """Return a run of which nothing is done yet."""
        return cls(id=run_id, request=request, created_at=at)

    def after(self, event: research_event.ResearchEvent) -> ResearchRun:
        """Return the run with *event* applied."""
        match event:
            case research_event.StatusChanged():
                return replace(self, status=event.status, message=event.message)
            case research_event.SubtaskPlanned():
                return replace(self, plan=_with(self.plan, event.subtask))
            case research_event.PlanMade():
                remaining = tuple(subtask for subtask in self.plan if event.size is None or subtask.number <= event.size)
                return replace(self, plan=remaining, plan_origin=event.origin, plan_note=event.note)
            case research_event.ContentChunk():
                return replace(self, report=event.text if event.begins else self.report + event.text)
            case research_event.ReportWritten():
                return replace(
                    self,
                    report=event.text,
                    by_model=event.by_model,
                    cited=event.cited,
                    unsupported=event.unsupported,
                    report_note=event.note,
                    unfinished=event.unfinished,
                    own_sent=event.own_sent,
                    excerpted=event.excerpted,
                )
            case research_event.ResearchFailed():
                return replace(self, failures=(*self.failures, event))
            case research_event.ResearchEnded():
                return replace(
                    self,
                    status=event.status,
                    metrics=event.metrics,
                    coverage=event.coverage,
                    coverage_lines=event.coverage_lines,
                    unanswered=event.unanswered,
                    opened=(),
                    ended_at=event.at,
                )
            case _:
                return self._after_finding(event)

    def _after_finding(
        self, event: research_event.SourcesUpdated | research_event.SourcesComplete | research_event.SourceRead
    ) -> ResearchRun:
        match event:
            case research_event.SourcesUpdated():
                return replace(self, plan=_with(self.plan, event.subtask), count=event.count, domains=event.domains)
            case research_event.SourcesComplete():
                return replace(self, sources=event.sources, opened=(), count=len(event.sources))
            case research_event.SourceRead(source=source):
                known = [each for each in self.sources if _same(each, source)]
                if known:
                    numbered = replace(source, number=known[0].number)
                    return replace(self, sources=tuple(numbered if each is known[0] else each for each in self.sources))
                others = tuple(each for each in self.opened if not _same(each, source))
                return replace(self, opened=(*others, source))

    def replay(self) -> Iterator[research_event.ResearchEvent]:
        """Yield events that make this run, which has ended, again; for its readers when its stream was deleted."""
        if self.message:
            yield research_event.StatusChanged(status=self.status, message=self.message)
        for subtask in self.plan:
            yield research_event.SubtaskPlanned(subtask=subtask)
        if self.plan_origin is not None:
            yield research_event.PlanMade(origin=self.plan_origin, note=self.plan_note, size=len(self.plan))
        if self.plan and self.domains:
            yield research_event.SourcesUpdated(subtask=self.plan[-1], count=self.count, domains=self.domains)
        if self.sources:
            yield research_event.SourcesComplete(sources=self.sources)
        yield from self.failures
        if self.by_model is not None:
            yield research_event.ReportWritten(
                text=self.report,
                by_model=self.by_model,
                cited=self.cited,
                unsupported=self.unsupported,
                note=self.report_note,
                unfinished=self.unfinished,
                own_sent=self.own_sent,
                excerpted=self.excerpted,
            )
        yield research_event.ResearchEnded(
            status=self.status,
            metrics=self.metrics,
            coverage=self.coverage,
            coverage_lines=self.coverage_lines,
            unanswered=self.unanswered,
            at=self.ended_at,
        )

    @property
    def search_failed(self) -> bool:
        """Return whether the run failed because no search service of the web answered."""
        return self.status is ResearchStatus.FAILED and any(failure.kind == SEARCH_FAILED for failure in self.failures)

    @property
    def shown_report(self) -> str:
        """Return the report as readers see it, a mark of the stop in Korean; all places before the mark stay where they are."""
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
    """Time zone aware."""
    ended_at: datetime | None = None
    """None while it goes on."""
    conversation_id: str = ""
    """The conversation it was asked in; empty outside of one."""
    continues: str = ""
    """Id of the run that it goes on from; empty for one of its own."""


def _same(one: ResearchSource, other: ResearchSource) -> bool:
    return (one.url or one.title, one.own) == (other.url or other.title, other.own)


def _with(plan: tuple[Subtask, ...], subtask: Subtask) -> tuple[Subtask, ...]:
    """Return *plan* with *subtask* replaced by its number, or added."""
    others = [other for other in plan if other.number != subtask.number]
    return tuple(sorted((*others, subtask), key=lambda each: each.number))
