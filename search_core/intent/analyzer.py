"""Understands a question before anything is searched."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from search_core.domain import MAX_QUESTION_CHARS, ConversationMemory, Reference, SearchIntent, SearchType, VideoContext
from search_core.errors import QuestionError
from search_core.intent.search_type import search_type
from search_core.intent.vagueness import ground
from search_core.korean import detect_language, has_hangul, morphemes, normalize
from search_core.korean.content import ContentTerm, content_terms, excluded_words

logger = logging.getLogger(__name__)

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
