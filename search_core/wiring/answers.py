"""What answers questions about videos."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.answering import AnswerFlow, AnswerParts, FallbackDetector, QuestionScorer
from search_core.answering.draft import ChatModel
from search_core.pipeline import SearchPipeline, Stages
from search_core.provider_kit import SearchProvider
from search_core.settings import Settings
from search_core.wiring.options import default_options
from search_core.wiring.warm_up import WarmUp

if TYPE_CHECKING:
    from search_core.llm import OpenAICompatible

SCORING_S = 5.0
"""Time a search may take beyond its deadline, for scoring what it found."""


def answers_by(
    settings: Settings, stages: Stages, model: ChatModel | None, providers: Mapping[str, SearchProvider], warm: WarmUp
) -> AnswerFlow:
    """Return what answers questions, by a model or by extract."""
    # An answer is made from the snippets themselves, so nobody waits for summaries of them.
    pipeline = SearchPipeline(replace(stages, summarizer=None))
    return AnswerFlow(
        AnswerParts(
            model=model,
            detector=FallbackDetector(),
            scorer=QuestionScorer(relevance=stages.relevance, analyzer=stages.analyzer, constructor=stages.constructor),
            search=lambda question: pipeline.run(question, default_options(settings), lambda _: None),
            labels={name: provider.label for name, provider in providers.items()},
            fallback_enabled=settings.web_search_fallback_enabled,
            search_timeout_s=stages.deadline_s + SCORING_S,
            ready=warm.wait,
        )
    )


def model_of(settings: Settings) -> OpenAICompatible | None:
    """Return the language model of *settings*, or None when none is set."""
    if not settings.openai_model:
        return None
    from search_core.llm import OpenAICompatible  # its client takes longer to import than all the rest

    model = OpenAICompatible(settings)
    return model if model.available() else None
