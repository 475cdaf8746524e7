"""The services of a process, assembled on demand, and whether the storage works."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from search_core.answers.chat import Chat, ChatParts
from search_core.answers.chat.chat import Research
from search_core.claims.checking import JUDGEMENTS_PER_CLAIM, SEARCHES_PER_CLAIM
from search_core.claims.finder import EMBED_WITHIN_S, FIRST_S, recall_or_find
from search_core.domain.claim import ClaimsBudget, FoundClaims
from search_core.domain.report import Question, SearchReport
from search_core.domain.research import ResearchRequest, ResearchRun
from search_core.domain.stance import JudgingCost
from search_core.domain.video import VideoContext
from search_core.embedding import Embedder
from search_core.errors import StorageError
from search_core.runtime import LoopThread
from search_core.search.pipeline import SearchPipeline
from search_core.stance.language_model import MAX_TOKENS_A_REQUEST
from search_core.storage import Database
from search_core.storage.database import FILE_KOREAN
from search_core.storage.sqlite_file import FileFault
from search_core.wiring.answers import CHECKED_FIRST, Answering
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService
    from search_core.research import Plan
    from search_core.research.service import ResearchService
    from search_core.runs.run_service import DurableRuns
    from search_core.speech.service import TranscriptionService
    from search_core.storage.stored_searches import StoredSearches

SECTION_LEVEL = 4
"""Of the headings of a run in the file of a conversation."""


def build_chat(components: Components, answering: Answering, loop: LoopThread, research: Callable[[], ResearchService]) -> Chat:
    """Return the chat of a process; *research* returns the research service and may block."""
    from search_core.storage.conversations import ConversationStore  # brings SQLAlchemy, which takes 0.2 s to import

    return Chat(
        ChatParts(
            loop=loop,
            store=ConversationStore(components.database),
            answers=answering.flow,
            check=answering.checks.check,
            research=Research(
                run=lambda run_id, owner: research().get(run_id, owner),
                markdown=_run_text,
            ),
            web_configured=answering.web_configured,
        )
    )


def _run_text(run: ResearchRun) -> str:
    from search_core.research.export import markdown_section

    return markdown_section(run, SECTION_LEVEL)


FOLDER = "transcription"
_PIECE_LIMIT_S = 600.0
"""Time that the recognition of one piece may take, or of its next words."""


def build_transcription(components: Components, loop: LoopThread) -> TranscriptionService:
    """Return the service of a process; loads nothing slow and sends no request."""
    from search_core.llm.speech_recogniser import EndpointRecogniser  # brings the openai client, which takes a second to import
    from search_core.speech.service import TranscriptionService
    from search_core.speech.whisper import WhisperRecogniser

    settings = components.settings
    folder = settings.maekrak_data_dir / FOLDER
    endpoint = EndpointRecogniser(settings, limit_s=_PIECE_LIMIT_S)
    whisper = WhisperRecogniser(settings.whisper_model, limit_s=_PIECE_LIMIT_S)
    return TranscriptionService(loop, (endpoint, whisper), folder / "work", components.transcripts)


def build_stored_searches(components: Components) -> StoredSearches:
    """Return the stored searches of the database; if storing is off, none is added."""
    from search_core.storage.stored_searches import StoredSearches  # brings SQLAlchemy, which takes 0.2 s to import

    settings, providers = components.settings, components.providers
    return StoredSearches(
        components.database,
        keeps=settings.search_history,
        storable=lambda name: name not in providers or providers[name].storable,
    )


CONVERSATIONS, LIBRARY = "conversations", "library"


def storage_problems(components: Components) -> Mapping[str, str]:
    """Return a Korean sentence for each broken part of the storage; empty if all work."""
    problems = {CONVERSATIONS: _conversations(components.database)}
    try:
        components.library.count()
    except StorageError as error:
        problems[LIBRARY] = error.korean
    return MappingProxyType({name: korean for name, korean in problems.items() if korean})


def _conversations(database: Database) -> str:
    """Return current and past database problems; a file that does not exist yet is none."""
    if not database.exists():
        return "" if database.may_be_made() else FILE_KOREAN[FileFault.CLOSED]
    try:
        with database.reading():
            pass
    except StorageError as error:
        return error.korean
    return FILE_KOREAN[database.fault] if database.fault not in (None, FileFault.LOCKED) else ""


SEARCHED_FIRST = ("google", "duckduckgo")
"""Services that research asks before all others, each alone."""
MODEL_WAIT_S = 1.0
"""What a model of meaning that is loading is waited for: the one that ships takes about as long."""
MODEL_PATIENCE_S = 30.0
"""The same where a list is to be whole: as long as a command waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRuns:
    """Holds the services of one process that work on long runs."""

    runs: DurableRuns
    research: ResearchService
    claims: ClaimsService


def build_long_runs(components: Components, answering: Answering, loop: LoopThread, *, works: bool) -> LongRuns:
    """Return the services of a process, which *works* on runs or only starts and follows them."""
    from search_core.runs.run_service import DurableRuns

    runs = DurableRuns(components.database, loop, works=works)
    return LongRuns(
        runs=runs, research=_build_research(components, answering, runs), claims=_build_claims(components, answering, runs)
    )


def _build_research(components: Components, answering: Answering, runs: DurableRuns) -> ResearchService:
    from search_core.research import Planner, ReportWriter
    from search_core.research.parts import ResearchLimits, ResearchParts
    from search_core.research.service import ResearchService

    limits = ResearchLimits.of(components.settings)
    asked = replace(answering.stages.asked, limit=limits.results_per_subtask)
    stages = replace(answering.stages, asked=asked)
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
        components.pages.get_ready()
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
    from search_core.claims.parts import ClaimsLimits, ClaimsParts
    from search_core.claims.service import ClaimsService

    providers, manager, web = components.providers, components.manager, answering.claims.web

    def budget(claims: int) -> ClaimsBudget:
        asked = manager.first_asked(CHECKED_FIRST)
        searches = claims * SEARCHES_PER_CLAIM
        judgements = claims * JUDGEMENTS_PER_CLAIM if asked and web.judge is not None else 0
        return ClaimsBudget(
            claims=claims,
            searches=searches * len(asked),
            paid=searches * sum(providers[name].paid for name in asked),
            pages=claims * web.pages,
            judging=JudgingCost(requests=judgements, tokens=judgements * MAX_TOKENS_A_REQUEST),
        )

    parts = ClaimsParts(
        checker=answering.claims,
        budget=budget,
        limits=ClaimsLimits.of(components.settings),
    )
    return ClaimsService(parts, runs)


async def find_claims_of(components: Components, video: VideoContext, *, quickly: bool) -> FoundClaims:
    """Return the claims of *video*, stored or new.

    *quickly* reads only the beginning of a long video, waits a second for a model that is loading, and embeds for a few seconds.
    """
    host = components.embedders

    def embedder() -> tuple[Embedder, bool]:
        host.start()
        return host.wait(MODEL_WAIT_S if quickly else MODEL_PATIENCE_S), host.state().as_chosen

    return await recall_or_find(
        video,
        components.found_claims,
        embedder=embedder,
        ends=host.sentence_ends.odds_or_none,
        within_s=EMBED_WITHIN_S if quickly else math.inf,
        first_s=FIRST_S if quickly else math.inf,
    )
