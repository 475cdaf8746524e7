"""The services of a process, each assembled when it is first asked for."""

from __future__ import annotations

import asyncio
import math
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from search_core.checking.verdicts.language_model import MAX_TOKENS_A_REQUEST
from search_core.domain.claim import ClaimsBudget, FoundClaims
from search_core.domain.report import Question, SearchReport
from search_core.domain.research import ResearchRequest
from search_core.domain.stance import JudgingCost
from search_core.domain.video import VideoContext
from search_core.language.vectors import Embedder
from search_core.runtime import Lazy, LoopThread
from search_core.search.pipeline import SearchPipeline
from search_core.wiring.answers import CHECKED_FIRST, Answering, build_answering
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.answers.chat.chat import Chat
    from search_core.checking.claims.service import ClaimsService
    from search_core.research.planning import Plan
    from search_core.research.service import ResearchService
    from search_core.runs.run_service import DurableRuns
    from search_core.speech.service import TranscriptionService
    from search_core.storage.stored_searches import StoredSearches

SECTION_LEVEL = 4
"""Level of a research report's headings in a conversation's file."""
_PIECE_LIMIT_S = 600.0
"""Time limit for the recognition of one piece of sound, or for its next words if they come one by one."""


class LongRuns(NamedTuple):
    """Holds the services of one process that work on long runs."""

    runs: DurableRuns
    research: ResearchService
    claims: ClaimsService


class Services:
    """The services of a process, each built on first use, as each imports packages that a search does not need."""

    def __init__(self, components: Components, loop: LoopThread) -> None:
        self._parts, self._loop = components, loop
        self.works = components.settings.research_works_here
        """Whether this process works on runs, or only starts and follows them."""
        self.answering = Lazy(lambda: build_answering(components))
        self.long_runs = Lazy(self._build_long_runs)
        self.chat = Lazy(self._build_chat)
        self.stored_searches = Lazy(self._build_stored_searches)
        self.transcription = Lazy(self._build_transcription)

    def _build_chat(self) -> Chat:
        from search_core.answers.chat.chat import Chat, ChatParts
        from search_core.research.export import markdown_section
        from search_core.storage.conversations import ConversationStore

        answering = self.answering()
        return Chat(
            ChatParts(
                loop=self._loop,
                store=ConversationStore(self._parts.database),
                answers=answering.flow,
                check=answering.checks.check,
                load_run=lambda run_id, owner: self.long_runs().research.get(run_id, owner),
                run_text=lambda run: markdown_section(run, SECTION_LEVEL),
                web_configured=answering.web_configured,
            )
        )

    def _build_transcription(self) -> TranscriptionService:
        from search_core.models.llm.speech_recogniser import EndpointRecogniser
        from search_core.speech.service import TranscriptionService
        from search_core.speech.whisper import WhisperRecogniser

        settings = self._parts.settings
        endpoint = EndpointRecogniser(settings, limit_s=_PIECE_LIMIT_S)
        whisper = WhisperRecogniser(settings.whisper_model, limit_s=_PIECE_LIMIT_S)
        work = settings.maekrak_data_dir / "transcription" / "work"
        return TranscriptionService(self._loop, (endpoint, whisper), work, self._parts.transcripts)

    def _build_stored_searches(self) -> StoredSearches:
        from search_core.storage.stored_searches import StoredSearches

        settings, providers = self._parts.settings, self._parts.providers
        return StoredSearches(
            self._parts.database,
            keeps=settings.search_history,
            storable=lambda name: name not in providers or providers[name].storable,
        )

    def _build_long_runs(self) -> LongRuns:
        from search_core.runs.run_service import DurableRuns

        runs, answering = DurableRuns(self._parts.database, self._loop, works=self.works), self.answering()
        return LongRuns(runs, _build_research(self._parts, answering, runs), _build_claims(self._parts, answering, runs))

    def close(self) -> None:
        """Leave runs to other processes and stop transcribing."""
        with ExitStack() as closing:
            if self.transcription.made is not None:
                closing.callback(self.transcription.made.close)
            if self.long_runs.made is not None:
                closing.callback(self.long_runs.made.runs.close)


SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""
MODEL_WAIT_S = 1.0
"""Seconds to wait for a model of meaning that is loading; the one that ships takes about as long."""
MODEL_PATIENCE_S = 30.0
"""Seconds to wait for the model if the list must be complete, as for a command."""


def _build_research(components: Components, answering: Answering, runs: DurableRuns) -> ResearchService:
    from search_core.research.parts import ResearchLimits, ResearchParts
    from search_core.research.planning import Planner
    from search_core.research.service import ResearchService
    from search_core.research.writing import ReportWriter

    limits = ResearchLimits.of(components.settings)
    request = replace(answering.stages.asked, limit=limits.results_per_subtask)
    stages = replace(answering.stages, asked=request)
    pipeline = SearchPipeline(stages)
    ranking = replace(components.options.ranking, max_results=limits.results_per_subtask)
    options = replace(components.options, first=SEARCHED_FIRST, ranking=ranking)

    async def search(text: str, request: ResearchRequest) -> SearchReport:
        await asyncio.to_thread(components.warm.wait)
        chosen = replace(options, use_cache=not request.fresh)
        return await pipeline.run(Question(text=text, video=request.video, moment_s=request.moment_s), chosen, lambda _: None)

    planner = Planner(components.model, answering.scorer)

    async def plan(request: ResearchRequest) -> Plan:
        # Only now, for it takes a processor to itself: whoever waits sees that the run has begun.
        components.pages.warm.start()
        components.warm.start()
        return await planner.plan(request)

    parts = ResearchParts(
        plan=plan,
        search=search,
        read=components.pages.read,
        read_own=components.pages.read_document,
        writer=ReportWriter(
            components.model,
            answering.scorer,
            answering.flow.detector,
            may_send_own=components.settings.may_send_own_documents,
        ),
        labels=answering.labels,
        limits=limits,
    )
    return ResearchService(parts, runs)


def _build_claims(components: Components, answering: Answering, runs: DurableRuns) -> ClaimsService:
    from search_core.checking.checker import JUDGEMENTS_PER_CLAIM, SEARCHES_PER_CLAIM
    from search_core.checking.claims.service import ClaimsService
    from search_core.checking.parts import ClaimsLimits, ClaimsParts

    providers, manager, web = components.providers, answering.stages.manager, answering.claims.web

    def budget(claims: int) -> ClaimsBudget:
        services = manager.first_asked(CHECKED_FIRST)
        searches = claims * SEARCHES_PER_CLAIM
        judgements = claims * JUDGEMENTS_PER_CLAIM if services and web.judge is not None else 0
        return ClaimsBudget(
            claims=claims,
            searches=searches * len(services),
            paid=searches * sum(providers[name].paid for name in services),
            pages=claims * web.pages,
            judging=JudgingCost(requests=judgements, tokens=judgements * MAX_TOKENS_A_REQUEST),
        )

    parts = ClaimsParts(check=answering.claims.check, budget=budget, limits=ClaimsLimits.of(components.settings))
    return ClaimsService(parts, runs)


async def find_claims_of(components: Components, video: VideoContext, *, quickly: bool) -> FoundClaims:
    """Return the claims of *video*, stored or new.

    *quickly* reads only the beginning of a long video, waits a second for a model that is loading, and embeds for a few seconds.
    """
    from search_core.checking.claims.finder import EMBED_WITHIN_S, FIRST_S, recall_or_find
    from search_core.storage.videos import FoundClaimsCache

    host = components.embedders

    def embedder() -> tuple[Embedder, bool]:
        host.start()
        return host.wait(MODEL_WAIT_S if quickly else MODEL_PATIENCE_S), host.state().as_chosen

    with closing(FoundClaimsCache(components.settings.maekrak_data_dir / "claims")) as stored:
        return await recall_or_find(
            video,
            stored,
            embedder=embedder,
            ends=host.sentence_end_odds,
            within_s=EMBED_WITHIN_S if quickly else math.inf,
            first_s=FIRST_S if quickly else math.inf,
        )
