"""The long runs of a process: deep research and checks of claims, over one database and one engine; and the claims of videos."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from search_core.claims import find_claims, rewrite_claims
from search_core.claims.checking import JUDGEMENTS_PER_CLAIM, SEARCHES_PER_CLAIM
from search_core.domain import ClaimsBudget, FoundClaims, JudgingCost, Question, ResearchRequest, SearchReport, VideoContext
from search_core.pipeline import SearchPipeline
from search_core.runtime import LoopThread
from search_core.stance.language_model import MAX_TOKENS_A_REQUEST
from search_core.wiring.answers import CHECKED_FIRST
from search_core.wiring.components import Components
from search_core.wiring.options import default_options

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService
    from search_core.durable_runs.run_service import DurableRuns
    from search_core.research import Plan
    from search_core.research.service import ResearchService

SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""
LIBRARY = "library"
"""Asked by name where no such service is set up: then its reply says so."""
MODEL_WAIT_S = 1.0
"""What a model of meaning that is loading is waited for: the one that ships takes about as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRuns:
    """Holds the services of one process that work on long runs."""

    runs: DurableRuns
    research: ResearchService
    claims: ClaimsService


def build_long_runs(components: Components, loop: LoopThread, *, works: bool) -> LongRuns:
    """Return the services of a process, which itself *works* on runs or only starts and follows them."""
    from search_core.durable_runs.run_service import DurableRuns

    runs = DurableRuns(components.database, loop, works=works)
    return LongRuns(runs=runs, research=_build_research(components, runs), claims=_build_claims(components, runs))


def _build_research(components: Components, runs: DurableRuns) -> ResearchService:
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

    async def search(text: str, request: ResearchRequest) -> SearchReport:
        await asyncio.to_thread(components.warm.wait)
        chosen = replace(options, use_cache=not request.fresh)
        if request.own_only:
            chosen = replace(chosen, providers=own, first=())
        return await pipeline.run(Question(text=text, video=request.video), chosen, lambda _: None)

    planner = Planner(answering.model, answering.scorer)

    async def plan(request: ResearchRequest) -> Plan:
        _get_ready(components)  # a worker, or a process that took the run over, has started none itself
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
        get_ready=lambda: _get_ready(components),
    )
    return ResearchService(parts, runs)


def _build_claims(components: Components, runs: DurableRuns) -> ClaimsService:
    from search_core.claims.parts import ClaimsLimits, ClaimsParts
    from search_core.claims.service import ClaimsService

    settings, providers, manager = components.settings, components.providers, components.manager

    def budget(claims: int) -> ClaimsBudget:
        asked = manager.first_asked(CHECKED_FIRST)
        searches, paid = claims * len(asked), claims * sum(providers[name].paid for name in asked)
        judgements = claims * JUDGEMENTS_PER_CLAIM if asked and components.answering.claims.web.judge is not None else 0
        return ClaimsBudget(
            claims=claims,
            searches=searches * SEARCHES_PER_CLAIM,
            paid=paid * SEARCHES_PER_CLAIM,
            pages=claims * settings.check_online_pages,
            judging=JudgingCost(requests=judgements, tokens=judgements * MAX_TOKENS_A_REQUEST),
            least_searches=searches,
            least_paid=paid,
        )

    parts = ClaimsParts(
        checker=components.answering.claims,
        budget=budget,
        get_ready=lambda: _get_ready(components),
        limits=ClaimsLimits.of(settings),
    )
    return ClaimsService(parts, runs)


def _get_ready(components: Components) -> None:
    """Begin to get ready what runs need, and return at once."""
    components.pages.get_ready()
    components.warm.start()


async def find_claims_of(components: Components, video: VideoContext, *, worded: bool) -> FoundClaims:
    """Return the claims of *video*, worded and weighed by the language model where there is one and *worded* wants it.

    A model of meaning that is not ready soon is done without.
    """
    components.embedders.start()
    found = await asyncio.to_thread(lambda: find_claims(video, components.embedders.wait(MODEL_WAIT_S)))
    model = components.answering.model
    if not worded or model is None or not model.available() or not found.claims:
        return found
    return await rewrite_claims(found, video, model)
