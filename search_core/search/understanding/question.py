"""What a question asks for, analysed once: its words with their places, its references, and whether it is self-contained."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence

from search_core.domain.query import ConversationMemory, QuestionTerm, Reference, SearchIntent, SearchType
from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.domain.video import VideoContext
from search_core.errors import QuestionError, SmallTalkError
from search_core.language.korean import detect_language, has_hangul, morphemes, normalize
from search_core.language.korean.content import content_terms
from search_core.language.korean.exclusions import exclusions
from search_core.search.understanding.context import standing_alone
from search_core.search.understanding.kinds import search_type
from search_core.search.understanding.references import outer_references
from search_core.search.understanding.transcript_index import index_of

logger = logging.getLogger(__name__)

_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_WORDLIKE = re.compile(r"[^\W_]")
_WORDS = re.compile(r"[^\W_]+")
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_RUN = 3
"""Letters on as many neighbouring keys are a keyboard run ("asdf"); a text of nothing but runs is no question."""
_RUNS = "|".join(row[at:end] for row in _KEYBOARD for at in range(len(row)) for end in range(len(row), at + _RUN - 1, -1))
_NOISE = re.compile(rf"[ㄱ-ㅎㅏ-ㅣ]+|(?=.{{4}})(?>{_RUNS})++")
_GREETING = re.compile(
    r"(?:안녕|안녕하세요|안녕하십니까|하이|반가워|반갑습니다|고마워|고마워요|고맙습니다|감사|감사해요|감사합니다|땡큐|수고했어|수고하세요|"
    r"잘 자|잘 가|좋은 아침|[ㅋㅎㅠㅜ]+|ㅎㅇ|ㄱㅅ|"
    r"hi|hello|hey|thanks|thank you|thx|good morning|bye)(?: (?:요|there|so much|a lot|맥락|all))*"
)
_WANTS_ENGLISH = re.compile(
    r"영어\s?(?:로|권|판|자료|기사|문서|원문|논문)|영문|해외 (?:자료|반응|기사|언론|논문)|\bin english\b", re.IGNORECASE
)
_WANTS_KOREAN = re.compile(r"한국어\s?(?:로|판|자료|기사)|한글\s?(?:로|판|자료)|국문|\bin korean\b", re.IGNORECASE)
_UNSURE = 0.34
"""Confidence if the analysis failed: a third, as there are three kinds."""
_STANDS_ALONE = 0.45
"""Least probability at which a question counts as self-contained; below it words of the video are added."""
_SURE = 0.5
"""A follow-up with less confidence than this ("그럼 경쟁사는?") has the kind of the turn before."""


def validate_question(text: str) -> str:
    """Return *text* in NFC, without control and direction characters, with single spaces.

    Raises QuestionError when no letter or digit is left, for greetings, thanks and keyboard noise, and when the question is
    longer than ``MAX_QUESTION_CHARS``.
    """
    tidy = _tidy(text)
    words = [word.casefold() for word in _WORDS.findall(tidy)]
    if _GREETING.fullmatch(" ".join(words)):
        raise SmallTalkError(
            "This asks nothing that can be searched for.",
            korean="반가워요! 영상을 보다가 궁금한 것을 물어보면 찾아 드릴게요.",
        )
    if all(map(_NOISE.fullmatch, words)):
        raise QuestionError("This is typed at random.", korean="알아듣지 못했어요. 무엇이 궁금한지 한 문장으로 적어 주세요.")
    return tidy


def _tidy(text: str) -> str:
    tidy = _SPACES.sub(" ", _INVISIBLE.sub(" ", normalize(text))).strip()
    if not tidy:
        raise QuestionError("The question is empty.", korean="질문이 비어 있어요. 알고 싶은 것을 적어 주세요.")
    if not _WORDLIKE.search(tidy):
        raise QuestionError(
            "The question holds neither a letter nor a digit.",
            korean="질문에 검색할 단어가 없어요. 기호나 그림 대신 알고 싶은 것을 글로 적어 주세요.",
        )
    if len(tidy) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The question has {len(tidy)} characters; at most {MAX_QUESTION_CHARS} can be searched for.",
            korean=f"질문이 너무 길어요({len(tidy):,}자). {MAX_QUESTION_CHARS}자 안으로 줄여 주세요.",
        )
    return tidy


class QueryIntentAnalyzer:
    """Determines what a question asks for, its words, and whether it is self-contained."""

    def __init__(self, *, terms_of: Callable[[str], tuple[QuestionTerm, ...]] = content_terms) -> None:
        self._terms_of = terms_of

    def analyze_intent(
        self,
        query: str,
        video_context: VideoContext | None = None,
        memory: ConversationMemory | None = None,
        *,
        moment_s: float | None = None,
    ) -> SearchIntent:
        """Return the intent of *query*, asked at *moment_s* of the video.

        Raises QuestionError for a question that is empty or too long. A failing analysis gives plain words and ``degraded``.
        """
        text = validate_question(query)
        try:
            return self._analyse(text, video_context, memory or ConversationMemory(), moment_s)
        except Exception:  # whatever fails in there, plain keywords must remain; the result says so
            logger.exception("Intent analysis failed; plain keywords are used")
            return _plain(text, moment_s)

    def extract_search_terms(self, query: str) -> tuple[str, ...]:
        """Return the content words of *query* in order, without duplicates, pointing words and question formulas."""
        text = _tidy(query)
        terms = self._terms_of(text)
        return tuple(term.text for term in _search_terms(terms, outer_references(text, morphemes(text), terms)))

    def determine_search_type(self, query: str) -> SearchType:
        """Return whether *query* asks for news, background or anything else."""
        return search_type(_tidy(query))[0]

    def _analyse(self, text: str, video: VideoContext | None, memory: ConversationMemory, moment_s: float | None) -> SearchIntent:
        terms, analysed = self._terms_of(text), morphemes(text)
        references = outer_references(text, analysed, terms)
        follow_up = not references and bool(memory.turns) and goes_on(text, terms)
        own = 0.0 if references or follow_up or not terms else 1.0
        if own and video is not None:
            own = standing_alone(text, analysed, terms, index_of(video), moment_s)
        kind, confidence = search_type(text)
        if own < _STANDS_ALONE and memory.turns and confidence < _SURE:
            kind, confidence = search_type(memory.turns[-1].question)
        search_terms = _search_terms(terms, references)
        return SearchIntent(
            query=text,
            intent_type=kind,
            confidence=confidence,
            search_terms=tuple(term.text for term in search_terms),
            requires_context=own < _STANDS_ALONE,
            language_preference=_language(text),
            references=references,
            excluded=tuple(dict.fromkeys(exclusion.word for exclusion in exclusions(text))),
            terms=search_terms,
            follow_up=follow_up,
            own=own,
            moment_s=moment_s,
        )


def _search_terms(terms: Sequence[QuestionTerm], references: Sequence[Reference]) -> tuple[QuestionTerm, ...]:
    unique: dict[str, QuestionTerm] = {}
    for term in terms:
        if not any(reference.start <= term.start and term.end <= reference.end for reference in references):
            unique.setdefault(term.text.casefold(), term)
    return tuple(unique.values())


def _language(text: str) -> str:
    if _WANTS_ENGLISH.search(text):
        return "en"
    if _WANTS_KOREAN.search(text) or has_hangul(text):
        return "ko"
    return "en" if detect_language(text) == "en" else "ko"


def _plain(text: str, moment_s: float | None) -> SearchIntent:
    words = tuple(dict.fromkeys(text.split(" ")))
    return SearchIntent(
        query=text,
        intent_type=SearchType.GENERAL,
        confidence=_UNSURE,
        search_terms=words,
        requires_context=False,
        language_preference=_language(text),
        degraded=True,
        terms=tuple(QuestionTerm(word, text.find(word), text.find(word) + len(word), False, False, word) for word in words),
        moment_s=moment_s,
    )


_KOREAN_OPENING = re.compile(
    r"(?:첫|두|세|네|마지막) ?(?:번째|째|가지) |(?:다른|나머지|마지막|또 다른) |이제 |다시 |.{0,12}(?:첫 번째|"
    r"두 번째|세 번째|마지막) (?:예|질문|답|문장|문제|단계|항목|부분)"
)
"""Openings that refer to an earlier answer by a number or ask for others ("두 번째", "다른")."""
_KOREAN_CONTRAST = re.compile(r"\S+(?: \S+)?[은는](?:요)?\?$")
"""A question of nothing but a name: "구글은?"."""
_ENGLISH_OPENERS = (
    r"^(?:(?:ok|okay|so|and|but|then|well|also|interesting|really|cool|hmm+|no|yes|wow|oh|great|awesome|thanks|sure|right)"
    r"\b[,.!?]* +)"
)
_ENGLISH_REACTION = re.compile(
    r"^(?:interesting|really|cool|hmm+|wow|oh|great|awesome|nice|thanks|sure|right|ok(?:ay)?|no|yes)\b[,.!?]", re.IGNORECASE
)
"""An answer to what was just said."""
_ENGLISH_CONTINUER = re.compile(
    _ENGLISH_OPENERS + r"*(?:what about|how about|and|but|then|why not|why so|what else|who else|where else|how come|which ones?|"
    r"any (?:other|more)|are there (?:any )?(?:other|more)|more (?:details?|info)|go on|continue|elaborate)\b",
    re.IGNORECASE,
)
_ENGLISH_NEW_SUBJECT = re.compile(
    r"(?:what|who)(?:['’]s| is| are| was| were)(?! the\b)|(?:tell me (?:more )?about|describe|define|explain|compare)\b",
    re.IGNORECASE,
)
"""Openings that introduce something new; "what is the …" usually refers to something known."""
_MIN_SPECIFIC = 3


def goes_on(text: str, terms: Sequence[QuestionTerm]) -> bool:
    """Return whether the question *text*, which has no pointing word, continues the earlier turns."""
    specific = [term for term in terms if not term.attribute]
    if not terms:
        return True
    if has_hangul(text):
        asked = text
        for exclusion in reversed(exclusions(text)):
            asked = asked[: exclusion.start] + asked[exclusion.end :].lstrip()
        names_nothing = all(term.predicate for term in specific)
        return names_nothing or bool(_KOREAN_OPENING.match(asked) or _KOREAN_CONTRAST.match(asked))
    return _is_english_follow_up(text, specific)


def _is_english_follow_up(text: str, specific: Sequence[QuestionTerm]) -> bool:
    """Return whether *text* continues the earlier turns: it is elliptic, or introduces no subject."""
    if _ENGLISH_CONTINUER.match(text) or _ENGLISH_REACTION.match(text):
        return True
    if any(term.start > 0 and term.text[0].isupper() for term in specific):
        return False
    if specific and _ENGLISH_NEW_SUBJECT.match(text):
        return False
    return len(specific) < _MIN_SPECIFIC
