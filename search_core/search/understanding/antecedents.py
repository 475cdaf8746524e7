"""What a pointing word means: the nearest fitting thing that was said before it.

Things of the kind that the word asks for, or that stand beside its noun ("화이자 백신" for "이 백신"), are weighed by how near
they were said, and by whether the sentence introduces them ("네덜란드의 ASML입니다").
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from search_core.domain import Reference, ReferenceKind
from search_core.search.understanding.candidates import Candidate
from search_core.search.understanding.phrases import fold
from search_core.search.understanding.transcript_index import REPORTS
from search_core.text.entities import find_entities
from search_core.text.entities.cues import TITLES, looks_like_place
from search_core.text.korean import has_hangul, morphemes
from search_core.text.korean.wordlist import words
from search_core.video.subject import COMMON, Word, runs_with_places, telling_of

_CALLED = re.compile(r"(?:이라는|라는|이라고|라고|이란|란|이라|라)(?![가-힣])")
_IS = re.compile(r"(?:입니다|이에요|예요|이죠|죠|인데|이고|였)|,? (?:is|was|are|were|has|have|which|who)\b")
_TOPIC = re.compile(r"(?:은|는|이|가|께서|도)(?![가-힣])|,? (?:announced|says?|said|made|built|wrote|developed)\b")
_MODIFIES = re.compile(r"의?\s[가-힣A-Za-z]")
"""What follows a thing that is called by its name, that a sentence tells of, is about, and one that only describes another."""
_BROUGHT_UP = re.compile(r"(?:called|named|company|is|was|like|meet|from|using|by) (?:the )?$")
_FOLLOWS = {"called": _CALLED, "is": _IS, "topic": _TOPIC, "modifies": _MODIFIES}
_SENTENCE_END = re.compile(r"[.?!](?:\s|$)|(?:니다|어요|에요|예요|해요|죠|네요|거든요|데요)\s")
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
_ABOUT_AS_NEAR = 0.7
"""Of two things this far apart in log odds the second is right once in three times."""
_PLACED = re.compile(r"(?:에서|으로|에는|에도|에|까지|로)(?![가-힣])")


def find_antecedents(
    text: str, centre: int, reference: Reference, rate: float, *, pointed: bool = False, left_out: Iterable[str] = ()
) -> list[Candidate]:
    """Return what *reference* may mean in *text* when it is used at *centre*, the best first.

    *rate* is how many characters are spoken in a second. *pointed* says that the question's own words point at *centre*, so that
    what stands behind it may be meant as well. *left_out* are names that are never meant: of the channel.
    """
    text = text.replace("\n", " ")
    refused = " ".join(left_out).casefold()
    mentions: dict[str, list[_Mention]] = {}
    for mention in _mentions(text, reference):
        key = fold(mention.text)
        meant = len(key) > 1 and key not in refused and key != fold(reference.head)
        if meant and not REPORTS.match(text, mention.end):
            mentions.setdefault(key, []).append(mention)
    found = [_read(text, centre, reference, rate, each, pointed=pointed) for each in mentions.values()]
    return sorted(found, key=lambda each: -each.worth("antecedents"))


class _Mention(NamedTuple):
    """One place where a thing is spoken of, with what it is there."""

    text: str
    start: int
    end: int
    what: str
    """The kind of a known name, or "word"."""
    beside: float = 0.0
    """1 where it stands beside the noun of the pointing word or ends in it, less beside another noun of the kind."""


def _read(text: str, centre: int, reference: Reference, rate: float, mentions: Sequence[_Mention], *, pointed: bool) -> Candidate:
    """Return the thing of *mentions*, which are in order, with what speaks for it."""
    before = [each for each in mentions if each.end <= centre + rate]
    nearest = min(mentions, key=lambda each: abs(centre - each.end)) if pointed or not before else before[-1]
    away = abs(centre - nearest.end) / rate
    kind, name = reference.kind.value, nearest.text
    what = max((each.what for each in mentions), key=lambda each: each != "word")
    beside = max(each.beside for each in mentions)
    place = looks_like_place(name)
    company = reference.head.casefold() in _COMPANIES
    nouns = _nouns_like(reference.head)
    behind = text[nearest.end : nearest.end + _NOUN_AHEAD].casefold()
    ahead_of_it = text[max(0, nearest.start - _NOUN_BEHIND) : nearest.start].casefold()
    told = told_of(text, nearest.start, nearest.end, centre)
    ahead = not pointed and not before
    return Candidate(
        name,
        {
            f"{kind}: {what}": 1.0,
            f"{kind}: a name": float(is_name(name.split()[-1])),
            f"{kind}: a place": float(place),
            f"{kind}: beside its noun": beside,
            f"{kind}: telling": min(1.0, max(map(telling_of, name.split()))),
            "public, not a company": float(company and name.endswith(_PUBLIC)),
            "in a place": float(bool(_PLACED.match(text, nearest.end)) and reference.kind is ReferenceKind.PLACE),
            **told,
            "its noun behind": float(any(noun in behind for noun in nouns)),
            "called by its noun": float(bool(told["called"]) and any(noun in behind for noun in nouns)),
            "its noun before": float(any(noun in ahead_of_it for noun in nouns)),
            "very near": 0.0 if ahead else math.exp(-away / 6),
            "near": 0.0 if ahead else math.exp(-away / 20),
            "in sight": math.exp(-away / 60),
            "behind": float(ahead),
            "often": math.log1p(len(mentions)),
            "several words": float(" " in name),
        },
    )


def told_of(text: str, start: int, end: int, centre: int) -> dict[str, float]:
    """Return what the sentence does with the thing at ``text[start:end]``, and how many sentences from *centre* it stands."""
    ago = len(_SENTENCE_END.findall(text, *((end, centre) if end < centre else (centre, start))))
    return {
        **{name: float(bool(pattern.match(text, end))) for name, pattern in _FOLLOWS.items()},
        "brought up": float(bool(_BROUGHT_UP.search(text, max(0, start - 20), start))),
        "this sentence": float(ago == 0),
        "sentence before": float(ago == 1),
        "two before": float(ago == 2),
    }


def _mentions(text: str, reference: Reference) -> Iterator[_Mention]:
    """Yield the things that *text* speaks of, in order of place within each way of finding them."""
    nouns = _nouns_like(reference.head)
    person = reference.kind is ReferenceKind.PERSON
    named = find_entities(text)
    found = [_Mention(each.text, each.start, each.end, each.kind.value) for each in named]
    for run in runs_with_places(text):
        found += _beside_noun(text, run, reference.head.casefold(), nouns | TITLES if person else nouns, person=person)
        for word, start, end in run:
            inside = any(each.start < end and start < each.end for each in named)
            if not inside and word.casefold() not in nouns and telling_of(word) >= 1.5 * COMMON:
                found.append(_Mention(word, start, end, "word"))
    yield from sorted(found, key=lambda each: each.end)


def _beside_noun(text: str, run: Sequence[Word], head: str, nouns: Iterable[str], *, person: bool) -> Iterator[_Mention]:
    """Yield what stands beside one of *nouns* in *run* ("영화 미나리", "라이트 형제"), and words that end in one ("파리협정")."""
    for place, (word, start, end) in enumerate(run):
        folded = word.casefold()
        own = [noun for noun in nouns if folded.endswith(noun) and (len(noun) > 1 or len(folded) < 7)]
        if not own:
            continue
        weight = 1.0 if head in own else 0.6
        if folded not in own and not person:
            yield _Mention(word, start, end, "word", weight * 0.8)
        for name in (*run[:place][-1:], *run[place + 1 : place + 2]):
            if not person or is_name(name[0]):
                joined = not person and folded in own and name[1] < start
                written = text[name[1] : end] if joined else name[0]
                yield _Mention(written, name[1], end if joined else name[2], "word", weight * (1.0 if is_name(name[0]) else 0.7))


def _nouns_like(head: str) -> frozenset[str]:
    """Return the nouns that may end the name of what *head* calls: itself, and others for the same kind of thing."""
    folded = head.casefold()
    if not folded:
        return frozenset()
    return frozenset({folded}).union(*(group for group in _SAME_KIND if folded in group))


def is_name(word: str) -> bool:
    """Return whether *word* is a name by its letters or to the analyser."""
    if not has_hangul(word):
        return word[:1].isupper() or word != word.lower()
    return any(each.tag in ("NNP", "SL") or each.unknown for each in morphemes(word))


def full_name(text: str, name: str) -> str:
    """Return the full name that *text* gives for a surname with a title ("안 대표" for 안철수 대표), or *name*."""
    titled = re.fullmatch(r"([가-힣])\s?([가-힣]{2,6})", name)
    if titled is None or titled[2] not in TITLES:
        return name
    found = re.search(rf"(?<![가-힣]){titled[1]}[가-힣]{{2}}(?=\s?(?:[가-힣]+ )?{titled[2]})", text)
    return found[0] if found else name


def are_near(best: Sequence[Candidate]) -> bool:
    """Return whether the second of *best* fits about as well as the first."""
    return len(best) > 1 and best[1].worth("antecedents") >= best[0].worth("antecedents") - _ABOUT_AS_NEAR
