"""What sentences measure, the events they report, and how certain they are, under one name for both languages.

The lists hold what news says of companies, prices, laws and products everywhere; they hold no names and no subjects of videos.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from search_core.language.korean import has_hangul
from search_core.language.words import stem


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_WEIGHED = r"루머|\brumou?r(?:s|ed)?\b|\bconsider(?:s|ing)\b"
"""Words for things considered or rumoured, which are no more than plans."""

DOUBTED = _pattern(
    _WEIGHED,
    r"[ㄹ을할될일]지(?:는|도|가|에)?\s|[는은인]지(?:는|도|를|가)?\s",
    r"여부|검토(?:하|한|되|중)|미정|확인되지\s?않|불확실|불투명|결정된 바|가능성",
    r"\b(?:whether|unclear|might|(?-i:may)|could|unconfirmed|undecided|reportedly)\b",
)
"""Words of questions, wishes and rumours, which assert nothing."""

PLANNED = _pattern(
    _WEIGHED,
    r"계획|예정|후보|추진|검토|논의|협의|신청|소문|관측|전망|예상|목표|준비하|준비\s?중|방안|기대하|희망|요청|요구|제안|발의|청원",
    r"상임위|예비|것으로 보인|것이라는|[ㄹ을할될] 것\s?(?:이|으로)",
    r"\b(?:plan(?:s|ned|ning)?|aims?|seeks?|propos(?:es|ed|al)|appl(?:y|ies|ied)|considered|hopes?|expect(?:s|ed)?"
    r"|intend(?:s|ed)?|meant to|supposed to|wants? to|negotiat\w+|in talks|prepar(?:es|ing)|forecast"
    r"|target(?:s|ed)?|nominat\w+|demands?|would|will)\b",
)
"""Words for things intended, demanded or expected that have not happened."""

_DROPPED = (
    r"취소|철회|무산|중단|백지화|폐기|포기|결렬|\b(?:cancel(?:l?ed|s)?|withdr(?:ew|awn?|aws)|scrap(?:s|ped)|abandon(?:s|ed)"
    r"|halt(?:s|ed)|called off|terminated|drop(?:s|ped) (?:the|its) plan)\b"
)
_POSTPONED = r"미루|미뤘|미뤄|연기[하했됐]|보류|유예|실패|불발|\b(?:postpon\w+|delay(?:s|ed)|fail(?:s|ed))\b"

PUT_OFF = _pattern(_DROPPED, _POSTPONED)
"""Words of what has not come about, for now or for good; a refusal is an event of its own."""

_METRICS = """
margin 영업이익률 이익률 마진 margin
operating_profit 영업이익 operating+profit operating+income
net_profit 순이익 당기순이익 net+profit net+income
net_loss 순손실 net+loss 적자
operating_loss 영업손실 operating+loss
revenue 매출 매출액 revenue turnover
share 점유율 market+share share+of of+the+market %+of+the
market_value 시가총액 시총 market+value market+cap valued market+capitalization
stock_price 주가 stock+price share+price
price 가격 costs cost price priced
investment 투자 invest invests invested investing investment
funding 투자+유치 funding
bandwidth 대역폭 bandwidth
speed 최고+속도 속도 speed
weight 무게 중량 weighs weight weighed
height 키 높이 height tall
battery 배터리 battery
capacity 용량 capacity
yield 수율 yield
defects 불량률 defect
staff 직원 임직원 고용 employees staff workers workforce employ employs employed
users 이용자 사용자 가입자 users subscribers
customers 고객사 고객 customers clients
births 출생아 births
deaths 사망자 deaths killed
output 생산량 생산 production output
sales_volume 판매량 판매 팔 sold sales deliveries delivered 인도
exports 수출 exports
imports 수입액 imports
interest_rate 기준금리 금리 interest+rate benchmark+rate
growth 성장률 growth+rate
inflation 물가상승률 물가 inflation
unemployment 실업률 unemployment
minimum_wage 최저임금 minimum+wage
exchange_rate 환율 exchange+rate
efficiency 효율 efficiency
debt 부채 debt
supply 공급 supply supplies
recall 리콜 recall recalls recalled
audience 관객 audience viewers
temperature 기온 temperature
"""

_EVENTS = """
approve + 승인 허가 통과 가결 approve approves approved approval passed passes
approve - 부결 불허 반려 reject rejects rejected rejection 거부
direction + 증가 상승 늘 늘어나 급증 확대 인상 오르 올리 높이 높아지
direction + rose rise rises increased increases grew up raised raises climbed
direction - 감소 하락 줄 줄어들 급감 축소 인하 떨어지 내리 낮추 낮아지
direction - fell fall falls decreased declined dropped down cut cuts lowered
direction = 동결 unchanged froze frozen
continue + 연장 지속 유지 계속 extended extends continues
continue - 종료 폐지 만료 끝나 끝내 ended ends expired
allow + 허용 합법화 allow allows allowed
allow - 금지 ban bans banned 차단
result + 흑자 profitable
result - 적자 unprofitable
win + 승리 이기 우승 승소 won wins win
win - 패배 지 패하 패소 lost loses lose
succeed + 성공 succeed succeeds succeeded successful
succeed - 실패 fail fails failed
favour + 찬성 지지 favour favours favoured backs backed
favour - 반대 oppose opposes opposed
safe + 안전 safe
safe - 위험 unsafe dangerous
acquire + 인수 매입 사들이 acquire acquires acquired acquisition bought buys buy purchase purchases purchased
merge + 합병 merge merger merged
launch + 출시 발매 공개 launch launches launched released
open + 개장 개소 준공 완공 open opens opened opening
held + 개최 열리 held
found + 설립 창립 창업 founded established
begin + 착수 착공 시작 began begins started
mass_produce + 양산 mass-produce
invest + 투자 invest invests invested
sign + 체결 서명 signed signs
supply + 공급 납품 supplies supplied
develop + 개발 developed develops
join + 가입 합류 joined joins
"""
_NOT_AFTER = re.compile(
    r"^[가-힣]{0,4}?(?:하지|되지|지|지는|지도)\s?(?:않|못|아니)|^[은는이가을를]?\s?(?:안 |못 |없)|^\S{0,3}\s(?:실패)"
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:(?:not|never|no longer|without|failed to|refused to|neither|\w+n['’]t)\s(?:\w+\s){0,2}|no\s(?:\w+\s)?)"
    r"|(?:안|못)\s)$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:지|지는|지도)\s?(?:않|못)|아니(?:다|에요|예요|야|었|라고|며|고|죠|지)|아닙니|(?<![가-힣])(?:안|못)\s[가-힣]|없(?:다|었|습|어)"
    r"|\b(?:not|never|no longer|neither|cannot|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SCOPES = {
    "korea": re.compile(r"국내|한국 시장|domestic|in (?:South )?Korea\b", re.IGNORECASE),
    "world": re.compile(r"세계|글로벌|global|worldwide", re.IGNORECASE),
    "us": re.compile(r"미국|\bUS\b|\bU\.S\.|United States|American", re.IGNORECASE),
    "europe": re.compile(r"유럽|\bEurope(?:an)?\b|\bEU\b", re.IGNORECASE),
    "china": re.compile(r"중국|\bChin(?:a|ese)\b", re.IGNORECASE),
    "year": re.compile(r"연간|annual(?:ly)?\b|yearly", re.IGNORECASE),
    "mean": re.compile(r"평균|average|\bmean\b", re.IGNORECASE),
    "part": re.compile(r"부문|사업부|segment\b|division\b", re.IGNORECASE),
    "japan": re.compile(r"일본|\bJapan(?:ese)?\b", re.IGNORECASE),
}


class Happening(NamedTuple):
    """An event reported in a sentence: its axis, such as rising and falling, and its direction (1, -1, or 0 for neither)."""

    axis: str
    side: int


@cache
def _metric_words() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the measure that each word names, and a pattern of all in lower case, the longer ones first."""
    named = {word.replace("+", " "): name for name, *words in map(str.split, _METRICS.strip().splitlines()) for word in words}
    hangul, latin = ("|".join(sorted(filter(ours, named), key=lambda word: -len(word))) for ours in (has_hangul, str.isascii))
    return named, re.compile(rf"{hangul}|\b(?:{latin})\b".replace(" ", r"\s"))


@cache
def _event_words() -> dict[str, tuple[str, int]]:
    return {
        word: (axis, {"+": 1, "-": -1, "=": 0}[side])
        for axis, side, *words in (line.split() for line in _EVENTS.strip().splitlines())
        for word in words
    }


@cache
def _event_stems() -> dict[str, tuple[str, int]]:
    return {stem(word): event for word, event in _event_words().items() if word.isascii()}


def event_of(word: str) -> tuple[str, int] | None:
    """Return the axis and direction of a content word (an English one as a stem) that reports an event."""
    return _event_words().get(word) or _event_stems().get(word)


def metrics_in(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the measures in *text*, in order: (name, start, end)."""
    named, pattern = _metric_words()
    return tuple((named[" ".join(match[0].split())], *match.span()) for match in pattern.finditer(text.lower()))


def scopes_in(text: str) -> frozenset[str]:
    """Return what restricts a value in *text*: a region, a whole year, a part of a firm."""
    return frozenset(name for name, pattern in _SCOPES.items() if pattern.search(text))


def happenings_in(text: str, stems: tuple[tuple[str, int, int], ...]) -> tuple[Happening, ...]:
    """Return the events reported in *text*; *stems* are its content words and verb stems with positions.

    A denied event is on the other side of its axis ("인수하지 않았다").
    """
    happenings = []
    for form, start, end in stems:
        event = _event_words().get(form)
        if event is None:
            continue
        axis, side = event
        denied = _is_denied(text, start, end)
        happenings.append(Happening(axis, -side if denied else side))
    return tuple(happenings)


def denied_in(text: str, stems: Iterable[tuple[str, int, int]]) -> frozenset[str]:
    """Return the *stems* that *text* negates wherever it mentions them ("보고되지 않았다", "no jack")."""
    denied: set[str] = set()
    asserted: set[str] = set()
    for form, start, end in stems:
        (denied if _is_denied(text, start, end) else asserted).add(form)
    return frozenset(denied - asserted)


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_NOT_AFTER.match(text[end : end + 14]) or _NOT_BEFORE.search(text[max(0, start - 32) : start]))


def is_negated(text: str) -> bool:
    """Return whether *text* denies something."""
    return _NEGATED.search(text) is not None
