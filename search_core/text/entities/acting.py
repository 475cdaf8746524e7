"""Which names of a talk are those of organisations, by what is said of them: that they make, sell, employ and announce.

Short forms and coined names look alike, whether of companies or of what they make; a talk tells them apart by its verbs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from search_core.text.korean import has_hangul, morphemes
from search_core.text.korean.wordlist import words

_LEAST = 2
"""So often an organisation's doing has to be told of a name; being called a company counts for two."""
_LEAST_SHARE = 0.2
"""Of its mentions: things that companies make stand beside such verbs at times."""
_STRETCH = 60
_COINED = re.compile(r".[^\W\d_]*[A-Z0-9]")
"""More than a capital at its beginning; persons are written with that alone, and sell and say things as well."""
_CALLED = words("회사 기업 업체 제조사 스타트업 기관 연구소 협회 대기업 중소기업")
_OWNED = words(
    "본사 직원 주가 매출 회장 사장 대표이사 최고경영자 CEO 지분 임원 노조 영업이익 창업자 계열사 자회사 경영진 주주 공장 점유율"
)
_DONE = words(
    """
    내놓 밝히 사들이 팔 짓 세우 맡기 뽑 발표 출시 인수 투자 생산 판매 공급 승인 합병 고용 채용 체결 계약 전망 선언 상장 납품 수주
    양산 증설 건설 매각 제휴 협력 공시 인상 인하
    """
)
"""What organisations do: nouns, and stems of verbs."""
_UNDERGONE = words("인수 사들이 투자 납품 협력 제휴 고소 공급 맡기 소송")
"""What is done to them, or with them."""
_PARTICLE = re.compile(r"(이라는|라는|에서는|에서|이|가|은|는|도|을|를|에|와|과|의)?(?![가-힣])\s*")
_SUBJECT = frozenset({"이", "가", "은", "는", "도", "에서", "에서는"})
_ALTERNATIVES = "|".join(sorted(_CALLED))
_CALLED_BEFORE = re.compile(rf"(?:{_ALTERNATIVES})(?:는|은|인|가|이)?\s(?:바로\s)?$")
_AUXILIARY = r"(?:(?:is|are|was|were|has|have|had|will|also|now|just|finally|first|already|then|still|would|only|can)\s)*"
_ENGLISH_DONE = re.compile(
    rf"\s{_AUXILIARY}(?:announc|acquir|bought|buy|s(?:old|ells?|elling)\b|ship|build|built|employ|hire|suppl|paid|pays|laid\soff|"
    r"raised|launched|invest|own(?:s|ed)|licens|manufactur|assembl|says\b|said\b|told\b|joined|partnered|founded|headquartered|sued|"
    r"retired|cancelled)|['’]s?\s(?:\w+\s){0,2}(?:ceo|founder|chief|chairman|president|factor|fabs?\b|revenue|stock|shares|"
    r"employees|engineers|headquarters|customers|board\b|earnings)"
    r"|\s(?:has|have|had)(?:\s\w+){1,4}?\s(?:employees|engineers|people|workers|factories|fabs?|euros|dollars|customers)\b",
    re.IGNORECASE,
)
_ENGLISH_CALLED = re.compile(
    r"\s(?:is|was|are)\s(?:an?\s|the\s)?(?:\w+\s){0,3}?(?:company|startup|agency|firm|manufacturer|supplier)\b", re.IGNORECASE
)
_ENGLISH_BEFORE = re.compile(
    r"\b(?:partners?\sat|together\swith|partnership\swith|(?:bought|acquired|owned|built|made)\sby|invested\sin|shares\sof|"
    r"(?:ceo|founder|president|employees|chairman)\s(?:of|at)|(?:engineers|people|team|colleagues|friends|customers)\s(?:at|from|like)|"
    r"work(?:s|ed|ing)?\s(?:with|for)|compet(?:es?|ing|itors)\s(?:with|like))\s$",
    re.IGNORECASE,
)
_ENGLISH_CALLED_BEFORE = re.compile(r"\b(?:company|startup|firm|agency)\s(?:called\s|named\s|like\s)?$", re.IGNORECASE)


def acting_names(text: str, names: Collection[str], others: Collection[str] = ()) -> tuple[str, ...]:
    """Return those of *names* of which *text* speaks as of organisations, often enough to be no chance.

    What is told of a name ends where another one begins, of *names* or of *others*.
    """
    if not names:
        return ()
    alternatives = "|".join(re.escape(name) for name in sorted({*names, *others}, key=len, reverse=True))
    mentions = list(re.finditer(rf"(?<![A-Za-z0-9가-힣])(?:{alternatives})(?![A-Za-z0-9])", text))
    votes: dict[str, list[int]] = {name: [] for name in names}
    for place, mention in enumerate(mentions):
        if mention[0] in votes:
            start = mentions[place - 1].end() if place else 0
            end = mentions[place + 1].start() if place + 1 < len(mentions) else len(text)
            before = re.split(r"[.?!]\s", text[max(start, mention.start() - _STRETCH) : mention.start()])[-1]
            after = re.split(r"[.?!](?:\s|$)", text[mention.end() : min(end, mention.end() + _STRETCH)], maxsplit=1)[0]
            votes[mention[0]].append(_told_in_korean(before, after) if has_hangul(before + after) else _told(before, after))
    return tuple(name for name, told in votes.items() if _is_organisation(name, told))


def _is_organisation(name: str, told: Sequence[int]) -> bool:
    """Return whether what each mention of *name* told is enough."""
    enough = sum(told) >= _LEAST and sum(map(bool, told)) >= _LEAST_SHARE * len(told)
    return enough and (_COINED.match(name) is not None or max(told) >= _LEAST)


def _told(before: str, after: str) -> int:
    """Return how far English words around a name speak for an organisation: 2, 1 or 0."""
    if _ENGLISH_CALLED_BEFORE.search(before) or _ENGLISH_CALLED.match(after):
        return 2
    return int(_ENGLISH_BEFORE.search(before) is not None or _ENGLISH_DONE.match(after) is not None)


def _told_in_korean(before: str, after: str) -> int:
    """Return how far Korean words around a name speak for an organisation: 2, 1 or 0."""
    if _CALLED_BEFORE.search(before):
        return 2
    found = _PARTICLE.match(after)
    if found is None:
        return 0
    said = [each for each in morphemes(after[found.end() :]) if not each.tag.startswith("J")]
    forms = [each.form for each in said]
    particle = found[1] or ""
    if particle in ("라는", "이라는"):
        return 2 * any(form in _CALLED for form in forms[:2])
    if particle in _SUBJECT:
        if any(noun.form in _CALLED and verb.tag == "VCP" for noun, verb in pairwise(said)):
            return 2
        return int(any(form in _DONE or form in _OWNED for form in forms))
    if particle in ("", "의"):
        return int(any(form in _OWNED for form in forms[:2]))
    return int(any(form in _UNDERGONE for form in forms[:3]))
