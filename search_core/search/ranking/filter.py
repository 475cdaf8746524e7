"""Scores results against a question and a video, orders and filters them."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import takewhile

import numpy as np

from search_core.domain.report import Degradation, DegradedPart
from search_core.domain.result import DEFAULT_THRESHOLD, Rank, RankingOptions, ScoreParts, SearchResult
from search_core.domain.video import VideoContext
from search_core.errors import EmbeddingError
from search_core.language.korean import has_hangul
from search_core.language.vectors import Embedder
from search_core.language.web_address import host_name
from search_core.language.words import forget_old_words
from search_core.runtime import in_turns
from search_core.search.ranking.lexical import AskedWords
from search_core.search.ranking.meaning import EmbeddedTexts
from search_core.search.ranking.relevance import Asked, Rows, likelihoods, read
from search_core.search.ranking.video_profile import facet_texts, prepare_profile, profile_of
from search_core.video.subject import subject_of

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


_DECIMALS = 9
"""Scores are rounded to this many decimals, so that a score of 0.35 is not 0.34999… and below a threshold of 0.35."""
_NEAR = 0.03
"""Scores this close count as equal; then the newer result comes first."""
_IN_A_ROW = 3


def in_order(results: Iterable[SearchResult]) -> list[SearchResult]:
    """Return *results* by score, best first; of results within three points of the best remaining one, the newest comes next.

    Results without a date count as the oldest. Of one day Korean results come first, then results that name somebody of the
    video, then higher scores. Unscored results keep their order at the end.
    """
    results = list(results)
    scored = [(result.relevance_score, _newness(result), result) for result in results if result.relevance_score is not None]
    left = sorted(scored, key=lambda row: row[0], reverse=True)
    ordered = []
    while left:
        near = sum(1 for _ in takewhile(lambda row: row[0] >= left[0][0] - _NEAR, left))
        newest = max(range(near), key=lambda place: left[place][1])
        ordered.append(left.pop(newest)[2])
    return ordered + [result for result in results if result.relevance_score is None]


def _newness(result: SearchResult) -> tuple[date, bool, bool]:
    return (result.publish_date or _LONG_AGO).date(), has_hangul(result.title + result.snippet), bool(result.entity_matches)


def _mixed(ordered: Sequence[SearchResult]) -> list[SearchResult]:
    """Return *ordered* with at most three results of one site in a row, unless all others have less than half the score."""
    left = [(host_name(result.url), result) for result in ordered]
    mixed: list[tuple[str, SearchResult]] = []
    while left:
        row = [site for site, _ in mixed[-_IN_A_ROW:]]
        full = row[0] if len(row) == _IN_A_ROW and len(set(row)) == 1 else None
        least = (left[0][1].relevance_score or 0.0) / 2
        others = (at for at, (site, result) in enumerate(left) if site != full and (result.relevance_score or 0.0) >= least)
        mixed.append(left.pop(next(others, 0)))
    return [result for _, result in mixed]


def arrange(
    results: Sequence[SearchResult], options: RankingOptions
) -> tuple[tuple[SearchResult, ...], tuple[SearchResult, ...]]:
    """Return the results to show and the hidden ones, both in order.

    At most ``max_results`` above the threshold are shown of the web, as many of late web results, and as many of the library, so
    that documents displace no page. At most three results in a row are of one site, unless all others have less than half the
    score. Unscored results pass any threshold.
    """
    ordered = in_order(results)
    passing = [result for result in ordered if options.passes(result.relevance_score)]
    below = [result for result in ordered if not options.passes(result.relevance_score)]
    first, late, own = (
        _mixed([result for result in passing if not result.own and not result.late]),
        sorted((result for result in passing if not result.own and result.late), key=lambda result: result.late),
        [result for result in passing if result.own],
    )
    most = options.max_results
    shown = (*first[:most], *late[:most], *own[:most])
    hidden = [*in_order([*first[most:], *late[most:], *own[most:]]), *below]
    return shown, tuple(sorted(hidden, key=lambda result: result.own))


_HALF_LIFE_DAYS = 30.0
_READ_CHARS = 4000
"""Characters of a result that are read: no snippet is longer, and a book in the library must not delay other results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringContext:
    """The context in which results are scored."""

    asked: Asked
    video: VideoContext | None
    now: datetime
    age_matters: bool = False
    of_one_text: bool = False
    """True if the results are passages of one talk or page, so that all are on the same subject."""


def read_results(
    results: Sequence[SearchResult], context: ScoringContext, embedder: Embedder
) -> tuple[Rows, Rows, list[float], EmbeddedTexts]:
    """Return the features of *results*, their nearness to the question, their word coverage, and their vectors."""
    titles = [result.title for result in results]
    bodies = [result.snippet[:_READ_CHARS] for result in results]
    texts = [f"{title}\n{body}" for title, body in zip(titles, bodies, strict=True)]
    asked, across, alike = context.asked, embedder.limits.across_scripts, context.of_one_text
    meaning = EmbeddedTexts.of(texts, embedder, of_one_text=alike)
    near = np.array(meaning.to_question(asked.sentence if across else asked.words.text), dtype=np.float64)
    own = np.array([result.own for result in results])
    if across and own.any() and asked.alone != asked.sentence:
        near = np.where(own, meaning.to_question(asked.alone), near)
    languages = meaning.languages[meaning.firsts]
    rows, words = read(asked, titles, bodies, languages, near if across else None, of_one_text=alike)
    return rows, near, words, meaning


def measure(results: Sequence[SearchResult], context: ScoringContext, embedder: Embedder) -> list[SearchResult]:
    """Return *results* with scores, components, entities and moments, in the given order; raises EmbeddingError."""
    asked, (rows, near, words, meaning) = context.asked, read_results(results, context, embedder)
    days = [(context.now - result.publish_date).total_seconds() / 86_400 if result.publish_date else None for result in results]
    recencies = [None if age is None else 0.5 ** (max(0.0, age) / _HALF_LIFE_DAYS) for age in days]
    if context.of_one_text:
        shares = np.array(meaning.shares(asked.sentence))
        scores = shares * near + (1 - shares) * words
    else:
        places = np.array([1.0 / min(place for _, place in result.ranks) if result.ranks else 0.0 for result in results])
        ages = np.array([2 * recent - 1 if context.age_matters and recent is not None else 0.0 for recent in recencies])
        scores = likelihoods(asked, rows, places, ages, meant=embedder.limits.across_scripts)
    profile = profile_of(context.video, embedder) if context.video is not None else None
    moments = profile.moments(meaning, meaning.texts) if profile else [None] * len(results)
    seen = meaning.seen(asked.sentence)
    filled = [
        replace(
            result,
            relevance_score=round(float(scores[row]), _DECIMALS),
            parts=ScoreParts(
                semantic_question=float(near[row]) if seen[row] else None,
                lexical=words[row],
                recency=recencies[row],
                agreement=min(1.0, max(0.0, result.prior)) if result.ranks else None,
            ),
            entity_matches=profile.names.find_in(meaning.texts[row]) if profile else (),
            moment=moments[row],
        )
        for row, result in enumerate(in_turns(results))
    ]
    forget_old_words()
    return filled


_log = logging.getLogger(__name__)

_FELL_BACK = "의미 분석 모델이 답하지 않아 내장 방식으로 관련도를 계산했어요."
_UNSCORED = "관련도를 계산하지 못해서 찾은 순서대로 보여 드려요."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The outcome of scoring: results in the given order, the embedder at work, and failures."""

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
        self.embedder = embedder
        self._now = now
        self.fallback = fallback

    @property
    def across_languages(self) -> bool:
        """Return whether the embedder works for texts in another language than the question's."""
        return self.embedder.limits.across_scripts

    def read_video(self, video: VideoContext | None) -> None:
        """Embed what *video* is about in advance; failures are reported by the scoring."""
        if video is not None:
            with contextlib.suppress(EmbeddingError):
                prepare_profile(video, self.embedder)

    def nearness_to(self, question: str, scorer: str) -> Callable[[Sequence[str]], list[float]]:
        """Return a function for the nearness of sentences of any language to *question*, in [0, 1].

        Nearness is measured by words if the embedder cannot compare languages or fails, or if another *scorer* was used because
        this one was too slow.
        """
        return partial(self._nearness, question, by_words=scorer != self.embedder.name)

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> list[list[float]] | None:
        """Return the similarity in meaning of each of *texts* to each of *others*, in [0, 1].

        None if the embedder cannot compare texts of different languages, or fails.
        """
        if not self.across_languages or not texts or not others:
            return None
        try:
            embedded = EmbeddedTexts.of(others, self.embedder)
            near = EmbeddedTexts.of(texts, self.embedder).to_passages(
                embedded.vectors[embedded.firsts], embedded.languages[embedded.firsts]
            )
        except EmbeddingError as error:
            _log.warning("%s could not compare sentences: %s", self.embedder.name, error)
            return None
        return [[float(value) for value in row] for row in near]

    def _nearness(self, question: str, sentences: Sequence[str], *, by_words: bool) -> list[float]:
        if self.across_languages and sentences and not by_words:
            try:
                return [float(near) for near in EmbeddedTexts.of(sentences, self.embedder).to_question(question)]
            except EmbeddingError as error:
                _log.warning("%s could not compare sentences: %s", self.embedder.name, error)
        return AskedWords(question).scores([""] * len(sentences), sentences)

    def score_relevance(self, result: SearchResult, video_context: VideoContext) -> float:
        """Return how relevant *result* is to the video, in [0, 1].

        Raises EmbeddingError when texts cannot be embedded.
        """
        return measure([result], self.context("", video_context), self.embedder)[0].relevance_score or 0.0

    def filter_results(self, results: Sequence[SearchResult], threshold: float = DEFAULT_THRESHOLD) -> list[SearchResult]:
        """Return the results scored at or above *threshold*, in the order given; unscored ones are left out."""
        return [result for result in results if result.relevance_score is not None and result.relevance_score >= threshold]

    def rank_by_relevance(self, results: Sequence[SearchResult]) -> list[SearchResult]:
        """Return *results* ordered by score, of nearly equal ones the newer first."""
        return in_order(results)

    def score(
        self,
        results: Sequence[SearchResult],
        question: str,
        video: VideoContext | None = None,
        *,
        terms: Sequence[str] = (),
        meant: str = "",
        subject: Sequence[str] | None = None,
        freshness_matters: bool = False,
        of_one_text: bool = False,
    ) -> Scored:
        """Return *results* scored for *question* and *video*; *terms* that the question lacks are added to its words.

        Meanings are compared with *meant* instead of *question*, if given. *subject* is what the question may leave unsaid, by
        default the video's subject. With *freshness_matters* newer pages score higher. Passages *of_one_text* are read a few
        sentences at a time, and compared mostly by words. If the embedder fails, a fallback scores; if that fails, too, results
        are unscored. Both cases are reported as degradations.
        """
        context = self.context(
            question,
            video,
            terms=terms,
            meant=meant,
            subject=subject,
            freshness_matters=freshness_matters,
            of_one_text=of_one_text,
        )
        degradations: list[Degradation] = []
        for embedder in (self.embedder, self.fallback):
            if embedder is None:
                continue
            try:
                filled = measure(results, context, embedder) if results else []
            except EmbeddingError as error:
                _log.warning("%s could not score: %s", embedder.name, error)
                degradations.append(Degradation(part=DegradedPart.SCORING, cause=str(error), korean=_FELL_BACK))
            else:
                return Scored(results=tuple(filled), scorer=embedder.name, degradations=tuple(degradations))
        bare = tuple(replace(result, relevance_score=None, parts=None) for result in results)
        return Scored(results=bare, scorer="none", degradations=(replace(degradations[-1], korean=_UNSCORED),))

    def context(
        self,
        question: str,
        video: VideoContext | None,
        *,
        terms: Sequence[str] = (),
        meant: str = "",
        subject: Sequence[str] | None = None,
        freshness_matters: bool = False,
        of_one_text: bool = False,
    ) -> ScoringContext:
        """Return the context that results are scored in; for the arguments see ``score``."""
        lowered = question.lower()
        words = " ".join([question, *(term for term in terms if term.lower() not in lowered)]).strip()
        of_video = () if video is None else subject_of(video)
        about = of_video if subject is None else tuple(subject)
        if not words and video is not None:
            words, about = " ".join(facet_texts(video)), ()
        asked = Asked.of(words, (meant or question).strip(), question.strip(), about, of_video)
        return ScoringContext(asked=asked, video=video, now=self._now(), age_matters=freshness_matters, of_one_text=of_one_text)


def rank_candidates(
    relevance: RelevanceFilter,
    query: str,
    video: VideoContext | None,
    results: Sequence[tuple[object, SearchResult]],
) -> list[dict[str, object]]:
    """Return the candidates by rank, each as ``{id, relevance_score, entity_match, parts, moment_s}``.

    If the candidates are titled pages of several sites, their order counts as a search service's ranking; otherwise it does not
    matter. The newest page counts as one of today. Candidates that could not be scored keep their order and have no score.
    """
    sites = [host_name(result.url) if result.title.strip() else "" for _, result in results]
    served = all(sites) and len(set(sites)) > 1
    marked = [
        replace(result, url=str(place), ranks=(Rank("", place + 1),) if served else ())
        for place, (_, result) in enumerate(results)
    ]
    days = [result.publish_date for result in marked if result.publish_date is not None]
    as_of = RelevanceFilter(relevance.embedder, now=lambda: max(days), fallback=relevance.fallback)
    scored = (as_of if days else relevance).score(marked, query, video, freshness_matters=True)
    return [
        {
            "id": results[int(result.url)][0],
            "relevance_score": result.relevance_score,
            "entity_match": bool(result.entity_matches),
            "parts": asdict(result.parts) if result.parts else {},
            "moment_s": result.moment.start_s if result.moment else None,
        }
        for result in in_order(scored.results)
    ]
