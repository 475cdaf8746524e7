"""What a question asks for, understood before anything is searched."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Sequence

from search_core.domain import MAX_QUESTION_CHARS, ConversationMemory, Reference, SearchIntent, SearchType, VideoContext
from search_core.errors import QuestionError
from search_core.intent.cues import (
    ASKING_FORMS,
    BACKGROUND_PHRASES,
    BACKGROUND_WORDS,
    ENGLISH_CUES,
    GENERAL_PHRASES,
    GENERAL_WORDS,
    HEADLINE_SIGNS,
    NEWS_PHRASES,
    NEWS_WORDS,
)
from search_core.intent.vagueness import ground
from search_core.korean import Morpheme, detect_language, has_hangul, morphemes, normalize
from search_core.korean.content import ContentTerm, content_terms, excluded_words

logger = logging.getLogger(__name__)

_SHARPNESS = 2.0
"""Slope of confidence over the lead of the best kind; confidence then meets the share right on the shipped questions."""
_PRIOR = {SearchType.NEWS: 0.0, SearchType.BACKGROUND: 0.1, SearchType.GENERAL: 0.35}
"""General wins when nothing speaks for the others."""
_MIN_HEADLINE_NOUNS = 4
_LONG_HEADLINE_NOUNS = 6
_LATIN_PHRASE = re.compile(r"[A-Za-z]{3}.*[A-Za-z]{3}")
_POLITE_END = re.compile(r"(?:요|까|가|나|지|니|냐|줘|세요|래|죠)\s*\??$")
_FACT_DISCOUNT = 0.5
"""Words of the news count half in a question for who, when or where: "누가 언제 발표했나" asks for a fact."""
_RECENT = re.compile(r"최근|최신|오늘|어제|이번|요즘|올해|지난주|지난달|이달|뉴스|소식|속보|현황|동향")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_WORDLIKE = re.compile(r"[^\W_]")
_WANTS_ENGLISH = re.compile(
    r"영어\s?(?:로|권|판|자료|기사|문서|원문|논문)|영문|해외 (?:자료|반응|기사|언론|논문)|\bin english\b", re.IGNORECASE
)
_WANTS_KOREAN = re.compile(r"한국어\s?(?:로|판|자료|기사)|한글\s?(?:로|판|자료)|국문|\bin korean\b", re.IGNORECASE)
_UNSURE = 0.34
"""Confidence of an analysis that failed: a third, for there are three kinds."""

_SURE = 0.5
"""A follow-up that says less about its kind than this ("그럼 경쟁사는?") is of the kind of the turn before."""


def search_type(text: str) -> tuple[SearchType, float]:
    """Return the kind of material *text* asks for and how sure that is, in [1/3, 1]."""
    scores = dict(_PRIOR)
    korean = has_hangul(text)
    if korean:
        _add_korean(scores, text, morphemes(text))
    if not korean or _LATIN_PHRASE.search(text):
        for kind, weight, cue in ENGLISH_CUES:
            if cue.search(text):
                scores[kind] += weight
    best = max(scores, key=lambda kind: scores[kind])
    total = sum(math.exp(_SHARPNESS * (score - scores[best])) for score in scores.values())
    return best, 1.0 / total


def _add_korean(scores: dict[SearchType, float], text: str, analysed: Sequence[Morpheme]) -> None:
    forms = dict.fromkeys(m.form for m in analysed)
    asks_fact = any(form in ASKING_FORMS for form in forms) and not _RECENT.search(text)
    for kind, weights, phrases in (
        (SearchType.NEWS, NEWS_WORDS, NEWS_PHRASES),
        (SearchType.BACKGROUND, BACKGROUND_WORDS, BACKGROUND_PHRASES),
        (SearchType.GENERAL, GENERAL_WORDS, GENERAL_PHRASES),
    ):
        found = sum(weights.get(form, 0.0) for form in forms)
        discount = _FACT_DISCOUNT if kind is SearchType.NEWS and asks_fact else 1.0
        scores[kind] += discount * found + sum(weight for phrase, weight in phrases if phrase.search(text))
    scores[SearchType.NEWS] += _headline(text, analysed, scores[SearchType.NEWS])


def _headline(text: str, analysed: Sequence[Morpheme], news: float) -> float:
    """Return how much *text* reads like a headline: a telegram of nouns that neither asks nor requests.

    A short run of nouns is a headline only beside a sign of one or a word of the *news*; else it is a bare query.
    """
    if _asks(text, analysed):
        return 0.0
    nouns = [m for m in analysed if m.tag in ("NNG", "NNP", "SL", "SH", "SN")]
    score = sum(weight for sign, weight in HEADLINE_SIGNS if sign.search(text))
    if len(nouns) >= _LONG_HEADLINE_NOUNS or (len(nouns) >= _MIN_HEADLINE_NOUNS and (score or news > 0)):
        score += min(1.2, 0.3 * (len(nouns) - _MIN_HEADLINE_NOUNS + 1)) + 0.4 * any(m.tag == "NNP" for m in analysed)
    return min(score, 3.0)


def _asks(text: str, analysed: Sequence[Morpheme]) -> bool:
    if _POLITE_END.search(text) and any(m.tag == "EF" for m in analysed[-3:]):
        return True
    return text.endswith("?") and any(m.form in ASKING_FORMS for m in analysed)


def validate_question(text: str) -> str:
    """Return *text* in Unicode NFC, without control and direction signs, white space made single.

    Raises QuestionError when no letter or digit is left or the question is longer than ``MAX_QUESTION_CHARS``.
    """
    tidy = _SPACES.sub(" ", _INVISIBLE.sub(" ", normalize(text))).strip()
    if not tidy:
        raise QuestionError("The question is empty.", korean="질문이 비어 있어요. 알고 싶은 것을 적어 주세요.")
    if not _WORDLIKE.search(tidy):
        raise QuestionError(
            "The question holds neither a letter nor a digit.",
            korean="질문에 검색할 낱말이 없어요. 기호나 그림 대신 알고 싶은 것을 글로 적어 주세요.",
        )
    if len(tidy) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The question has {len(tidy)} characters; at most {MAX_QUESTION_CHARS} can be searched for.",
            korean=f"질문이 너무 길어요({len(tidy):,}자). {MAX_QUESTION_CHARS}자 안으로 줄여 주세요.",
        )
    return tidy


class QueryIntentAnalyzer:
    """Tells what a question asks for, in which words, and whether it can be understood by itself."""

    def __init__(self, *, terms_of: Callable[[str], tuple[ContentTerm, ...]] = content_terms) -> None:
        """Take the function that finds the content words of a text."""
        self._terms_of = terms_of

    def analyze_intent(
        self, query: str, video_context: VideoContext | None = None, memory: ConversationMemory | None = None
    ) -> SearchIntent:
        """Return what *query* asks for.

        Raises QuestionError for a question that is empty or too long. A failing analysis gives plain words and ``degraded``.
        """
        text = validate_question(query)
        try:
            return self._analyse(text, video_context, memory or ConversationMemory())
        except Exception:  # whatever fails in there, plain keywords must remain; the result says so
            logger.exception("Intent analysis failed; plain keywords are used")
            return _plain(text)

    def extract_search_terms(self, query: str) -> tuple[str, ...]:
        """Return the content words of *query* in order, no doubles, without pointing words and formulas of asking."""
        text = validate_question(query)
        terms = self._terms_of(text)
        grounding = ground(text, morphemes(text), terms, has_video=False, memory=ConversationMemory())
        return _search_terms(terms, grounding.references)

    def determine_search_type(self, query: str) -> SearchType:
        """Return whether *query* wants news, background or anything else."""
        return search_type(validate_question(query))[0]

    def _analyse(self, text: str, video: VideoContext | None, memory: ConversationMemory) -> SearchIntent:
        terms = self._terms_of(text)
        grounding = ground(text, morphemes(text), terms, has_video=video is not None, memory=memory)
        kind, confidence = search_type(text)
        if grounding.requires_context and memory.turns and confidence < _SURE:
            kind, confidence = search_type(memory.turns[-1].question)
        return SearchIntent(
            query=text,
            intent_type=kind,
            confidence=confidence,
            search_terms=_search_terms(terms, grounding.references),
            requires_context=grounding.requires_context,
            language_preference=_language(text),
            references=grounding.references,
            excluded=excluded_words(text),
        )


def _search_terms(terms: tuple[ContentTerm, ...], references: tuple[Reference, ...]) -> tuple[str, ...]:
    outside = [t for t in terms if not any(r.start <= t.start and t.end <= r.end for r in references)]
    unique: dict[str, str] = {}
    for term in outside:
        unique.setdefault(term.text.casefold(), term.text)
    return tuple(unique.values())


def _language(text: str) -> str:
    if _WANTS_ENGLISH.search(text):
        return "en"
    if _WANTS_KOREAN.search(text) or has_hangul(text):
        return "ko"
    return "en" if detect_language(text) == "en" else "ko"


def _plain(text: str) -> SearchIntent:
    return SearchIntent(
        query=text,
        intent_type=SearchType.GENERAL,
        confidence=_UNSURE,
        search_terms=tuple(dict.fromkeys(text.split(" "))),
        requires_context=False,
        language_preference=_language(text),
        degraded=True,
    )
