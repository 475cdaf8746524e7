"""The step that writes the report: pieces go to the stream as they come, a few times a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import UTC, datetime

from search_core.domain import ContentChunk, ReportWritten, ResearchFailed, ResearchRequest, ResearchSource, Subtask
from search_core.durable_runs.attempt import WorkFailedError, attempt
from search_core.durable_runs.control import Control, Interrupted, run_until
from search_core.durable_runs.storage_faults import DATABASE_FAULTS, retry_storage
from search_core.research.coverage import Reported
from search_core.research.evidence import Material
from search_core.research.failures import failed_report
from search_core.research.findings import PAGE, source_key
from search_core.research.outcomes import WriteOutcome
from search_core.research.steps import ResearchKind
from search_core.runtime import iterate_on

logger = logging.getLogger(__name__)

FLUSH_S = 0.2
_UNFINISHED = "보고서를 끝까지 쓰지 못했어요. 여기까지 쓴 글이에요."


class Draft:
    """Collects a report as it is written, and publishes it in few pieces."""

    def __init__(self, publish: Callable[[ContentChunk], Awaitable[None]]) -> None:
        self._publish = publish
        self._changed = asyncio.Event()
        self._published = 0
        """Characters of the text."""
        self._flushing = asyncio.Lock()
        self.text = ""

    def add(self, piece: str) -> None:
        """Add *piece*."""
        self.text += piece
        self._changed.set()

    async def flush(self) -> None:
        """Publish what was not published yet."""
        async with self._flushing:
            begin, self._published = self._published, len(self.text)
            if self._published > begin:
                try:
                    await self._publish(ContentChunk(text=self.text[begin : self._published], begins=begin == 0))
                except DATABASE_FAULTS as error:  # readers see it with the next pieces, or with the whole report
                    self._published = begin
                    logger.warning("A piece of a report waits for the database: %s", type(error).__name__)

    async def keep_flushing(self) -> None:
        """Publish the first piece at once and what comes after it every ``FLUSH_S`` seconds, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            await asyncio.shield(self.flush())
            await asyncio.sleep(FLUSH_S)


class ReportStep:
    """Writes the report of one run."""

    def __init__(self, kind: ResearchKind, run_id: str, request: ResearchRequest, control: Control) -> None:
        self._kind = kind
        self._run_id = run_id
        self._request = request
        self._control = control
        self._report: ReportWritten | None = None
        self._failures: list[ResearchFailed] = []

    async def write(
        self, plan: tuple[Subtask, ...], sources: tuple[ResearchSource, ...], publish: Callable[[ContentChunk], Awaitable[None]]
    ) -> WriteOutcome:
        """Write the report and return it, or as much of it as was written.

        Pieces are published meanwhile; when the process dies, its pieces stand in the stream before those of the next attempt.
        """
        writer = self._kind.parts.writer
        material = await retry_storage(self._material, plan, sources)
        draft = Draft(publish)
        try:
            await attempt(run_until(self._consume(material, draft), self._control.stop))
        except Interrupted:
            stopped = await asyncio.to_thread(writer.finish_stopped, material, draft.text)
            reported = Reported.NONE if stopped.empty else Reported.PART
            return WriteOutcome(report=stopped.report, reported=reported, failures=tuple(self._failures), interrupted=True)
        except WorkFailedError as failed:  # what was found and written outlasts it
            logger.error("A report failed", exc_info=failed.cause)
            self._failures.append(failed_report(failed.cause))
            self._report = None
        if self._report is None and draft.text:
            self._report = ReportWritten(text=draft.text, by_model=True, note=_UNFINISHED, unfinished=True)
        return WriteOutcome(report=self._report, reported=_how_reported(self._report), failures=tuple(self._failures))

    async def _consume(self, material: Material, draft: Draft) -> None:
        flushing = asyncio.create_task(draft.keep_flushing())
        try:
            async with aclosing(iterate_on(self._kind.loop, self._kind.parts.writer.write(material))) as events:
                async for event in events:
                    match event:
                        case ContentChunk():
                            draft.add(event.text)
                        case ReportWritten():
                            self._report = event
                        case ResearchFailed():
                            self._failures.append(event)
        finally:
            flushing.cancel()
            await asyncio.gather(flushing, return_exceptions=True)
            await draft.flush()

    def _material(self, plan: tuple[Subtask, ...], sources: tuple[ResearchSource, ...]) -> Material:
        keys = {source.number: source_key(source) for source in sources if source.read}
        found = self._kind.store.find(self._run_id, list(keys.values()))
        pages = {number: PAGE.read(found[key])[0].text for number, key in keys.items() if key in found}
        now = datetime.fromtimestamp(self._kind.parts.now(), UTC)
        return Material(request=self._request, plan=plan, sources=sources, pages=pages, now=now)


def _how_reported(report: ReportWritten | None) -> Reported:
    if report is None:
        return Reported.NONE
    return Reported.PART if report.unfinished else Reported.WHOLE
