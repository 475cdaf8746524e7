"""Scores results against a question and a video, orders and filters them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from search_core.domain import (
    DEFAULT_THRESHOLD,
    Degradation,
    DegradedPart,
    RankingWeights,
    ScoreParts,
    SearchResult,
    VideoContext,
)
from search_core.errors import EmbeddingError
from search_core.relevance.arrange import combine, in_order
from search_core.relevance.embedder import Embedder
from search_core.relevance.lexical import AskedWords
from search_core.relevance.meaning import Meaning
from search_core.relevance.measuring import ScoringContext, measure_parts
from search_core.relevance.video_profile import VideoProfileCache

_log = logging.getLogger(__name__)

_shelf = VideoProfileCache()
"""Shared by all filters: a filter is made for each search, a video is asked about many times."""
_FELL_BACK = "의미 분석 모델이 답하지 않아 내장 방식으로 관련도를 계산했어요."
_UNSCORED = "관련도를 계산하지 못해서 찾은 순서대로 보여 드려요."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What scoring gave: the results in the order given, the embedder at work, and what went wrong."""

    results: tuple[SearchResult, ...]
    scorer: str
    """Name of the embedder that scored, or ``none``."""
    degradations: tuple[Degradation, ...] = ()


class RelevanceFilter:
    """Scores, orders and filters results."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        weights: RankingWeights | None = None,
        fallback: Embedder | None = None,
    ) -> None:
        """Take the embedder to score with, and the fallback for when it fails."""
        self.embedder = embedder
        self._now = now
        self.weights = weights or RankingWeights()
        self._fallback = fallback

    @property
    def across_languages(self) -> bool:
        """Return whether the embedder sees meaning in a text of another language than the question's."""
        return self.embedder.reach.across_scripts

    def nearness_to(self, question: str, scorer: str) -> Callable[[Sequence[str]], list[float]]:
        """Return what says how near sentences of any language are to *question*, in [0, 1].

        Words say it where the embedder sees no meaning across languages or fails, and where another *scorer* has scored because
        this one would have kept the page waiting.
        """
        return partial(self._nearness, question, by_words=scorer != self.embedder.name)

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> list[list[float]] | None:
        """Return how near in meaning each of *texts* is to each of *others*, in [0, 1].

        None where the embedder sees no meaning across languages, or fails.
        """
        if not self.across_languages or not texts or not others:
            return None
        try:
            meant = Meaning.of(others, self.embedder)
            near = Meaning.of(texts, self.embedder).to_passages(*meant.first_vectors())
        except EmbeddingError as error:
            _log.warning("%s could not compare sentences: %s", self.embedder.name, error)
            return None
        return [[float(value) for value in row] for row in near]

    def _nearness(self, question: str, sentences: Sequence[str], *, by_words: bool) -> list[float]:
        if self.across_languages and sentences and not by_words:
            try:
                return [float(near) for near in Meaning.of(sentences, self.embedder).to_question(question)]
            except EmbeddingError as error:
                _log.warning("%s could not compare sentences: %s", self.embedder.name, error)
        return AskedWords(question).scores([""] * len(sentences), sentences)

    def score_relevance(self, result: SearchResult, video_context: VideoContext) -> float:
        """Return how relevant *result* is to the video, in [0, 1].

        Raises EmbeddingError when texts cannot be embedded.
        """
        context = ScoringContext(question="", meant="", video=video_context, freshness_matters=False, now=self._now())
        parts = measure_parts([result], context, self.embedder, _shelf)[0].parts
        return combine(parts or ScoreParts(), self.weights)

    def filter_results(self, results: Sequence[SearchResult], threshold: float = DEFAULT_THRESHOLD) -> list[SearchResult]:
        """Return the results scored at or above *threshold*, in the order given; unscored ones are left out."""
        return [result for result in results if result.relevance_score is not None and result.relevance_score >= threshold]

    def rank_by_relevance(self, results: Sequence[SearchResult]) -> list[SearchResult]:
        """Return *results* ordered: naming an entity of the video first, then by score, then newer first."""
        return in_order(results, entity_first=True)

    def score(
        self,
        results: Sequence[SearchResult],
        question: str,
        video: VideoContext | None = None,
        *,
        terms: Sequence[str] = (),
        meant: str = "",
        freshness_matters: bool = False,
        timeless: bool = False,
        of_one_text: bool = False,
    ) -> Scored:
        """Return *results* scored against *question* and *video*; *terms* the question lacks are added to its words.

        *meant* is the sentence whose meaning counts where that is not *question*, as before pointing words were resolved.
        *freshness_matters* (news) counts age from now and fast, *timeless* (background) hardly at all. Passages *of_one_text* are
        read a few sentences at a time, and more by their words. When texts cannot be embedded, not even by the fallback, the
        results come back unscored. Both are reported as a degradation.
        """
        lowered = question.lower()
        asked = " ".join([question, *(term for term in terms if term.lower() not in lowered)]).strip()
        context = ScoringContext(
            question=asked,
            meant=(meant or question).strip() or asked,
            video=video,
            freshness_matters=freshness_matters,
            timeless=timeless,
            now=self._now(),
            of_one_text=of_one_text,
        )
        degradations: list[Degradation] = []
        for embedder in (self.embedder, self._fallback):
            if embedder is None:
                continue
            try:
                return self._score(results, context, embedder, degradations)
            except EmbeddingError as error:
                _log.warning("%s could not score: %s", embedder.name, error)
                degradations.append(_degradation(str(error), _FELL_BACK))
        bare = tuple(replace(result, relevance_score=None, parts=None) for result in results)
        return Scored(results=bare, scorer="none", degradations=(_degradation(degradations[-1].cause, _UNSCORED),))

    def _score(
        self, results: Sequence[SearchResult], context: ScoringContext, embedder: Embedder, degradations: Sequence[Degradation]
    ) -> Scored:
        filled = measure_parts(results, context, embedder, _shelf) if results else []
        scored = [replace(result, relevance_score=combine(result.parts or ScoreParts(), self.weights)) for result in filled]
        return Scored(results=tuple(scored), scorer=embedder.name, degradations=tuple(degradations))


def _degradation(cause: str, korean: str) -> Degradation:
    return Degradation(part=DegradedPart.SCORING, cause=cause, korean=korean)
