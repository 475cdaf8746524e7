"""Deep research, put together when it is first asked for."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import Question, ResearchRequest, SearchReport
from search_core.pipeline import SearchPipeline
from search_core.runtime import LoopThread
from search_core.wiring.components import Components
from search_core.wiring.options import default_options

if TYPE_CHECKING:
    from search_core.research import Plan
    from search_core.research.service import ResearchService

SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""
LIBRARY = "library"
"""Asked by name where no such service is set up: then its reply says so."""


class LateResearch:
    """Makes the one research desk of a process when it is first asked for: what it brings takes a second to import."""

    def __init__(self, house: Components, loop: LoopThread) -> None:
        self._house = house
        self._loop = loop
        self._lock = threading.Lock()
        self._desk: ResearchService | None = None

    def __call__(self, *, works: bool | None = None) -> ResearchService:
        """Return the desk; the first call says whether it *works* on runs, the settings where it does not say so."""
        with self._lock:
            if self._desk is None:
                here = self._house.settings.research_works_here
                self._desk = self._made(works=here if works is None else works)
            return self._desk

    def get_ready(self) -> None:
        """Begin to get ready what runs search and read with, and return at once; a second time does nothing."""
        self._house.pages.get_ready()
        self._house.warm.start()

    def _made(self, *, works: bool) -> ResearchService:
        from search_core.research import Planner, ReportWriter
        from search_core.research.parts import ResearchLimits, ResearchParts
        from search_core.research.service import ResearchService

        house, answering = self._house, self._house.answering
        limits = ResearchLimits.of(house.settings)
        stages = replace(answering.stages, results_per_provider=limits.results_per_subtask)
        pipeline = SearchPipeline(stages)
        options = default_options(house.settings)
        options = replace(options, first=SEARCHED_FIRST, ranking=replace(options.ranking, max_results=limits.results_per_subtask))

        own = tuple(name for name, provider in house.providers.items() if not provider.web) or (LIBRARY,)

        async def search(text: str, request: ResearchRequest) -> SearchReport:
            await asyncio.to_thread(house.warm.wait)
            chosen = replace(options, use_cache=not request.fresh)
            if request.own_only:
                chosen = replace(chosen, providers=own, first=())
            return await pipeline.run(Question(text=text, video=request.video), chosen, lambda _: None)

        planner = Planner(answering.model, answering.scorer)

        async def plan(request: ResearchRequest) -> Plan:
            self.get_ready()  # a worker, or a process that took the run over, has started none itself
            return await planner.plan(request)

        parts = ResearchParts(
            plan=plan,
            search=search,
            read=house.pages.read,
            read_own=house.pages.read_document,
            writer=ReportWriter(
                answering.model,
                answering.scorer,
                max_content_length=limits.content_length,
                max_total_length=house.settings.research_max_total_length,
                may_send_own=house.settings.may_send_own_documents,
            ),
            labels=answering.labels,
            limits=limits,
            get_ready=self.get_ready,
        )
        return ResearchService(parts, house.database, self._loop, works=works)

    def close(self) -> None:
        """Leave what is under way to the next process."""
        with self._lock:
            if self._desk is not None:
                self._desk.close()
