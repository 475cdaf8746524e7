"""What a question asks for, understood before anything is searched."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Sequence

from search_core.domain import MAX_QUESTION_CHARS, ConversationMemory, Reference, SearchIntent, SearchType, VideoContext
from search_core.errors import QuestionError
from search_core.search.intent.cues import (
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
from search_core.search.intent.english_references import english_references
from search_core.search.intent.korean_references import BACKWARD_MARKERS, korean_references
from search_core.search.intent.open_subject import leaves_subject_open
from search_core.text.korean import Morpheme, detect_language, has_hangul, morphemes, normalize
from search_core.text.korean.content import ContentTerm, content_terms, excluded_words
from search_core.text.korean.exclusions import exclusions

_KOREAN_CONTINUERS = frozenset(
    {"그럼", "그러면", "그렇다면", "그런데", "근데", "그래서", "그리고", "이제", "그렇지만", "그래도", "반면"}
)
_KOREAN_MORE = re.compile(
    r"(?<![가-힣])(?:더 |또 |다시|나머지|다른 |계속|이어서|(?:첫|두|세|네) ?번째|(?:첫|두|세)째|마지막|둘 (?:중|"
    r"다)|각각|예를 들|같은 )"
)
"""Words of a later turn: more of it, another one, the second one, the same again."""
_KOREAN_OPENING = re.compile(
    r"(?:첫|두|세|네|마지막) ?(?:번째|째|가지) |(?:다른|나머지|마지막|또 다른) |이제 |다시 |.{0,12}(?:첫 번째|"
    r"두 번째|세 번째|마지막) (?:예|질문|답|문장|문제|단계|항목|부분)"
)
"""Openings that count or vary what an earlier turn gave."""
_KOREAN_CONTRAST = re.compile(r"\S+(?: \S+)?[은는](?:요)?\?$")
"""A name and nothing about it: "구글은?"."""
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
_ENGLISH_COMPARED = re.compile(
    r"\bthe (?:\w+est|most \w+|best|worst|first|last|others?|second|main ones?|same)(?: (?:ever|one|ones|for|to|"
    r"in the world|based|so far)\b|\s*\?|\s*$)"
    r"|\b(?:one|others?|another|there)\s*\?*$|\bones\b"
    r"|^(?!.*\bthan\b).*\b(?:better|worse|cheaper|faster|bigger|younger|older|harder|easier|safer|more \w+|"
    r"compare[sd]?|differ)\s*(?:\?|$|:| and\b| for\b| to\b)"
    r"|\b(?:role|impact|effects?|influence|relationship|relation|coverage|significance) (?:of|on|to)\b",
    re.IGNORECASE,
)
"""Superlatives, comparatives and relations that leave out one of the things they set side by side."""
_ENGLISH_SOME_OF_IT = re.compile(
    r"^what (?:are|were|is) (?:the |some |some of the )*(?:other |most )?(?:important|main|common|good|best|"
    r"popular|notable|major|key|different|recent|first) "
    r"(?:\w+ ){0,2}\w+(?: in \w+)?\s*\?*$",
    re.IGNORECASE,
)
"""Asks for members of a set that the question does not name ("What are the main layers?")."""
_ENGLISH_DEFINITE = re.compile(
    r"\bthe (?!\w+ (?:of|between|for|in|on|behind|with|that|from|to)\b)[a-z][\w-]*(?: (?:\w+ed|do|does|did|work|"
    r"works|used|sold|made|go|come|cost|look|end|start|happen\w*)\b|\s*\?|\s*$)"
)
"""A definite noun that nothing in the question introduces ("How does the drawing work?")."""
_ENGLISH_NEW_SUBJECT = re.compile(
    r"^(?:(?:so|ok|okay|and|now)[, ]+)?(?:what(?:['’]s| is| are| was| were)(?! the\b)|who(?:['’]s| is| are| was| were)|"
    r"tell me (?:more )?about|describe|define|explain|give me (?:an overview|information)(?: of| on| about)|"
    r"(?:can you )?(?:talk|tell me) about|i(?:['’]m| am) interested in|compare)\b",
    re.IGNORECASE,
)
"""Openings that bring up something new; "what is the …" rather speaks of what is known already."""
_PLACED = re.compile(r"\b(?:in|at|from|for) (?:the )?$", re.IGNORECASE)
_TIME_OR_RANK = re.compile(r"\d+(?:분기|월|위|등)")
"""A part of some year, or a place in some order: of what, the question does not say."""
_MIN_SPECIFIC = 3
"""A question with this many words that name things opens a subject of its own, whatever was said before."""
_WHOLE_SUBJECT = 2


def ground(
    text: str, analysed: Sequence[Morpheme], terms: Sequence[ContentTerm], *, has_video: bool, memory: ConversationMemory
) -> tuple[bool, tuple[Reference, ...]]:
    """Return whether the question *text* hangs on the video and the earlier turns, and its words that point outside.

    *terms* are its content terms. A word that points outside makes any question hang; a question that names properties only
    ("매출은?") hangs when there is something they can belong to, and so does one that leaves its subject to the video.
    """
    korean = has_hangul(text)
    references = _outer_korean(text, analysed, terms) if korean else english_references(text)
    if references:
        return True, references
    specific = specific_terms(terms)
    if not terms:
        return True, ()
    if memory.turns:
        vague = _korean_follow_up(_without_exclusions(text), specific) if korean else _english_follow_up(text, specific, memory)
    else:
        vague = has_video and all(term.predicate for term in specific)
    if has_video and korean and not vague:
        vague = leaves_subject_open(text, analysed, specific, sum(term.attribute for term in terms))
    return vague or (not specific and _continues(text, analysed)), ()


def specific_terms(terms: Sequence[ContentTerm]) -> list[ContentTerm]:
    """Return those of *terms* that name more than a property, a part of some year or a place in some order."""
    return [term for term in terms if not (term.attribute or _TIME_OR_RANK.fullmatch(term.text))]


def _outer_korean(text: str, analysed: Sequence[Morpheme], terms: Sequence[ContentTerm]) -> tuple[Reference, ...]:
    left_out, letters = exclusions(text), list(filter(str.isalpha, text))
    mostly_latin = sum(map(str.isascii, letters)) > len(letters) / 2
    return tuple(
        reference
        for reference in (*korean_references(text, analysed), *(english_references(text) if mostly_latin else ()))
        if not _answered_inside(analysed, terms, reference)
        and not any(gone.start <= reference.start < gone.end for gone in left_out)
    )


def _answered_inside(analysed: Sequence[Morpheme], terms: Sequence[ContentTerm], reference: Reference) -> bool:
    """Return whether the question itself names, in a clause before, what the reference points at.

    What points back at an earlier turn ("앞의 답을") is answered by a whole sentence only.
    """
    before = [term for term in terms if term.end <= reference.start and not term.attribute]
    joints = [m.tag for m in analysed if m.end <= reference.start]
    if "EF" in joints and ("SF" in joints or "SP" in joints):
        return len(before) >= _WHOLE_SUBJECT
    if any(reference.text.startswith(marker) for marker in BACKWARD_MARKERS):
        return False
    if "JC" in joints and before:
        return True
    return "EC" in joints and len(before) >= _WHOLE_SUBJECT


def _continues(text: str, analysed: Sequence[Morpheme]) -> bool:
    return bool(
        _KOREAN_MORE.search(text) or _ENGLISH_CONTINUER.match(text) or (analysed and analysed[0].form in _KOREAN_CONTINUERS)
    )


def _korean_follow_up(text: str, specific: Sequence[ContentTerm]) -> bool:
    """Return whether *text* goes on with the earlier turns: it opens so, asks for more of the same, or names nothing."""
    nouns = [term for term in specific if not term.predicate]
    if not nouns or _KOREAN_OPENING.match(text) or _KOREAN_CONTRAST.match(text):
        return True
    short = len(nouns) < _MIN_SPECIFIC
    if text.split(" ", 1)[0].rstrip(",") in _KOREAN_CONTINUERS and short:
        return True
    return bool(_KOREAN_MORE.search(text)) and short and not re.search(r"뭐|무엇|누구|뭔", text)


def _without_exclusions(text: str) -> str:
    for gone in reversed(exclusions(text)):
        text = text[: gone.start] + text[gone.end :].lstrip()
    return text


def _english_follow_up(text: str, specific: Sequence[ContentTerm], memory: ConversationMemory) -> bool:
    """Return whether *text* goes on with the earlier turns: it leaves something out, or opens no subject."""
    if any(cue.search(text) for cue in (_ENGLISH_CONTINUER, _ENGLISH_REACTION, _ENGLISH_COMPARED)):
        return True
    shared = _shares_subject(specific, memory)
    if not shared and (_ENGLISH_SOME_OF_IT.search(text) or _ENGLISH_DEFINITE.search(text)):
        return True
    names = (term for term in specific if term.start > 0 and term.text[0].isupper())
    if shared or any(not _PLACED.search(text[: term.start]) for term in names):  # one after "in" only says where
        return False
    if specific and _ENGLISH_NEW_SUBJECT.match(text):
        return False
    if has_hangul(memory.turns[-1].question):  # whoever changes the language and names a thing has changed the subject
        return not specific
    return len(specific) < _MIN_SPECIFIC


def _shares_subject(specific: Sequence[ContentTerm], memory: ConversationMemory) -> bool:
    """Return whether the question itself names what the earlier turns were about."""
    earlier_stems = {_stem(term.text) for turn in memory.turns for term in content_terms(turn.question) if not term.attribute}
    return any(_stem(term.text) in earlier_stems for term in specific)


def _stem(word: str) -> str:
    return re.sub(r"(?:es|s)$", "", word.casefold())


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
        _, references = ground(text, morphemes(text), terms, has_video=False, memory=ConversationMemory())
        return _search_terms(terms, references)

    def determine_search_type(self, query: str) -> SearchType:
        """Return whether *query* wants news, background or anything else."""
        return search_type(validate_question(query))[0]

    def _analyse(self, text: str, video: VideoContext | None, memory: ConversationMemory) -> SearchIntent:
        terms = self._terms_of(text)
        requires_context, references = ground(text, morphemes(text), terms, has_video=video is not None, memory=memory)
        kind, confidence = search_type(text)
        if requires_context and memory.turns and confidence < _SURE:
            kind, confidence = search_type(memory.turns[-1].question)
        return SearchIntent(
            query=text,
            intent_type=kind,
            confidence=confidence,
            search_terms=_search_terms(terms, references),
            requires_context=requires_context,
            language_preference=_language(text),
            references=references,
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
