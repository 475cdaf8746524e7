"""Which name a Korean sentence is about, and what it calls a thing by ("훈민정음이라는 책")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_core.entities.cues import ORG_ENDINGS
from search_core.korean import Morpheme, morphemes
from search_core.korean.wordlist import words

_TOPIC = frozenset({"은", "는", "이", "가"})
_NOUNS = frozenset({"NNP", "NNG", "SL", "SN", "SH", "XSN", "XR"})
_NAMES = frozenset({"NNP", "SL"})
_QUOTES = r"[\"“‘'「『《〈]"
_CLOSES = r"[\"”’'」』》〉]"
_MOST_CHARS = 24
NAMED_THINGS = words(
    """
    책 소설 시집 영화 드라마 다큐멘터리 노래 앨범 그림 작품 게임 앱 서비스 프로그램 언어 약 신약 치료제 백신 차 차량 자동차 모델
    제품 기기 로켓 위성 탐사선 망원경 우주선 비행기 전투기 다리 건물 탑 성 섬 산 강 호수 도시 마을 나라 병 질병 바이러스 동물 코인
    그룹 밴드 대학 병원 박물관 미술관 성당 사찰
    """
)
"""Things that have names of their own; "이 문제" and "이 비율" have none."""


def subject_of(sentence: str) -> str:
    """Return the first run of nouns that a particle marks as topic or subject, from its first name on; empty without a name."""
    analysed = morphemes(sentence)
    for index in range(1, len(analysed)):
        here = analysed[index]
        if here.tag not in ("JX", "JKS") or here.form not in _TOPIC or not _is_noun(analysed[index - 1]):
            continue
        name = _name_before(sentence, analysed, index)
        if name:
            return name
    return ""


def company_of(sentence: str) -> str:
    """Return the first compound of nouns, marked as topic or subject, that ends as companies do; empty without one."""
    analysed = morphemes(sentence)
    for index in range(2, len(analysed)):
        here, before = analysed[index], analysed[index - 1]
        if here.tag in ("JX", "JKS") and here.form in _TOPIC and before.form in ORG_ENDINGS and before.end == here.start:
            word = sentence[sentence.rfind(" ", 0, before.start) + 1 : before.end]
            if len(word) > len(before.form) + 1:
                return word
    return ""


def find_name(sentence: str, head: str) -> str:
    """Return the name by which *sentence* calls a thing of the kind *head*; empty when it calls none by a name."""
    kind = re.escape(head)
    found = re.search(
        rf"(?P<name>(?:(?!그의|이의|저의|우리의)[^\s,]+의 )?[^\s,]+?)"
        rf"(?:이라는|라는|이란|란|이라고 하는|라고 하는) (?:[가-힣]+ )?{kind}"
        rf"|{kind} {_QUOTES}(?P<quoted>[^\"”’'」』》〉]{{1,24}}){_CLOSES}"
        rf"|{_QUOTES}(?P<before>[^\"”’'」』》〉]{{1,24}}){_CLOSES}(?:이라는|라는)? ?{kind}",
        sentence,
    )
    if found is None:
        return ""
    return (found["name"] or found["quoted"] or found["before"]).strip("\"'“”‘’「」『』《》〈〉")


def _is_noun(here: Morpheme) -> bool:
    return here.tag in _NOUNS or here.form == "호"


def _name_before(sentence: str, analysed: Sequence[Morpheme], particle: int) -> str:
    start = particle
    while start and _is_noun(analysed[start - 1]) and analysed[start].start - analysed[start - 1].end <= 1:
        start -= 1
    run = analysed[start:particle]
    first = next((place for place, each in enumerate(run) if each.tag in _NAMES), None)
    if first is None:
        return ""
    while first and run[first - 1].end == run[first].start:
        first -= 1
    if any(left.tag == "SN" for left, _ in pairwise(run[:first])):
        return ""
    name = sentence[run[first].start : run[-1].end]
    return name if 1 < len(name) <= _MOST_CHARS else ""
