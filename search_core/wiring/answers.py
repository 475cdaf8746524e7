"""Assembles the parts that answer questions about videos and check answers on the web."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from search_core.answers.fallback_detector import FallbackDetector
from search_core.answers.flow import AnswerFlow
from search_core.answers.question_scorer import QuestionScorer
from search_core.answers.web_search import QueryCallback
from search_core.checking.checker import ClaimChecker, LibraryChecker
from search_core.checking.online_check import OnlineCheck
from search_core.checking.web_check import WebCheck, WebSearch
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.job import SearchProgress
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.pipeline import ProgressCallback, SearchPipeline, Stages
from search_core.wiring.components import Components
from search_core.wiring.pages import SourceReader, WarmUp

SCORING_S = 5.0
"""Time a search may take after the last reply, for scoring what it found."""
CHECKED_FIRST = ("tavily", "brave")
"""Services that a check of an answer asks before all others, each alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Holds the answering and checking parts for the chat, for scripts and for research."""

    flow: AnswerFlow
    checks: OnlineCheck
    claims: ClaimChecker
    stages: Stages
    """The parts of a search, without the model that writes summaries and queries."""
    scorer: QuestionScorer
    labels: Mapping[str, str]
    """Labels of the search services by name."""
    web_configured: Callable[[], bool]
    """Returns whether a web search service is set up, even if cooling down; sends no request."""


def build_answering(components: Components) -> Answering:
    """Return the answering and checking parts, with a model or by extracts."""
    settings, options, model, embedders = components.settings, components.options, components.model, components.embedders
    providers, pages, warm = components.providers, components.pages, components.warm
    # An answer is made from the snippets themselves, so summaries of them are not awaited; checks say their queries themselves.
    stages = replace(components.stages, summarizer=None, writer=None)
    pipeline = SearchPipeline(stages)
    scorer = QuestionScorer(
        relevance=stages.relevance,
        analyzer=stages.analyzer,
        constructor=stages.constructor,
        entailment=embedders.entailment,
        answers=embedders.answer_odds,
        ends=embedders.sentence_end_odds,
    )
    labels = {name: provider.label for name, provider in providers.items()}
    search_timeout_s = stages.manager.deadline_s + SCORING_S
    web = tuple(name for name, provider in providers.items() if provider.web)
    writing = SearchPipeline(replace(stages, writer=components.stages.writer))
    flow = AnswerFlow(
        model=model,
        detector=FallbackDetector(embedders.current),
        scorer=scorer,
        search=lambda question, on_query: writing.run(question, replace(options, as_asked=True), _pass_query(on_query)),
        labels=labels,
        fallback_enabled=settings.web_search_fallback_enabled,
        own_documents_to_model=settings.may_send_own_documents,
        search_timeout_s=search_timeout_s,
        ready=warm.wait,
    )
    web_check = WebCheck(
        judge=model,
        scorer=scorer,
        search=_web_search(pipeline, options, stages.manager, web),
        subject_of=stages.constructor.subject_of,
        read=pages.read,
        labels=labels,
        search_timeout_s=search_timeout_s,
        now=stages.now,
        ready=lambda: _get_ready(pages, warm),
        wait_for_reader=pages.warm.wait,
    )
    checked = replace(options, any_age=True, broader_queries=1, as_stated=True)  # claims are as old as their video
    return Answering(
        flow=flow,
        checks=OnlineCheck(web_check, model),
        claims=ClaimChecker(
            replace(web_check, search=_web_search(pipeline, checked, stages.manager, web)),
            LibraryChecker.of(web_check, pages.read_document, _library_search(pipeline, options, stages.manager, web)),
        ),
        stages=stages,
        scorer=scorer,
        labels=labels,
        web_configured=lambda: not set(web).isdisjoint(stages.manager.get_available_providers()),
    )


def _web_search(
    pipeline: SearchPipeline, options: SearchOptions, manager: MultiProviderSearchManager, web: tuple[str, ...]
) -> WebSearch:
    """Return a search of web services alone, some of which are asked first."""

    async def search(question: Question, subject: str, on_query: QueryCallback, /, *, fresh: bool = False) -> SearchReport:
        available = await asyncio.to_thread(manager.get_available_providers)
        chosen = replace(
            options,
            providers=tuple(name for name in available if name in web),
            first=CHECKED_FIRST,
            subject=subject,
            use_cache=options.use_cache and not fresh,
        )
        return await pipeline.run(question, chosen, _pass_query(on_query))

    return search


def _library_search(
    pipeline: SearchPipeline, options: SearchOptions, manager: MultiProviderSearchManager, web: tuple[str, ...]
) -> Callable[[Question], Awaitable[SearchReport | None]]:
    """Return a search of own documents alone, regardless of score; the caller decides whether to show them."""
    options = replace(options, ranking=replace(options.ranking, threshold=0.0), any_age=True)

    async def search(question: Question) -> SearchReport | None:
        available = await asyncio.to_thread(manager.get_available_providers)
        own = tuple(name for name in available if name not in web)
        return await pipeline.run(question, replace(options, providers=own), lambda _: None) if own else None

    return search


def _pass_query(on_query: QueryCallback) -> ProgressCallback:
    def on_progress(progress: SearchProgress) -> None:
        if progress.constructed is not None:
            on_query(progress.constructed.text)

    return on_progress


def _get_ready(pages: SourceReader, warm: WarmUp) -> None:
    pages.warm.start()
    warm.wait()
