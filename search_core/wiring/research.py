"""Deep research, put together when it is first asked for."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import Question, ResearchRequest, SearchReport
from search_core.pipeline import SearchPipeline
from search_core.runtime import LoopThread
from search_core.wiring.house import House
from search_core.wiring.options import default_options

if TYPE_CHECKING:
    from search_core.research import Plan
    from search_core.research.desk import ResearchDesk

SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""


class LateResearch:
    """Makes the one research desk of a process when it is first asked for: what it brings takes a second to import."""

    def __init__(self, house: House, loop: LoopThread) -> None:
        self._house = house
        self._loop = loop
        self._lock = threading.Lock()
        self._desk: ResearchDesk | None = None

    def __call__(self, *, works: bool | None = None) -> ResearchDesk:
        """Return the desk; the first call says whether it *works* on runs, the settings where it does not say so."""
        with self._lock:
            if self._desk is None:
                here = self._house.settings.research_works_here
                self._desk = self._made(works=here if works is None else works)
            return self._desk

    def _made(self, *, works: bool) -> ResearchDesk:
        from search_core.research import Planner, ReportWriter
        from search_core.research.desk import ResearchDesk
        from search_core.research.parts import ResearchLimits, ResearchParts

        house, answering = self._house, self._house.answering
        limits = ResearchLimits.of(house.settings)
        stages = replace(answering.stages, results_per_provider=limits.results_per_subtask)
        pipeline = SearchPipeline(stages)
        options = default_options(house.settings)
        options = replace(options, first=SEARCHED_FIRST, ranking=replace(options.ranking, max_results=limits.results_per_subtask))

        async def search(text: str, request: ResearchRequest) -> SearchReport:
            chosen = replace(options, use_cache=not request.fresh)
            return await pipeline.run(Question(text=text, video=request.video), chosen, lambda _: None)

        planner = Planner(answering.model, answering.scorer)

        async def plan(request: ResearchRequest) -> Plan:
            house.pages.get_ready()
            return await planner.plan(request)

        parts = ResearchParts(
            plan=plan,
            search=search,
            read=house.pages.read,
            writer=ReportWriter(answering.model, answering.scorer, max_content_length=limits.content_length),
            labels=answering.labels,
            limits=limits,
        )
        return ResearchDesk(parts, house.database, self._loop, works=works)

    def close(self) -> None:
        """Leave what is under way to the next process."""
        with self._lock:
            if self._desk is not None:
                self._desk.close()
