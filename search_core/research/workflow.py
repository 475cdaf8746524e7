"""A run as a DBOS workflow: planned, searched, read and written, cut short where the user says so.

A run is one workflow, or two when its plan waits for the user in between. A workflow that is taken up again must take the same
steps as before; see ``gathering.py``. Changing their order or their outcomes means changing ``engine.VERSION``.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime

from dbos import DBOS

from search_core.domain import (
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    StatusChanged,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.outcomes import CommandsOutcome
from search_core.durable_runs.run_segment import MAX_ATTEMPTS, RunSegment, work_on_run
from search_core.research.coverage import Reported, coverage
from search_core.research.failures import NO_LIBRARY, NOBODY_ASKED, failed_report
from search_core.research.gathering import Gathering, span_ms
from search_core.research.outcomes import PlanOutcome, WriteOutcome
from search_core.research.own_documents import NOTHING_OWN
from search_core.research.plan_control import PlanControl
from search_core.research.planning import Plan
from search_core.research.report_step import ReportStep
from search_core.research.steps import ResearchKind, Steps
from search_core.research.stored_research import StoredResearch

logger = logging.getLogger(__name__)

WORKFLOW = "maekrak_research"
_NOTHING_FOUND = "찾은 자료가 없어서 보고서를 쓰지 못했어요. 질문을 바꾸거나 하위 질문을 고쳐서 다시 조사해 보세요."
_NOTHING_YET = "자료를 찾기 전에 마무리해서 보고서에 쓸 내용이 없어요."
_MESSAGES = {
    ResearchStatus.PLANNING: "질문을 하위 질문으로 나누고 있어요.",
    ResearchStatus.PLANNED: "계획을 살펴보고 조사를 시작해 주세요.",
    ResearchStatus.WRITING: "보고서를 쓰고 있어요.",
}


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=MAX_ATTEMPTS)
async def research(run_id: str, workflow_id: str) -> None:
    """Work on a run until it has ended, or waits for the user."""
    await work_on_run("research", run_id, workflow_id, _ResearchSegment, PlanControl())


class _ResearchSegment(RunSegment[ResearchRequest, ResearchRun, ResearchEvent]):
    """The work of one workflow on a run of research."""

    def __init__(self, kind: ResearchKind, run: StoredResearch, workflow_id: str, control: PlanControl) -> None:
        self._steps = Steps(kind, run.id, run.request, control)
        super().__init__(kind, run, workflow_id, control, self._steps)
        self._kind = kind
        self._metrics = ResearchMetrics()
        self._gathering: Gathering | None = None
        self._reported = Reported.NONE

    async def _fail(self, failed: Exception) -> None:
        self._publisher.add(failed_report(failed))
        await self._end(ResearchStatus.FAILED)

    async def _work(self) -> None:
        plan = await self._plan()
        if plan is None:
            return
        gathering = self._gathering = Gathering(
            plan,
            self._steps,
            self._publisher,
            self._control,
            self._kind.parts,
            last_command=self._last_command(),
            halted_by=self._halted_by(),
            own_only=self._run.request.own_only,
        )
        await gathering.run()
        self._metrics = replace(
            self._metrics,
            search_duration_ms=span_ms(gathering.search_outcomes),
            scrape_duration_ms=span_ms(gathering.page_outcomes),
        )
        states = {subtask.state for subtask in gathering.subtasks}
        if gathering.halted_by is not CommandKind.STOP and SubtaskState.FAILED in states and SubtaskState.DONE not in states:
            # Documents of the library may have been found all the same: they do not stand in for the web.
            self._publisher.add(NO_LIBRARY if self._run.request.own_only else NOBODY_ASKED)
            await self._end(ResearchStatus.FAILED)
            return
        await self._write(gathering)

    async def _publish_status(self, status: ResearchStatus) -> None:
        self._publisher.add(StatusChanged(status=status, message=_MESSAGES[status]))
        await self._publisher.flush()

    async def _plan(self) -> Plan | None:
        """Return the plan; None when it waits for the user."""
        if not self._has_command(CommandKind.AGREE):
            await self._publish_status(ResearchStatus.PLANNING)
        outcome = await self._step(PlanOutcome, self._steps.plan)
        if outcome.interrupted and self._halted_by() is None:
            received = await self._step(CommandsOutcome, self._steps.next_commands, self._last_command())
            self._commands += received.commands
        plan = outcome.plan
        if plan.failure is not None:
            self._publisher.add(plan.failure)
        self._metrics = replace(self._metrics, query_decomposition=outcome.duration_ms)
        for subtask in plan.subtasks:
            self._publisher.add(SubtaskPlanned(subtask=subtask))
        self._publisher.add(PlanMade(origin=plan.origin, note=plan.note, size=len(plan.subtasks)))
        if self._run.request.plan_first and not self._has_command(CommandKind.AGREE) and self._halted_by() is None:
            planned = StatusChanged(status=ResearchStatus.PLANNED, message=_MESSAGES[ResearchStatus.PLANNED])
            await self._publisher.save_and_publish(planned)
            return None
        return plan

    async def _write(self, gathering: Gathering) -> None:
        """Write the report from what there is and end the run."""
        stopped = gathering.halted_by is CommandKind.STOP
        if not stopped:
            await self._publish_status(ResearchStatus.WRITING)
        if not gathering.sources and not stopped:
            nothing = NOTHING_OWN if self._run.request.own_only else _NOTHING_FOUND
            text = nothing if gathering.halted_by is None else _NOTHING_YET
            self._publisher.add(ReportWritten(text=text, by_model=False))
        else:
            writing = ReportStep(self._kind, self._run.id, self._run.request, self._control)
            outcome = await self._step(
                WriteOutcome, writing.write, gathering.subtasks, gathering.sources, self._publisher.write_piece
            )
            self._metrics = replace(self._metrics, analysis_duration_ms=outcome.duration_ms)
            for event in (*outcome.failures, outcome.report):
                if event is not None:
                    self._publisher.add(event)
            self._reported = outcome.reported
            stopped = outcome.interrupted
        done = ResearchStatus.COMPLETE if gathering.halted_by is None else ResearchStatus.FINISHED_EARLY
        failed = self._publisher.run.by_model is None or self._publisher.run.unfinished
        await self._end(ResearchStatus.STOPPED if stopped else ResearchStatus.FAILED if failed else done)

    async def _end(self, status: ResearchStatus) -> None:
        at = await self._read_clock()
        subtasks = self._gathering.subtasks if self._gathering else self._publisher.run.plan
        sources = self._gathering.sources if self._gathering else ()
        unwritten = self._reported is Reported.NONE
        unanswered = tuple(each.number for each in subtasks if unwritten or each.state is not SubtaskState.DONE or not each.found)
        lines = coverage(
            subtasks,
            self._gathering.ledgers if self._gathering else {},
            sources,
            unanswered,
            reported=self._reported,
            own_only=self._run.request.own_only,
            excerpted=len(self._publisher.run.excerpted),
        )
        await self._publisher.save_and_publish(
            ResearchEnded(
                status=status,
                metrics=replace(self._metrics, total_ms=(at - self._begun) * 1000),
                coverage=tuple(line.listed for line in lines),
                coverage_lines=lines,
                unanswered=unanswered,
                at=datetime.fromtimestamp(at, UTC),
            )
        )
        logger.info("A research run has ended: %s after %.1f s, %d sources", status.value, at - self._begun, len(sources))
