"""The steps of a run: each does one thing, stores its findings and returns a typed outcome, also of a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar

from search_core.domain.report import SearchReport
from search_core.domain.research import (
    STOPPED_MARKER,
    ContentChunk,
    ReportWritten,
    ResearchRequest,
    ResearchSource,
    Subtask,
    SubtaskState,
)
from search_core.domain.result import SearchResult
from search_core.domain.run import RunFailed
from search_core.errors import MaekrakError, PageFailure, PageReadError
from search_core.research.coverage import Reported
from search_core.research.evidence import Material
from search_core.research.parts import RESEARCH, ResearchParts, StoredResearch
from search_core.research.planning import whole_question
from search_core.research.store import (
    PAGE,
    PLAN,
    PLAN_KEY,
    SEARCH,
    PageText,
    PlanOutcome,
    ReadOutcome,
    SearchOutcome,
    WriteOutcome,
    page_key,
    search_key,
    source_key,
)
from search_core.runs.control import CancelledByUser, Control, WorkFailedError, attempt, run_until
from search_core.runs.engine import DATABASE_FAULTS, retry_storage
from search_core.runs.run_workflow import RunSteps
from search_core.runs.store import AnyService
from search_core.runtime import iterate_on, run_on
from search_core.search.presenting.ledger import ledger, unanswered, without_pauses
from search_core.search.ranking.filter import in_order

logger = logging.getLogger(__name__)
T = TypeVar("T")

_NOBODY = "어느 웹 검색 서비스에도 물어보지 못했어요."
_NOTHING = "웹에서는 찾은 것이 없어요."
_NOT_RELEVANT = "웹에서 찾은 것은 관련이 적어 쓰지 않았어요."
_UNFINISHED = "보고서를 끝까지 쓰지 못했어요. 여기까지 쓴 글이에요."
_PLAN_FAILED = (
    "The question could not be decomposed because of an unexpected error.",
    "질문을 나누다가 예상하지 못한 문제가 생겼어요. 질문을 그대로 조사해요.",
)
FLUSH_S = 0.2


class ReportBuffer:
    """Collects a report and its failures as it is written; publishes it in a few pieces."""

    def __init__(self, publish: Callable[[ContentChunk], Awaitable[None]]) -> None:
        self._publish = publish
        self._changed = asyncio.Event()
        self._published = 0
        """Characters of the text."""
        self._flushing = asyncio.Lock()
        self.text = ""
        self.report: ReportWritten | None = None
        self.failures: list[RunFailed] = []

    def add(self, piece: str) -> None:
        """Add *piece*."""
        self.text += piece
        self._changed.set()

    async def flush(self) -> None:
        """Publish the unpublished text."""
        async with self._flushing:
            begin, self._published = self._published, len(self.text)
            if self._published > begin:
                try:
                    await self._publish(ContentChunk(text=self.text[begin : self._published], begins=begin == 0))
                except DATABASE_FAULTS as error:  # readers see it with the next pieces, or with the whole report
                    self._published = begin
                    logger.warning("A piece of a report waits for the database: %s", type(error).__name__)

    async def keep_flushing(self) -> None:
        """Publish the first piece at once and later ones every ``FLUSH_S`` seconds, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            await asyncio.shield(self.flush())
            await asyncio.sleep(FLUSH_S)


class Steps(RunSteps):
    """The steps of one workflow of a run."""

    _parts: ResearchParts
    _request: ResearchRequest
    _control: Control

    def __init__(self, service: AnyService, run: StoredResearch, control: Control) -> None:
        super().__init__(service, run, control)
        self._limits = self._parts.limits

    async def plan(self) -> PlanOutcome:
        """Return the stored plan, or make one and store it."""
        stored = await self._find(PLAN_KEY, PLAN)
        if stored is not None:
            return PlanOutcome(plan=stored)
        try:
            plan = await attempt(self._until_finish(lambda: self._parts.plan(self._request), self._limits.plan_timeout_s))
        except CancelledByUser:
            how = "중지했어요" if self._control.stop.is_set() else "마무리했어요"
            return PlanOutcome(plan=whole_question(self._request, f"계획을 세우기 전에 {how}."), interrupted=True)
        except WorkFailedError as failed:
            logger.warning("The plan failed (%s); the question itself is the plan", failed)
            failure = RESEARCH.failure(failed.cause, *_PLAN_FAILED)
            plan = whole_question(self._request, "계획을 세우지 못해서 질문을 그대로 조사해요.", failure)
        await self._save(PLAN_KEY, PLAN, replace(plan, failure=None))
        return PlanOutcome(plan=plan)

    async def search(self, text: str) -> SearchOutcome:
        """Search for a subtask."""
        key = search_key(text)
        stored = await self._find(key, SEARCH)
        if stored is not None:
            return stored
        try:
            report = await attempt(
                self._until_finish(lambda: self._parts.search(text, self._request), self._limits.search_timeout_s)
            )
        except CancelledByUser:
            return SearchOutcome(interrupted=True)
        except WorkFailedError as failed:
            expected = isinstance(failed.cause, MaekrakError | TimeoutError)
            logger.warning("The search for a subtask failed: %s", failed, exc_info=None if expected else failed.cause)
            return SearchOutcome(state=SubtaskState.FAILED, failure=failed.korean or _NOBODY)
        outcome = self._search_outcome(report)
        if outcome.state is SubtaskState.DONE:
            await self._save(key, SEARCH, outcome)
        return outcome

    def _search_outcome(self, report: SearchReport) -> SearchOutcome:
        results = tuple(in_order(report.results)[: self._limits.results_per_subtask])
        state, failure = _web_state(report, results)
        replies = without_pauses(report.replies)
        services = tuple(line.korean for line in ledger(replies, self._parts.labels, report.created_at))
        below = sum(not result.own for result in report.hidden_below)
        return SearchOutcome(
            state=state, failure=failure, ledger=services, results=results, below_threshold=below, scorer=report.scorer
        )

    async def page(self, url: str, own: bool) -> ReadOutcome:
        """Read the page or library document at *url*, and store its text."""
        key = page_key(url, own=own)
        stored = await self._find(key, PAGE)
        if stored is not None:
            return ReadOutcome(read=True, shortened=stored.shortened, published=stored.published)
        try:
            page = await attempt(run_until(self._read(url, own=own), self._control.finish))
        except CancelledByUser:
            return ReadOutcome(interrupted=True)
        except WorkFailedError as failed:
            return ReadOutcome(failure=_page_failure(failed.cause).value)
        await self._save(key, PAGE, page)
        return ReadOutcome(read=True, shortened=page.shortened, published=page.published)

    async def _read(self, url: str, *, own: bool) -> PageText:
        read = self._parts.read_own if own and self._parts.read_own is not None else self._parts.read
        async with asyncio.timeout(self._limits.page_timeout_s):
            page = await run_on(self._loop, lambda: read(url))
        if not page.text[: self._limits.content_length].strip():
            raise PageReadError(PageFailure.UNREADABLE, "The page holds no text.", korean="페이지에서 글을 찾지 못했어요.")
        most = self._limits.content_length
        return PageText(text=page.text[:most], shortened=len(page.text) > most, published=page.published)

    async def write(
        self, plan: tuple[Subtask, ...], sources: tuple[ResearchSource, ...], publish: Callable[[ContentChunk], Awaitable[None]]
    ) -> WriteOutcome:
        """Write the report and return as much of it as was written.

        Pieces are published meanwhile; if the process dies, its pieces stay in the stream before those of the next attempt.
        """
        material = await retry_storage(self._material, plan, sources)
        draft = ReportBuffer(publish)
        try:
            await attempt(run_until(self._consume(material, draft), self._control.stop))
        except CancelledByUser:
            stopped = await asyncio.to_thread(self._parts.writer.finish_stopped, material, draft.text)
            reported = Reported.NONE if stopped.text == STOPPED_MARKER else Reported.PART
            return WriteOutcome(report=stopped, reported=reported, failures=tuple(draft.failures), interrupted=True)
        except WorkFailedError as failed:  # findings and the text so far are kept
            logger.error("A report failed", exc_info=failed.cause)
            draft.failures.append(RESEARCH.failure(failed.cause))
            draft.report = None
        report = draft.report
        if report is None and draft.text:
            report = ReportWritten(text=draft.text, by_model=True, note=_UNFINISHED, unfinished=True)
        reported = Reported.NONE if report is None else Reported.PART if report.unfinished else Reported.WHOLE
        return WriteOutcome(report=report, reported=reported, failures=tuple(draft.failures))

    async def _consume(self, material: Material, draft: ReportBuffer) -> None:
        flushing = asyncio.create_task(draft.keep_flushing())
        try:
            async with aclosing(iterate_on(self._loop, self._parts.writer.write(material))) as events:
                async for event in events:
                    match event:
                        case ContentChunk():
                            draft.add(event.text)
                        case ReportWritten():
                            draft.report = event
                        case RunFailed():
                            draft.failures.append(event)
        finally:
            flushing.cancel()
            await asyncio.gather(flushing, return_exceptions=True)
            await draft.flush()

    def _material(self, plan: tuple[Subtask, ...], sources: tuple[ResearchSource, ...]) -> Material:
        keys = {source.number: source_key(source) for source in sources if source.read}
        findings = self._store.find(self._run_id, list(keys.values()))
        pages = {number: PAGE.read(findings[key])[0].text for number, key in keys.items() if key in findings}
        now = datetime.fromtimestamp(self._parts.now(), UTC)
        return Material(request=self._request, plan=plan, sources=sources, pages=pages, now=now)

    async def _until_finish(self, work: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        async def bounded() -> T:
            async with asyncio.timeout(timeout_s):
                return await run_on(self._loop, work)

        return await run_until(bounded(), self._control.finish)


def _page_failure(error: Exception) -> PageFailure:
    """Return why a page could not be read, and log unexpected failures."""
    if isinstance(error, PageReadError | TimeoutError):
        failure = error.kind if isinstance(error, PageReadError) else PageFailure.TIMEOUT
        logger.info("A page of research was not read (%s)", failure)
        return failure
    logger.error("A page of research was not read, unexpectedly", exc_info=error)
    return PageFailure.UNREADABLE


def _web_state(report: SearchReport, results: Sequence[SearchResult]) -> tuple[SubtaskState, str]:
    """Return the state of a subtask after its search, and a sentence if the web gave no results."""
    if report.web_unavailable:
        return SubtaskState.FAILED, _NOBODY
    if not all(result.own for result in results):
        return SubtaskState.DONE, ""
    has_results = any(reply.results for reply in report.replies if reply.web)
    return SubtaskState.DONE, f"{unanswered(report.replies)} {_NOT_RELEVANT if has_results else _NOTHING}".strip()
