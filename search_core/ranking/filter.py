"""Scores results against a question and a video, orders and filters them."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from math import sqrt
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from search_core.domain import (
    DEFAULT_THRESHOLD,
    Degradation,
    DegradedPart,
    RankingOptions,
    ScoreParts,
    SearchResult,
    VideoContext,
    calculate_score,
)
from search_core.embedding.embedder import Embedder
from search_core.errors import EmbeddingError
from search_core.ranking.lexical import AskedWords
from search_core.ranking.meaning import Meaning
from search_core.ranking.video_profile import facet_texts, profile_of
from search_core.runtime import in_turns
from search_core.text.words import forget_old_words

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def with_score(result: SearchResult) -> SearchResult:
    """Return *result* with the score that its parts make; a result without parts stays as it is."""
    return result if result.parts is None else replace(result, relevance_score=calculate_score(result.parts))


def in_order(results: Sequence[SearchResult], *, entity_first: bool) -> list[SearchResult]:
    """Return *results* ordered: naming an entity of the video first, then by score, then newer first.

    Unscored results keep their order at the end; undated ones count as the oldest.
    """
    return sorted(
        results,
        key=lambda result: (
            result.relevance_score is None,
            not (entity_first and result.entity_matches),
            -(result.relevance_score or 0.0),
            -(result.publish_date or _LONG_AGO).timestamp(),
        ),
    )


def arrange(
    results: Sequence[SearchResult], options: RankingOptions
) -> tuple[tuple[SearchResult, ...], tuple[SearchResult, ...]]:
    """Return the results to show and the hidden ones, both in order.

    The score alone decides which results are shown, of the web and of the library each as many as *options* want, so that a
    document keeps no page out; those of the first list that name an entity of the video then come first, where that is wanted.
    What came late stands behind, as much again at most. Unscored results cannot be held against the threshold: they are shown.
    """
    ordered = in_order(results, entity_first=False)
    passing = [result for result in ordered if options.passes(result.relevance_score)]
    below = [result for result in ordered if not options.passes(result.relevance_score)]
    first, late, own = (
        [result for result in passing if not result.own and not result.late],
        sorted((result for result in passing if not result.own and result.late), key=lambda result: result.late),
        [result for result in passing if result.own],
    )
    most = options.max_results
    shown = [*in_order(first[:most], entity_first=options.entity_first), *late[:most]]
    shown += in_order(own[:most], entity_first=options.entity_first)
    hidden = [*in_order([*first[most:], *late[most:], *own[most:]], entity_first=False), *below]
    return tuple(shown), tuple(sorted(hidden, key=lambda result: result.own))


_HALF_LIFE_DAYS = 90.0
_FRESH_HALF_LIFE_DAYS = 30.0
"""Where news are asked for, a month makes old."""
_TIMELESS_SHARE = 0.2
"""What is left of recency for background questions: enough to break ties, too little to put the newest page before the answer."""
_ENTITIES_FULL = 2
"""Naming two of the video's entities is as good as naming more."""
_READ_CHARS = 4000
"""A result is judged by its beginning: no snippet is longer, and a pasted book must not hold up the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringContext:
    """What results are measured against."""

    question: str
    """Its words, with those that its text lacks; may be empty when there is a video."""
    meant: str
    """The question as a sentence, for embedders that read sentences; empty with the question."""
    video: VideoContext | None
    freshness_matters: bool
    now: datetime
    timeless: bool = False
    """True for background questions, for which an older page is hardly worse."""
    of_one_text: bool = False
    """True for passages of one talk or page, which are on one subject all of them."""


def measure_parts(results: Sequence[SearchResult], context: ScoringContext, embedder: Embedder) -> list[SearchResult]:
    """Return *results* with parts, entities and moment filled, in the order given; raises EmbeddingError."""
    titles = [result.title for result in results]
    bodies = [result.snippet[:_READ_CHARS] for result in results]
    texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
    asked = AskedWords(_words(context))
    lexical = asked.scores(titles, bodies)
    meaning = Meaning.of(texts, embedder, of_one_text=context.of_one_text)
    sentence = context.meant if embedder.reach.across_scripts else context.question
    shares = meaning.shares(sentence or asked.text)
    to_question = meaning.to_question(sentence) if sentence else None
    recency = _recency(results, context)
    profile = profile_of(context.video, embedder) if context.video is not None else None
    bearings = profile.bearings(meaning, texts) if profile else None
    filled = []
    for row, result in enumerate(in_turns(results)):
        names = profile.names.find_in(texts[row]) if profile else ()
        parts = ScoreParts(
            semantic_video=bearings[row][0] if bearings and shares[row] else None,
            semantic_question=float(to_question[row]) if to_question is not None and shares[row] else None,
            lexical=lexical[row],
            entity=min(1.0, len(names) / _ENTITIES_FULL) if profile else None,
            recency=recency[row],
            agreement=min(1.0, max(0.0, result.prior)) if result.ranks else None,
            meaning_share=shares[row] if to_question is not None else None,
        )
        filled.append(replace(result, parts=parts, entity_matches=tuple(names), moment=bearings[row][1] if bearings else None))
    forget_old_words()
    return filled


def _words(context: ScoringContext) -> str:
    if context.question or context.video is None:
        return context.question
    return " ".join(facet_texts(context.video))


def _recency(results: Sequence[SearchResult], context: ScoringContext) -> list[float | None]:
    """Return how recent each result is: against now for news, against the newest otherwise; near the middle if timeless."""
    dates = [result.publish_date for result in results]
    dated = [min(date, context.now) for date in dates if date is not None]
    if not dated:
        return [None] * len(dates)
    newest = context.now if context.freshness_matters else max(dated)
    half_life = _FRESH_HALF_LIFE_DAYS if context.freshness_matters else _HALF_LIFE_DAYS
    ages = [None if date is None else max(0.0, (newest - date).total_seconds() / 86_400) for date in dates]
    share = _TIMELESS_SHARE if context.timeless else 1.0
    return [None if age is None else 0.5 + share * (0.5 ** (age / half_life) - 0.5) for age in ages]


_log = logging.getLogger(__name__)

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
        fallback: Embedder | None = None,
    ) -> None:
        """Take the embedder to score with, and the fallback for when it fails."""
        self.embedder = embedder
        self._now = now
        self._fallback = fallback

    @property
    def across_languages(self) -> bool:
        """Return whether the embedder sees meaning in a text of another language than the question's."""
        return self.embedder.reach.across_scripts

    def read_video(self, video: VideoContext | None) -> None:
        """Embed what *video* is about, so that scoring need not wait for it; what goes wrong is said by who scores."""
        if video is not None:
            with contextlib.suppress(EmbeddingError):
                profile_of(video, self.embedder)

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
            near = Meaning.of(texts, self.embedder).to_passages(meant.vectors[meant.firsts], meant.languages[meant.firsts])
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
        measured = measure_parts([result], context, self.embedder)[0]
        return with_score(measured).relevance_score or 0.0

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
                filled = measure_parts(results, context, embedder) if results else []
            except EmbeddingError as error:
                _log.warning("%s could not score: %s", embedder.name, error)
                degradations.append(_degradation(str(error), _FELL_BACK))
            else:
                scored = tuple(map(with_score, filled))
                return Scored(results=scored, scorer=embedder.name, degradations=tuple(degradations))
        bare = tuple(replace(result, relevance_score=None, parts=None) for result in results)
        return Scored(results=bare, scorer="none", degradations=(_degradation(degradations[-1].cause, _UNSCORED),))


def _degradation(cause: str, korean: str) -> Degradation:
    return Degradation(part=DegradedPart.SCORING, cause=cause, korean=korean)


_BY_CHANCE = 1.96
"""Deviations of the rank correlation of a shuffled list; further out chance leads in one list of forty."""
_TO_FULL_TRUST = 0.3
"""Rank correlation beyond chance at which the order given is trusted fully: that of search services. Shuffled lists lose
nothing by it (AutoRAG .936; .912 where trust began at .2, which chance reaches in one list of five), those in the order of BM25
gain up to a point (AutoRAG .944, KorQuAD .982)."""
_FEWEST_SITES = 2
"""Titled pages of that many sites are a search service's list, whose order is worth its full trust. Measured on recorded news
searches, mean reciprocal rank of the first answer: .755 as recorded; ranked .783 with dates, .747 without."""
_FEWEST = 3
"""Two candidates always agree or disagree wholly."""


def rank_candidates(
    relevance: RelevanceFilter,
    query: str,
    video: VideoContext | None,
    results: Sequence[tuple[Any, SearchResult]],
) -> list[dict[str, Any]]:
    """Return the candidates in rank order, each as ``{id, relevance_score, entity_match, parts, moment_s}``.

    Nobody says whether the order given means anything. Titled pages of several sites come from a search service, whose order
    counts fully; that of bare passages counts as far as it agrees with what the texts say. Candidates that could not be scored
    keep their order and have no score.
    """
    marked = [replace(result, url=str(place), ranks=()) for place, (_, result) in enumerate(results)]
    scored = list(relevance.score(marked, query, video).results)
    served = _is_served([result for _, result in results])
    trust = 1.0 if served else _trust([result.relevance_score for result in scored])
    placed = [_with_place(result, place, trust, len(scored)) for place, result in enumerate(scored)]
    return [
        {
            "id": results[int(result.url)][0],
            "relevance_score": result.relevance_score,
            "entity_match": bool(result.entity_matches),
            "parts": asdict(result.parts) if result.parts else {},
            "moment_s": result.moment.start_s if result.moment else None,
        }
        for result in in_order(placed, entity_first=True)
    ]


def _with_place(result: SearchResult, place: int, trust: float, count: int) -> SearchResult:
    if result.parts is None:
        return result
    agreement = 0.5 + trust * (0.5 - place / count)
    return with_score(replace(result, parts=replace(result.parts, agreement=agreement)))


def _is_served(results: Sequence[SearchResult]) -> bool:
    """Return whether *results* look like a search service's list: titled pages of several sites."""
    sites = {_site(result.url) for result in results if result.title.strip() and result.url.startswith("http")}
    return len(sites) >= _FEWEST_SITES and all(result.title.strip() and result.url.startswith("http") for result in results)


def _site(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:  # an address nobody can open, such as http://[
        return ""


def _trust(scores: Sequence[float | None]) -> float:
    """Return how far the order of *scores* falls beyond what chance would have it, in [0, 1].

    Held against chance is Spearman's rank correlation with the order given.
    """
    known = np.array([score for score in scores if score is not None])
    if len(known) < max(_FEWEST, len(scores)) or known.max() == known.min():
        return 0.0
    _, ties, sizes = np.unique(-known, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[ties]
    correlation = float(np.corrcoef(np.arange(len(known)), ranks)[0, 1])
    by_chance = _BY_CHANCE / sqrt(len(known) - 1)
    return min(1.0, max(0.0, (correlation - by_chance) / _TO_FULL_TRUST))
