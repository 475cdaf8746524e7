"""A run as a DBOS workflow: planned, searched, read and written, cut short where the user says so.

A run is one workflow, or two when its plan waits for the user in between. A workflow that is taken up again must take the same
steps as before; see ``gathering.py``. Changing their order or their outcomes means changing ``engine.VERSION``.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar

from dbos import DBOS, error

from search_core.domain import (
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchMetrics,
    ResearchStatus,
    StatusChanged,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.research.control import Command, CommandKind, Control
from search_core.research.coverage import Reported, coverage
from search_core.research.engine import Engine, current_engine
from search_core.research.errors import ResearchNotFoundError
from search_core.research.event_publisher import EventPublisher
from search_core.research.failures import NO_LIBRARY, NOBODY_ASKED, failed_report
from search_core.research.gathering import Gathering, span_ms
from search_core.research.outcomes import BeginOutcome, CommandsOutcome, PlanOutcome, StepOutcome, WriteOutcome, start_step
from search_core.research.own_documents import NOTHING_OWN
from search_core.research.planning import Plan
from search_core.research.report_step import ReportStep
from search_core.research.steps import Steps
from search_core.research.storage_faults import DATABASE_FAULTS, WorkflowAbandoned, retry_storage
from search_core.research.stored_run import StoredRun

logger = logging.getLogger(__name__)
OutcomeT = TypeVar("OutcomeT", bound=StepOutcome)

MAX_ATTEMPTS = 10
"""How often a run is taken up again; one that has ended so many processes is not given to another."""
_NOTHING_FOUND = "찾은 자료가 없어서 보고서를 쓰지 못했어요. 질문을 바꾸거나 하위 질문을 고쳐서 다시 조사해 보세요."
_NOTHING_YET = "자료를 찾기 전에 마무리해서 보고서에 쓸 내용이 없어요."
_MESSAGES = {
    ResearchStatus.PLANNING: "질문을 하위 질문으로 나누고 있어요.",
    ResearchStatus.PLANNED: "계획을 살펴보고 조사를 시작해 주세요.",
    ResearchStatus.WRITING: "보고서를 쓰고 있어요.",
}


@DBOS.workflow(name="maekrak_research", max_recovery_attempts=MAX_ATTEMPTS)
async def research(run_id: str, workflow_id: str) -> None:
    """Work on a run until it has ended, or waits for the user."""
    engine = current_engine()
    control = Control()
    engine.attach(run_id, control)
    try:
        run = await retry_storage(engine.store.load, run_id)
        await _RunSegment(engine, run, workflow_id, control).run_to_end()
    except ResearchNotFoundError:
        return
    except DATABASE_FAULTS as fault:
        logger.warning("A research run waits for its database: %s", type(fault).__name__)
        raise WorkflowAbandoned from None
    finally:
        engine.detach(run_id, control)


class _RunSegment:
    """What one workflow does of a run."""

    def __init__(self, engine: Engine, run: StoredRun, workflow_id: str, control: Control) -> None:
        self._engine = engine
        self._run = run
        self._workflow_id = workflow_id
        self._control = control
        self._steps = Steps(engine, run.id, run.request, control)
        self._publisher = EventPublisher(engine, run, workflow_id)
        self._metrics = ResearchMetrics()
        self._begun = 0.0
        self._commands: list[Command] = []
        self._gathering: Gathering | None = None
        self._reported = Reported.NONE

    async def run_to_end(self) -> None:
        begin = await self._step(BeginOutcome, self._steps.begin, self._workflow_id)
        if not begin.go_on:
            return
        logger.info("A research run begins, or goes on, in this process")
        self._begun = begin.ended
        self._commands = list(begin.commands)
        self._control.receive(self._commands)
        try:
            await self._run_stages()
        except (error.DBOSException, *DATABASE_FAULTS):
            raise
        except Exception as failed:  # whatever failed, the run has to end and say so
            logger.exception("A research run failed unexpectedly")
            self._publisher.add(failed_report(failed))
            await self._end(ResearchStatus.FAILED)
        await self._publisher.close()

    async def _step(self, kind: type[OutcomeT], body: Callable[..., Awaitable[OutcomeT]], *args: object) -> OutcomeT:
        return await start_step(kind, self._engine.parts.now, body, *args)

    async def _run_stages(self) -> None:
        plan = await self._plan()
        if plan is None:
            return
        gathering = self._gathering = Gathering(
            plan,
            self._steps,
            self._publisher,
            self._control,
            self._engine.parts,
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

    def _has_command(self, kind: CommandKind) -> bool:
        return any(command.kind is kind for command in self._commands)

    def _halted_by(self) -> CommandKind | None:
        return next((kind for kind in (CommandKind.STOP, CommandKind.FINISH) if self._has_command(kind)), None)

    def _last_command(self) -> int:
        return self._commands[-1].number if self._commands else 0

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
            writing = ReportStep(self._engine, self._run.id, self._run.request, self._control)
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
        at = (await self._step(StepOutcome, self._steps.read_clock)).ended
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
