"""One leg of a run as a DBOS workflow: planned, searched, read and written, cut short where the user wishes it.

A run has one leg, or two when its plan waits for the user in between. Whatever a leg does after it was taken up again must be
what it did before; see ``gathering.py``. Changing the order of steps means changing ``engine.VERSION``.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from dbos import DBOS, error

from search_core.domain import (
    STOPPED_MARKER,
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
from search_core.research.engine import Engine, current
from search_core.research.errors import ResearchNotFoundError
from search_core.research.event_json import decode
from search_core.research.event_publisher import EventPublisher, step
from search_core.research.failures import NO_LIBRARY, NOBODY_ASKED, failed_report
from search_core.research.gathering import Gathering
from search_core.research.kept_findings import plan_of
from search_core.research.kept_run import KeptRun
from search_core.research.own_documents import NOTHING_OWN
from search_core.research.patience import patiently
from search_core.research.planning import Plan
from search_core.research.report_step import ReportStep
from search_core.research.steps import Steps

logger = logging.getLogger(__name__)

MAX_LIVES = 10
"""How often a run is taken up again; one that has ended so many processes is not given to another."""
_NOTHING_FOUND = "찾은 자료가 없어서 보고서를 쓰지 못했어요. 질문을 바꾸거나 하위 질문을 고쳐서 다시 조사해 보세요."
_NOTHING_YET = "자료를 찾기 전에 마무리해서 보고서에 쓸 내용이 없어요."
_UNFINISHED = "보고서를 끝까지 쓰지 못했어요. 여기까지 쓴 글이에요."
_MESSAGES = {
    ResearchStatus.PLANNING: "질문을 하위 질문으로 나누고 있어요.",
    ResearchStatus.PLANNED: "계획을 살펴보고 조사를 시작해 주세요.",
    ResearchStatus.WRITING: "보고서를 쓰고 있어요.",
}


@DBOS.workflow(name="maekrak_research", max_recovery_attempts=MAX_LIVES)
async def research(run_id: str, leg: str) -> None:
    """Go one leg of a run."""
    engine = current()
    try:
        run = await patiently(engine.store.load, run_id)
    except ResearchNotFoundError:
        return
    control = Control()
    engine.attach(run_id, control)
    try:
        await _RunSegment(engine, run, leg, control).go()
    finally:
        engine.detach(run_id, control)


class _RunSegment:
    """One segment of a run under way."""

    def __init__(self, engine: Engine, run: KeptRun, leg: str, control: Control) -> None:
        self._engine = engine
        self._run = run
        self._leg = leg
        self._control = control
        self._steps = Steps(engine, run.id, run.request, control)
        self._teller = EventPublisher(engine, run, leg)
        self._metrics = ResearchMetrics()
        self._begun = 0.0
        self._heard: list[Command] = []
        self._gathering: Gathering | None = None
        self._reported = Reported.NONE

    async def go(self) -> None:
        begun = await step("begin", self._steps.begin, self._leg)
        if not begun["go"]:
            return
        logger.info("A research run begins, or goes on, in this process")
        self._begun = begun["begun"]
        self._heard = [Command.of(plain) for plain in begun["commands"]]
        self._control.hear(self._heard)
        try:
            await self._stages()
        except error.DBOSException:
            raise
        except Exception as failed:
            logger.exception("A research run failed unexpectedly")
            self._teller.tell(failed_report(failed))
            await self._end(ResearchStatus.FAILED)
        await self._teller.close()

    async def _stages(self) -> None:
        plan = await self._plan()
        if plan is None:
            return
        gathering = Gathering(
            plan,
            self._steps,
            self._teller,
            self._control,
            heard=self._heard[-1].number if self._heard else 0,
            limits=self._engine.parts.limits,
            own_only=self._run.request.own_only,
        )
        gathering.halted = self._halted()
        self._gathering = gathering
        await gathering.go()
        self._metrics = replace(self._metrics, search_duration_ms=gathering.searching.ms, scrape_duration_ms=gathering.reading.ms)
        states = {subtask.state for subtask in gathering.subtasks}
        if gathering.halted is not CommandKind.STOP and SubtaskState.FAILED in states and SubtaskState.DONE not in states:
            # Documents of the library may have been found all the same: they do not stand in for the web.
            self._teller.tell(NO_LIBRARY if self._run.request.own_only else NOBODY_ASKED)
            await self._end(ResearchStatus.FAILED)
            return
        await self._write(gathering)

    def _wished(self, wish: CommandKind) -> bool:
        return any(command.wish is wish for command in self._heard)

    def _halted(self) -> CommandKind | None:
        return next((wish for wish in (CommandKind.STOP, CommandKind.FINISH) if self._wished(wish)), None)

    async def _say(self, status: ResearchStatus) -> None:
        self._teller.tell(StatusChanged(status=status, message=_MESSAGES[status]))
        await self._teller.flush()

    async def _plan(self) -> Plan | None:
        """Return the plan; None when it waits for the user, or when the run was stopped before."""
        if not self._wished(CommandKind.AGREE):
            await self._say(ResearchStatus.PLANNING)
        values = await step("plan", self._steps.plan)
        if values.get("cut") and self._halted() is None:
            self._heard += [Command.of(plain) for plain in await step("wishes", self._steps.wishes, self._last())]
        plan = plan_of(values)
        if values.get("failure") is not None:
            self._teller.tell(decode(values["failure"]))
        self._metrics = replace(self._metrics, query_decomposition=(values["ended"] - values["begun"]) * 1000)
        for subtask in plan.subtasks:
            self._teller.tell(SubtaskPlanned(subtask=subtask))
        self._teller.tell(PlanMade(origin=plan.origin, note=plan.note, size=len(plan.subtasks)))
        if self._run.request.plan_first and not self._wished(CommandKind.AGREE) and self._halted() is None:
            planned = StatusChanged(status=ResearchStatus.PLANNED, message=_MESSAGES[ResearchStatus.PLANNED])
            await self._teller.settle(planned)
            return None
        return plan

    def _last(self) -> int:
        return self._heard[-1].number if self._heard else 0

    async def _write(self, gathering: Gathering) -> None:
        """Write the report from what there is and end the run."""
        stopped = gathering.halted is CommandKind.STOP
        if not stopped:
            await self._say(ResearchStatus.WRITING)
        if not gathering.sources and not stopped:
            nothing = NOTHING_OWN if self._run.request.own_only else _NOTHING_FOUND
            self._teller.tell(ReportWritten(text=nothing if gathering.halted is None else _NOTHING_YET, by_model=False))
        else:
            writing = ReportStep(self._engine, self._run.id, self._run.request, self._control)
            task = step("write", writing.write, gathering.subtasks, gathering.sources, self._teller.tell_piece)
            written = await task
            await self._take_report(written)
            stopped = written["cut"]
        done = ResearchStatus.COMPLETE if gathering.halted is None else ResearchStatus.FINISHED_EARLY
        failed = self._teller.run.by_model is None or self._teller.run.unfinished
        await self._end(ResearchStatus.STOPPED if stopped else ResearchStatus.FAILED if failed else done)

    async def _take_report(self, written: dict[str, Any]) -> None:
        """Tell what the step has written, be it only a part of a report."""
        self._metrics = replace(self._metrics, analysis_duration_ms=(written["ended"] - written["begun"]) * 1000)
        for event in written["failures"]:
            self._teller.tell(decode(event))
        report = None
        if written["report"] is not None:
            report = decode(written["report"])
        elif written["so_far"]:
            report = ReportWritten(text=written["so_far"], by_model=True, note=_UNFINISHED, unfinished=True)
        if isinstance(report, ReportWritten):
            self._teller.tell(report)
            nothing = report.text == STOPPED_MARKER
            broken_off = written["cut"] or report.unfinished
            self._reported = Reported.NONE if nothing else Reported.PART if broken_off else Reported.WHOLE

    async def _end(self, status: ResearchStatus) -> None:
        at = await step("clock", self._steps.clock)
        subtasks = self._gathering.subtasks if self._gathering else self._teller.run.plan
        sources = self._gathering.sources if self._gathering else ()
        unwritten = self._reported is Reported.NONE
        unanswered = tuple(each.number for each in subtasks if unwritten or each.state is not SubtaskState.DONE or not each.found)
        ledgers = self._gathering.ledgers if self._gathering else {}
        await self._teller.settle(
            ResearchEnded(
                status=status,
                metrics=replace(self._metrics, total_ms=(at - self._begun) * 1000),
                coverage=coverage(
                    subtasks,
                    ledgers,
                    sources,
                    unanswered,
                    reported=self._reported,
                    own_only=self._run.request.own_only,
                    excerpted=len(self._teller.run.excerpted),
                ),
                unanswered=unanswered,
                at=datetime.fromtimestamp(at, UTC),
            )
        )
        logger.info("A research run has ended: %s after %.1f s, %d sources", status.value, at - self._begun, len(sources))
