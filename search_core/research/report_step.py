"""The step that writes the report: pieces go to the stream as they come, a few times a second."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from search_core.domain import ContentChunk, ReportWritten, ResearchFailed, ResearchSource, Subtask
from search_core.research.control import Control, Interrupted, run_until
from search_core.research.event_json import encode
from search_core.research.evidence import Material
from search_core.research.failures import failed_report
from search_core.research.loops import iterate_on
from search_core.research.patience import patiently
from search_core.research.steps import key_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from search_core.domain import ResearchRequest
    from search_core.research.engine import Engine

logger = logging.getLogger(__name__)

FLUSH_S = 0.2


class Draft:
    """Collects a report as it is written, and tells of it in few pieces."""

    def __init__(self, tell: Callable[[ContentChunk], Awaitable[None]]) -> None:
        self._tell = tell
        self._news = asyncio.Event()
        self._told = 0
        self._turn = asyncio.Lock()
        self.text = ""

    def add(self, piece: str) -> None:
        """Add *piece*."""
        self.text += piece
        self._news.set()

    async def flush(self) -> None:
        """Tell what was not told yet."""
        async with self._turn:
            told, self._told = self._told, len(self.text)
            if self._told > told:
                await self._tell(ContentChunk(text=self.text[told : self._told], begins=told == 0))

    async def keep_flushing(self) -> None:
        """Tell the first piece at once and what comes after it every ``FLUSH_S`` seconds, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            await asyncio.shield(self.flush())
            await asyncio.sleep(FLUSH_S)


class ReportStep:
    """Writes the report of one run."""

    def __init__(self, engine: Engine, run_id: str, request: ResearchRequest, control: Control) -> None:
        self._engine = engine
        self._run_id = run_id
        self._request = request
        self._control = control
        self._report: ReportWritten | None = None
        self._failures: list[ResearchFailed] = []

    async def write(
        self, plan: tuple[Subtask, ...], sources: tuple[ResearchSource, ...], tell: Callable[[ContentChunk], Awaitable[None]]
    ) -> dict[str, Any]:
        """Return the report, which is none when it failed altogether, and the failures on the way to it.

        Pieces are told meanwhile; those of an attempt that the death of the process cut off stand before those of the next.
        """
        begun = self._engine.parts.now()
        material = await patiently(self._material, plan, sources)
        draft = Draft(tell)
        cut = False
        try:
            await run_until(self._written(material, draft), self._control.stop)
        except Interrupted:
            cut = True
            self._report = await asyncio.to_thread(self._engine.parts.writer.stopped, material, draft.text)
        except Exception as error:
            logger.exception("A report failed")
            self._failures.append(failed_report(error))
            self._report = None
        return {
            "cut": cut,
            "report": None if self._report is None else encode(self._report),
            "so_far": draft.text,
            "failures": [encode(each) for each in self._failures],
            "begun": begun,
            "ended": self._engine.parts.now(),
        }

    async def _written(self, material: Material, draft: Draft) -> None:
        flushing = asyncio.create_task(draft.keep_flushing())
        try:
            async with aclosing(iterate_on(self._engine.loop, self._engine.parts.writer.write(material))) as events:
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
        found = self._engine.store.find(self._run_id, [key_of(source) for source in sources if source.read])
        pages = {source.number: found[key_of(source)]["text"] for source in sources if source.read and key_of(source) in found}
        now = datetime.fromtimestamp(self._engine.parts.now(), UTC)
        return Material(request=self._request, plan=plan, sources=sources, pages=pages, now=now)
