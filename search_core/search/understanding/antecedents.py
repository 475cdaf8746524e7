"""What a pointing word means: of what is spoken of there the thing that fits it best."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from search_core.domain.query import Reference, ReferenceKind
from search_core.search.understanding.candidates import Candidate
from search_core.search.understanding.phrases import fold, holds
from search_core.search.understanding.things import Surroundings, Thing
from search_core.text.entities.cues import TITLES
from search_core.text.korean.wordlist import words

_NOUN_AHEAD, _NOUN_BEHIND = 24, 12
"""Characters within which the noun of the pointing word stands behind a name ("E Ink라는 회사"), or before it."""
_COMPANIES = words(
    "회사 기업 업체 제조사 브랜드 스타트업 은행 증권사 통신사 신문 방송사 매체 company firm business startup brand"
)
_PUBLIC = (
    *words("부 처 청 위원회 위 법원 지법 고법 경찰 검찰 경찰서 정부 국회 의회 당 시청 구청 당국 본부 대학 대학교 병원"),
    "공정위", "식약처",
)  # fmt: skip
"""Endings of what is no company."""
_SAME_KIND = tuple(
    words(group)
    for group in (
        "법 법안 법률 특별법 개정안 조례 규제 제도 정책 대책 지침 규정 law act bill policy rule",
        "사건 사고 화재 참사 의혹 사태 소송 재판 지진 태풍 incident accident case trial earthquake",
        "행사 대회 회의 회담 포럼 축제 경기 선거 전시회 박람회 정상회의 총회 event conference summit meeting",
        "백신 약 약물 치료제 제품 기기 칩 모델 서비스 앱 프로그램 폰 차 자동차 로켓 위성 발사체 product device chip model app",
        "기술 공정 장비 방식 방법 기법 이론 정리 법칙 공식 알고리즘 현상 효과 theorem method technique formula",
        "프레임워크 라이브러리 언어 도구 framework library language tool",
        "도시 나라 국가 지역 마을 동네 섬 산 강 시장 다리 city country region town village island bridge",
    )
)
"""Nouns that call the same kind of thing by other names."""
_KINDS = ("person", "organization", "event", "other")
_OF_PLACE = ("just before", "before", "just after", "after", "ahead only", "this sentence", "beside")
"""What tells where a thing stands: counted for itself where the question describes the thing, for nothing was said before."""
_ABOUT_AS_NEAR = 0.7
"""Of two things this far apart in log odds the second is right once in three times."""


def find_antecedents(
    around: Surroundings, reference: Reference, near: Mapping[str, float], said: str, *, described: bool
) -> list[Candidate]:
    """Return what *reference* may mean of what is spoken of *around* it, the best first, without what *said* holds.

    *near* is how near each thing stands to the question's other words; where these describe it, that counts otherwise.
    """
    nouns = _nouns_like(reference.head)
    meant = (each for each in around.things if fold(each.text) not in nouns and not holds(said, each.text))
    found = [Candidate(each.text, {**each.read, **_fit(around.text, reference, nouns, each)}) for each in meant]
    for each in found:
        each.read["beside"] = near.get(each.text, 0.0)
        if described:
            each.read.update({f"described: {name}": each.read[name] for name in _OF_PLACE})
    return sorted(found, key=lambda each: -each.score("antecedents"))


def fits(thing: Candidate, reference: Reference) -> bool:
    """Return whether *thing* is of the kind of *reference*, or is called by its noun anywhere near."""
    kind = reference.kind.value
    named = kind in _KINDS[:-1] and f"{kind}: {kind}" in thing.read
    return named or any(value > 0 and "noun" in name for name, value in thing.read.items())


def _fit(text: str, reference: Reference, nouns: frozenset[str], thing: Thing) -> dict[str, float]:
    """Return how *thing* fits the kind and the noun of *reference*."""
    kind, head, folded, read = reference.kind.value, reference.head.casefold(), thing.text.casefold(), thing.read
    own = [noun for noun in nouns if folded.endswith(noun) and (len(noun) > 1 or len(folded) < 7)]
    titled = nouns | TITLES if reference.kind is ReferenceKind.PERSON else nouns
    ahead = [text[each.end : each.end + _NOUN_AHEAD].casefold() for each in thing.mentions]
    behind = [text[max(0, each.start - _NOUN_BEHIND) : each.start].casefold() for each in thing.mentions]
    is_ahead = any(noun in words_ahead for noun in nouns for words_ahead in ahead)
    last_behind = {each.split()[-1] for each in behind if each.strip() and each.endswith(" ")}
    opens_ahead = tuple(noun for noun in titled if len(noun) > 1)
    what = next((each for each in _KINDS if each in read), "word")
    return {
        f"{kind}: {what}": 1.0,
        f"{kind}: a name": read["proper"],
        f"{kind}: a place": read["place"],
        f"{kind}: ends in its noun": 1.0 if head in own else 0.6 * bool(own),
        f"{kind}: its noun just before": float(not titled.isdisjoint(last_behind)),
        f"{kind}: its noun just behind": float(any(each.lstrip().startswith(opens_ahead) for each in ahead)),
        f"{kind}: telling": read["telling"],
        f"{kind}: several words": read["several words"],
        "public, not a company": float(head in _COMPANIES and thing.text.endswith(_PUBLIC)),
        "in a place": float("placed" in read and reference.kind is ReferenceKind.PLACE),
        "its noun behind": float(is_ahead),
        "called by its noun": float(is_ahead and "called" in read),
        "its noun before": float(any(noun in words_behind for noun in nouns for words_behind in behind)),
    }


@lru_cache(maxsize=512)
def _nouns_like(head: str) -> frozenset[str]:
    """Return the nouns that may end the name of what *head* calls: itself, and others for the same kind of thing."""
    folded = head.casefold()
    if not folded:
        return frozenset()
    return frozenset({folded}).union(*(group for group in _SAME_KIND if folded in group))


def full_name(text: str, name: str) -> str:
    """Return the full name that *text* gives for a surname with a title ("안 대표" for 안철수 대표), or *name*."""
    titled = re.fullmatch(r"([가-힣])\s?([가-힣]{2,6})", name)
    if titled is None or titled[2] not in TITLES:
        return name
    found = re.search(rf"(?<![가-힣]){titled[1]}[가-힣]{{2}}(?=\s?(?:[가-힣]+ )?{titled[2]})", text)
    return found[0] if found else name


def are_near(best: Sequence[Candidate]) -> bool:
    """Return whether the second of *best* fits about as well as the first."""
    return len(best) > 1 and best[1].score("antecedents") >= best[0].score("antecedents") - _ABOUT_AS_NEAR
