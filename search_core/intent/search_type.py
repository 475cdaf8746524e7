"""What kind of material a question wants: news, background or anything else."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from search_core.domain import SearchType
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
from search_core.korean import Morpheme, has_hangul, morphemes

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
