"""A run as a DBOS workflow: planned, searched, read and written, cut short by the user's commands.

A run is one workflow, or two when its plan waits for the user in between. Their steps have a fixed order; see ``RunWorkflow``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from dbos import DBOS

from search_core.domain.research import (
    SEARCH_FAILED,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    Subtask,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.domain.result import SearchResult
from search_core.domain.run import RunFailed
from search_core.research.coverage import Reported, coverage
from search_core.research.parts import StoredResearch
from search_core.research.planning import Plan
from search_core.research.sources import domain_counts, merge_sources
from search_core.research.steps import Steps
from search_core.research.store import PlanOutcome, ReadOutcome, SearchOutcome, WriteOutcome, source_key
from search_core.runs.control import CommandKind, CommandsOutcome, Control, StepOutcome
from search_core.runs.run_workflow import MAX_ATTEMPTS, RunWorkflow, start_step, work_on_run
from search_core.runs.store import AnyService

_NOTHING_FOUND = "질문과 관련된 자료를 찾지 못해서 보고서를 쓰지 못했어요. 질문을 바꾸거나 하위 질문을 고쳐서 다시 조사해 보세요."
_NOTHING_YET = "자료를 찾기 전에 마무리해서 보고서에 쓸 내용이 없어요."
_MESSAGES = {
    ResearchStatus.PLANNING: "조사 계획을 세우고 있어요.",
    ResearchStatus.PLANNED: "계획을 살펴보고 조사를 시작해 주세요.",
    ResearchStatus.SEARCHING: "자료를 찾고 있어요.",
    ResearchStatus.READING: "찾은 자료를 읽고 있어요.",
    ResearchStatus.WRITING: "보고서를 쓰고 있어요.",
}
_NOBODY_ASKED = RunFailed(
    kind=SEARCH_FAILED,
    description="No search service of the web answered for any part of the plan. Check the network and the services.",
    korean="검색에 실패했어요. 네트워크 연결과 검색 서비스 설정을 확인하고 다시 시도해 주세요.",
)


def _status(status: ResearchStatus) -> StatusChanged:
    return StatusChanged(status=status, message=_MESSAGES[status])


def _span_ms(outcomes: Sequence[StepOutcome]) -> float:
    """Return the time from the first start to the last end of parallel steps; 0 for none."""
    if not outcomes:
        return 0.0
    return max(0.0, max(outcome.ended for outcome in outcomes) - min(outcome.begun for outcome in outcomes)) * 1000


@DBOS.workflow(name="maekrak_research", max_recovery_attempts=MAX_ATTEMPTS)
async def research(run_id: str, workflow_id: str) -> None:
    """Work on a run until it ends or waits for the user."""
    await work_on_run("research", run_id, workflow_id, _ResearchWorkflow, Control())


class _ResearchWorkflow(RunWorkflow[ResearchRequest, ResearchRun, ResearchEvent, ResearchStatus, Steps]):
    """The work of one workflow on a run of research.

    All subtasks are searched for at once, and each page is read as soon as its address is known.
    """

    steps_type = Steps
    failed = ResearchStatus.FAILED
    _metrics = ResearchMetrics()
    _reported = Reported.NONE

    def __init__(self, service: AnyService, run: StoredResearch, workflow_id: str, control: Control) -> None:
        super().__init__(service, run, workflow_id, control)
        self._plan = Plan(subtasks=(), origin=PlanOrigin.RULES)
        self._subtasks: dict[int, Subtask] = {}
        self._sources: tuple[ResearchSource, ...] = ()
        self._ledgers: dict[int, tuple[str, ...]] = {}
        self._search_outcomes: list[StepOutcome] = []
        self._page_outcomes: list[StepOutcome] = []
        self._results: dict[int, tuple[SearchResult, ...]] = {}
        self._pages: dict[str, ReadOutcome | None] = {}
        """Outcomes of reading pages by key; None until a page was read or has failed."""
        self._queue: list[ResearchSource] = []
        """Sources whose pages are to be read, in turn."""
        self._opened: dict[str, ResearchSource] = {}
        """Sources whose pages are being or were read, as first found."""
        self._searching: dict[asyncio.Task[SearchOutcome], int] = {}
        """Numbers of the subtasks that are searched for."""
        self._reading: dict[asyncio.Task[ReadOutcome], str] = {}
        """Keys of the pages that are being read."""
        self._complete = False
        """True if ``_sources`` has the results of all searches."""

    async def _work(self) -> None:
        plan = await self._make_plan()
        if plan is None:
            return
        self._plan = plan
        self._subtasks = {subtask.number: replace(subtask, state=SubtaskState.WAITING) for subtask in plan.subtasks}
        await self._work_side_by_side()
        self._metrics = replace(
            self._metrics,
            search_duration_ms=_span_ms(self._search_outcomes),
            scrape_duration_ms=_span_ms(self._page_outcomes),
        )
        states = {subtask.state for subtask in self._current_plan()}
        if self._halted_by is not CommandKind.STOP and SubtaskState.FAILED in states and SubtaskState.DONE not in states:
            # Own documents may have been found, but they do not replace the web.
            self._publisher.add(_NOBODY_ASKED)
            await self._end(ResearchStatus.FAILED)
            return
        await self._write()

    async def _publish_status(self, status: ResearchStatus) -> None:
        self._publisher.add(_status(status))
        await self._publisher.flush()

    async def _make_plan(self) -> Plan | None:
        """Return the plan, or None if it waits for the user."""
        await self._publish_status(ResearchStatus.PLANNING)
        outcome = await self._step(PlanOutcome, self._steps.plan)
        if outcome.interrupted and self._halted_by is None:
            received = await self._step(CommandsOutcome, self._steps.listen, self._last_command)
            for command in received.commands:
                self._note_command(command)
        plan = outcome.plan
        if plan.failure is not None:
            self._publisher.add(plan.failure)
        self._metrics = replace(self._metrics, query_decomposition=outcome.duration_ms)
        for subtask in plan.subtasks:
            self._publisher.add(SubtaskPlanned(subtask=subtask))
        self._publisher.add(PlanMade(origin=plan.origin, note=plan.note, size=len(plan.subtasks)))
        if self._run.request.plan_first and CommandKind.GO_ON not in self._heard and self._halted_by is None:
            await self._publisher.save_and_publish(_status(ResearchStatus.PLANNED))
            return None
        return plan

    async def _write(self) -> None:
        stopped = self._halted_by is CommandKind.STOP
        if not stopped:
            await self._publish_status(ResearchStatus.WRITING)
        if not self._sources and not stopped:
            text = _NOTHING_FOUND if self._halted_by is None else _NOTHING_YET
            self._publisher.add(ReportWritten(text=text, by_model=False))
        else:
            outcome = await self._step(
                WriteOutcome, self._steps.write, self._current_plan(), self._sources, self._publisher.write_piece
            )
            self._metrics = replace(self._metrics, analysis_duration_ms=outcome.duration_ms)
            for event in (*outcome.failures, outcome.report):
                if event is not None:
                    self._publisher.add(event)
            self._reported = outcome.reported
            stopped = outcome.interrupted
        done = ResearchStatus.COMPLETE if self._halted_by is None else ResearchStatus.FINISHED_EARLY
        failed = self._publisher.run.by_model is None or self._publisher.run.unfinished
        await self._end(ResearchStatus.STOPPED if stopped else ResearchStatus.FAILED if failed else done)

    def _last_event(self, status: ResearchStatus, total_ms: float, at: datetime) -> ResearchEnded:
        subtasks = self._current_plan() or self._publisher.run.plan
        unwritten = self._reported is Reported.NONE
        unanswered = tuple(
            subtask.number for subtask in subtasks if unwritten or subtask.state is not SubtaskState.DONE or not subtask.found
        )
        return ResearchEnded(
            status=status,
            metrics=replace(self._metrics, total_ms=total_ms),
            coverage=coverage(
                subtasks,
                self._ledgers,
                self._sources,
                unanswered,
                reported=self._reported,
                excerpted=len(self._publisher.run.excerpted),
            ),
            unanswered=unanswered,
            at=at,
        )

    def _current_plan(self) -> tuple[Subtask, ...]:
        return tuple(subtask for _, subtask in sorted(self._subtasks.items()))

    def _begin(self) -> None:
        if self._halted_by is None:
            self._publisher.add(_status(ResearchStatus.SEARCHING))
        self._listen()
        for number in self._subtasks:
            self._search(number)

    def _under_way(self) -> list[asyncio.Task[StepOutcome]]:
        return [*self._searching, *self._reading]

    async def _wait_for_next(self) -> None:
        if not self._searching and not self._complete:
            self._complete = True
            self._sources = tuple(map(self._with_page, await self._merge()))
            self._publisher.add(SourcesComplete(sources=self._sources))
            if self._sources and self._halted_by is None:
                self._publisher.add(_status(ResearchStatus.READING))
            self._read_pages(self._sources)
        await super()._wait_for_next()

    async def _take(self, done: Collection[Awaitable[StepOutcome]]) -> None:
        for search in [task for task in self._searching if task in done]:
            await self._take_results(self._searching.pop(search), search.result())
        for page in [task for task in self._reading if task in done]:
            self._take_page(self._reading.pop(page), page.result())

    def _leave_out(self) -> None:
        for subtask in self._current_plan():
            if subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING):
                self._change(replace(subtask, state=SubtaskState.LEFT_OUT))

    def _search(self, number: int) -> None:
        if self._halted_by is None:
            subtask = self._subtasks[number]
            self._searching[start_step(SearchOutcome, self._now, self._steps.search, subtask.text)] = number
            self._change(replace(subtask, state=SubtaskState.SEARCHING))

    def _change(self, subtask: Subtask) -> None:
        self._subtasks[subtask.number] = subtask
        self._publisher.add(SubtaskPlanned(subtask=subtask))

    async def _take_results(self, number: int, outcome: SearchOutcome) -> None:
        self._search_outcomes.append(outcome)  # an interrupted search took time, too
        if outcome.interrupted:
            return
        results = outcome.results
        own = sum(result.own for result in results)
        subtask = replace(
            self._subtasks[number],
            state=outcome.state,
            found=len(results),
            own=own,
            failure=outcome.failure,
            below_threshold=outcome.below_threshold,
            scorer=outcome.scorer,
        )
        self._subtasks[subtask.number] = subtask
        self._results[subtask.number] = results
        self._ledgers[subtask.number] = outcome.ledger
        merged = await self._merge()
        self._publisher.add(
            SourcesUpdated(subtask=subtask, count=len(merged), domains=domain_counts(merged), ledger=outcome.ledger)
        )
        self._read_pages([source for source in merged if subtask.number in source.subtasks])

    async def _merge(self) -> tuple[ResearchSource, ...]:
        return await asyncio.to_thread(merge_sources, dict(self._results))

    def _read_pages(self, sources: Sequence[ResearchSource]) -> None:
        for source in sources:
            key = source_key(source)
            if self._halted_by is None and key not in self._pages:
                self._pages[key] = None
                self._queue.append(source)
        self._read_next()

    def _read_next(self) -> None:
        """Read the next queued pages; each is published when its reading starts."""
        while self._halted_by is None and self._queue and len(self._reading) < self._parts.limits.fetches_at_once:
            source = self._queue.pop(0)
            key = source_key(source)
            self._opened[key] = replace(source, number=0)
            self._reading[start_step(ReadOutcome, self._now, self._steps.page, source.url, source.own)] = key
            self._publish_page(key)

    def _with_page(self, source: ResearchSource) -> ResearchSource:
        """Return *source* with the state of its page."""
        key = source_key(source)
        outcome = self._pages.get(key)
        if outcome is None:
            return replace(source, reading=key in self._reading.values())
        dated = replace(source, publish_date=source.publish_date or outcome.published)
        return replace(dated, read=outcome.read, failure=outcome.failure, shortened=outcome.shortened, reading=False)

    def _take_page(self, key: str, outcome: ReadOutcome) -> None:
        self._page_outcomes.append(outcome)
        if not outcome.interrupted:
            self._pages[key] = outcome
        self._publish_page(key)
        self._read_next()

    def _publish_page(self, key: str) -> None:
        """Publish the state of the page of *key*, with its source's number once there is one."""
        listed = next((source for source in self._sources if source_key(source) == key), None)
        source = self._with_page(listed or self._opened[key])
        self._sources = tuple(source if other is listed else other for other in self._sources)
        self._publisher.add(SourceRead(source=source))
