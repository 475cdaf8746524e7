"""The relevance of texts to a question, by the scorer of the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from search_core.answers.reader import ReadAnswers
from search_core.domain.query import ReferenceKind, SearchIntent
from search_core.domain.report import Question
from search_core.domain.result import SearchResult
from search_core.errors import EmbeddingError
from search_core.language import korean, word_set
from search_core.language.equivalents import which_name_any
from search_core.language.korean import morphemes
from search_core.language.korean.content import is_attribute
from search_core.language.vectors import Embedder
from search_core.language.words import words_of
from search_core.models.embedding.entailment import Entailment, EntailmentModel
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.video.sentences import JudgeEnds

_HELD = 0.2
"""A text mentions the wanted property ("매출") if its similarity to that word alone is at least this. In the sample videos
mentioned properties reach .25; "창업자", "매출", "비용" and the like, which they do not mention, stay below .13."""
_HELD_ACROSS = 0.27
"""Least similarity to the wanted property for a text in another language, if the dictionary lacks the property. Of 60 Korean
properties 19 in 20 reach it in the English passage that answers; of the passages that do not answer half stay below .3."""
_HELD_UNNAMED = 0.36
"""Least similarity to the wanted property for a text in another language that has none of the dictionary's words for it."""

KEPT = 0.3
"""Share of its score that a text keeps when it cannot answer: below the threshold, and enough to keep the texts in order."""
_KEPT_ACROSS = 0.5
"""Share of its score kept by a text in another language without the wanted property, if a model compares meaning."""
_ENOUGH_ACROSS = {True: 0.0, False: _HELD_UNNAMED, None: _HELD_ACROSS}
"""Sufficient score of the property in a text in another language that names it, does not, or (None) has no known word."""
_OF_WHOLE = word_set(
    """
    영상 동영상 비디오 강연 강의 발표 인터뷰 뉴스 소식 내용 요약 핵심 요점 결론 주제 줄거리 정리 전체 간단 설명 이야기 말하다
    video talk lecture content summary topic point points gist overview
    """
)
_NAMES_WHOLE = (_OF_WHOLE - word_set("설명 이야기 간단 말하다")) | word_set("대하 관하")
"""Words that ask about the whole video even in mid-conversation, unlike "설명해 줘", which is about the last answer."""
OF_ANSWER = word_set(
    """
    이름 명칭 날짜 시기 연도 년도 시간 때 이유 까닭 원인 사람 인물 나라 국가 도시 곳 장소 지역
    회사 기업 업체 제품 부분 주요 최초 처음 사용
    작년 올해 내년 어제 오늘 내일 현재 최근 최신 이전 마지막
    name names date day year time reason person people man woman country city place company companies firm part main first
    make makes made do does did work works worked use used today last long discovered discover found happen happened
    """
)
"""Words for the kind or time of the answer ("누구의 이름", "which company"); a text can answer without containing them."""


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question with its pointing words resolved by the video and the earlier turns."""

    text: str
    terms: tuple[str, ...]
    wanted: str
    """The property asked for ("매출"): a text that does not mention it is no answer. May be empty."""
    resolved: bool = False
    """True if pointing words of the question ("그 회사") were replaced by what they refer to, so that ``terms`` are not all
    that is asked about."""
    as_asked: str = ""
    """The question without names added from the video's title, as these do not tell its passages apart; used for its meaning.
    Empty to use ``text``."""
    whole: bool = False
    """True for a question about the whole video ("요약해 줘", "무슨 내용이야?"), to which all of it is relevant."""
    moment_s: float | None = None
    """The moment of the video at which the question is asked, in seconds."""


def _asks_for_all(intent: SearchIntent) -> bool:
    """Return whether a question asks about the whole video: it names the video or its contents, and nothing else."""
    if not intent.requires_context or not all(term.casefold() in _OF_WHOLE for term in intent.search_terms):
        return False
    kinds = {reference.kind for reference in intent.references}
    named = any(item.form.casefold() in _NAMES_WHOLE for item in morphemes(intent.query))
    points = kinds == {ReferenceKind.THING} and bool(intent.search_terms) and not any(item.head for item in intent.references)
    return kinds == {ReferenceKind.VIDEO} or (named and (points or not kinds))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionScorer:
    """Scores passages and sentences against a question, as the search itself does."""

    relevance: Callable[[], RelevanceFilter]
    """Returns a filter with the best embedder that is ready."""
    analyzer: QueryIntentAnalyzer
    constructor: QueryConstructor

    entailment: EntailmentModel | None = None
    """Predicts whether a text entails a statement; None leaves that to rules."""
    answers: ReadAnswers | None = None
    """Reads sentences of a talk together with the question; None uses their features alone."""
    ends: JudgeEnds | None = None
    """Finds sentence ends without punctuation in a transcript; None leaves that to words."""

    @property
    def embedder(self) -> Embedder:
        """Return the best embedder ready."""
        return self.relevance().embedder

    @property
    def model(self) -> Embedder | None:
        """Return the embedder that works across languages; None if none is ready."""
        relevance = self.relevance()
        return relevance.embedder if relevance.across_languages else None

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> list[list[float]] | None:
        """Return the similarity in meaning of each of *texts* to each of *others*, across languages; None without a model."""
        return self.relevance().similarities(texts, others)

    def entailments(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment] | None:
        """Return the entailment probabilities of pairs of text and statement; None without a model."""
        return None if self.entailment is None else self.entailment.judge_or_none(pairs)

    def parse(self, question: Question, *, of_video: bool = False) -> ParsedQuestion:
        """Return the analysed *question*; raises QuestionError if it is empty or too long.

        The video's subject is added if the question only points at it ("이게 뭐야?"), but not *of_video*.
        """
        intent = self.analyzer.analyze_intent(question.text, question.video, question.memory, moment_s=question.moment_s)
        text = intent.query
        if question.video is not None and _asks_for_all(intent):
            return ParsedQuestion(question.video.title or text, (), "", whole=True)
        pointed = bool(intent.references or (intent.requires_context and (question.memory.turns or not of_video)))
        if pointed:
            text = self.constructor.as_asked(intent, question.video, question.memory).text
        wanted = [term for term in intent.search_terms if is_attribute(term) and term.casefold() not in OF_ANSWER]
        if not wanted and pointed:
            wanted = list(intent.search_terms)
        return ParsedQuestion(
            text, intent.search_terms, " ".join(wanted), resolved=pointed, as_asked=intent.query, moment_s=question.moment_s
        )

    def scores(self, asked: ParsedQuestion, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text to the question, in [0, 1].

        Raises EmbeddingError when texts cannot be embedded, not even by the built-in embedder.
        """
        scores = self._score(asked.text, texts, asked.terms, asked.as_asked)
        if asked.wanted and asked.wanted != asked.text:
            # "CEO" in a Korean question is no English question: its meaning is that of the sentence it stands in.
            foreign = korean.has_hangul(asked.as_asked) and not korean.has_hangul(asked.wanted)
            held = self._score(asked.wanted, texts, (), asked.as_asked if foreign else "")
            bars = [(_HELD, KEPT)] * len(texts) if foreign else self._bars(asked.wanted, texts)
            scores = [
                score if here >= enough else min(score, max(here, kept * score))
                for score, here, (enough, kept) in zip(scores, held, bars, strict=True)
            ]
        return scores

    def _bars(self, wanted: str, texts: Sequence[str]) -> list[tuple[float, float]]:
        """Return for each text the least score for the property *wanted*, and the factor on its relevance if it scores less."""
        hangul = korean.has_hangul(wanted)
        asked, *of_texts = words_of([wanted, *texts])
        kept = _KEPT_ACROSS if self.relevance().across_languages else KEPT
        return [
            (_HELD, KEPT) if korean.has_hangul(text) == hangul else (_ENOUGH_ACROSS[named], kept)
            for text, named in zip(texts, which_name_any(asked, of_texts), strict=True)
        ]

    def _score(self, text: str, texts: Sequence[str], terms: Sequence[str], meant: str) -> list[float]:
        bare = [SearchResult(title="", url="", snippet=text, source="") for text in texts]
        scored = self.relevance().score(bare, text, terms=terms, meant=meant, of_one_text=True)
        scores = [result.relevance_score for result in scored.results if result.relevance_score is not None]
        if len(scores) < len(texts):
            raise EmbeddingError(
                "The passages of the transcript could not be scored.",
                korean="영상에서 질문과 관련된 부분을 찾지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
            )
        return scores
