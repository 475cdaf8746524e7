"""Deep research, put together when it is first asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import Question, ResearchRequest, SearchReport
from search_core.pipeline import SearchPipeline
from search_core.wiring.components import Components
from search_core.wiring.options import default_options

if TYPE_CHECKING:
    from search_core.durable_runs.run_service import DurableRuns
    from search_core.research import Plan
    from search_core.research.service import ResearchService

SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""
LIBRARY = "library"
"""Asked by name where no such service is set up: then its reply says so."""


def build_research(components: Components, runs: DurableRuns) -> ResearchService:
    """Return the research service of a process, one of the kinds of its *runs*."""
    from search_core.research import Planner, ReportWriter
    from search_core.research.parts import ResearchLimits, ResearchParts
    from search_core.research.service import ResearchService

    answering = components.answering
    limits = ResearchLimits.of(components.settings)
    stages = replace(answering.stages, results_per_provider=limits.results_per_subtask)
    pipeline = SearchPipeline(stages)
    options = default_options(components.settings)
    options = replace(options, first=SEARCHED_FIRST, ranking=replace(options.ranking, max_results=limits.results_per_subtask))

    own = tuple(name for name, provider in components.providers.items() if not provider.web) or (LIBRARY,)

    def get_ready() -> None:
        components.pages.get_ready()
        components.warm.start()

    async def search(text: str, request: ResearchRequest) -> SearchReport:
        await asyncio.to_thread(components.warm.wait)
        chosen = replace(options, use_cache=not request.fresh)
        if request.own_only:
            chosen = replace(chosen, providers=own, first=())
        return await pipeline.run(Question(text=text, video=request.video), chosen, lambda _: None)

    planner = Planner(answering.model, answering.scorer)

    async def plan(request: ResearchRequest) -> Plan:
        get_ready()  # a worker, or a process that took the run over, has started none itself
        return await planner.plan(request)

    parts = ResearchParts(
        plan=plan,
        search=search,
        read=components.pages.read,
        read_own=components.pages.read_document,
        writer=ReportWriter(
            answering.model,
            answering.scorer,
            answering.flow.detector,
            max_content_length=limits.content_length,
            max_total_length=components.settings.research_max_total_length,
            may_send_own=components.settings.may_send_own_documents,
        ),
        labels=answering.labels,
        limits=limits,
        get_ready=get_ready,
    )
    return ResearchService(parts, runs)
