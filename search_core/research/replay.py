"""The events of a saved run, for readers of a run of which the stream was deleted."""

from __future__ import annotations

from collections.abc import Iterator

from search_core.domain import (
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchRun,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
)


def replay_events(run: ResearchRun) -> Iterator[ResearchEvent]:
    """Yield events that make *run*, which has ended, again."""
    if run.message:
        yield StatusChanged(status=run.status, message=run.message)
    for subtask in run.plan:
        yield SubtaskPlanned(subtask=subtask)
    if run.plan_origin is not None:
        yield PlanMade(origin=run.plan_origin, note=run.plan_note, size=len(run.plan))
    if run.plan and run.domains:
        yield SourcesUpdated(subtask=run.plan[-1], count=run.count, domains=run.domains)
    if run.sources:
        yield SourcesComplete(sources=run.sources)
    yield from run.failures
    if run.by_model is not None:
        yield ReportWritten(
            text=run.report,
            by_model=run.by_model,
            cited=run.cited,
            unsupported=run.unsupported,
            note=run.report_note,
            unfinished=run.unfinished,
            own_sent=run.own_sent,
            excerpted=run.excerpted,
        )
    yield ResearchEnded(
        status=run.status,
        metrics=run.metrics,
        coverage=run.coverage,
        coverage_lines=run.coverage_lines,
        unanswered=run.unanswered,
        at=run.ended_at,
    )
