"""The kind of material that a question asks for: news, background or anything else; a weight of 1 alone decides."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from search_core.domain.query import SearchType
from search_core.language import word_set
from search_core.language.korean import Morpheme, has_hangul, morphemes


def weights_of(groups: Mapping[float, str]) -> dict[str, float]:
    """Return the weight of each word in *groups*, which have one text of words for each weight."""
    return {word: weight for weight, text in groups.items() for word in text.split()}


NEWS_WORDS = weights_of(
    {
        3.0: "뉴스 속보",
        2.2: "소식 근황 압수수색 이적설 별세 열애설 결별설",
        1.8: "최신 최근 어제 주가 타결 신고가 기자회견 특보",
        1.4: "오늘 그제 동향 실적 업데이트 착공식 출마 구속 기소 사퇴 송치 공시 폭락 급등 급락 반발 공방 철회 의혹 누출 유출",
        1.1: """요즘 이번 올해 현황 환율 시세 리콜 판결 파업 선임 확진 취임 체포 반등 촉구 개막 창당 신당 확정 징역 선고 회담
        폭로 고발 지난달 북상 재개 숨지 집계 수사 증시 입건 적발 송환 방한 방미 이달 급증 급감 역대""",
        0.8: """발표 출시 양산 진행 논란 대선 총선 검찰 국회 청와대 통과 추진 합의 승리 우승 개최 매출 상장 추경 방역 신규 누적
        사망 붕괴 화재 실종 중단 코스피 협상 내일 전망 인상 인하 검토 임명 공개 시행 격상 완화 연장 돌파 경신 비상""",
        0.5: "일정 결과 상황 사건 사고 경찰 태풍 선거 발사 내년 부상 감염 내각 취소 연기 인수 합병 지난해 영향",
    }
)
BACKGROUND_WORDS = weights_of(
    {
        2.2: "뜻 원리 어원",
        1.9: "정의 개념 역사 유래 차이 차이점 생애",
        1.6: "의미 원인 이유 누구 기원 업적 약자",
        1.4: "구조 배경 특징 프로필 종류 이력 경력 출생지 사망일 고향 본관 어디 어느",
        1.2: "과정 설명 발명 장점 단점 높이 무엇 뭐 왜 작동 몇 위치 차지",
        0.9: "이론 길이 인구 수도 다르 문제점 소속 예시 예 경쟁사 예컨대 조항 헌법 제1조 주장 인물 세기 시대 왕 최초",
        0.6: "내용 어떻 언제 얼마 얼마나 수상 이란",
    }
)
GENERAL_WORDS = weights_of(
    {
        2.4: "추천 맛집 레시피 다운로드 링크 홈페이지",
        2.0: "바람직 번역 팁 옳",
        1.7: "예약 사이트 생각 타당 후기 리뷰 출처 원문 데이터시트 서식 양식 자기소개서 신청",
        1.4: "방법 의견 입장 작성 요약 고민 적절 방안 좋 낫",
        1.1: "찬성 괜찮 코스 정리 주의 일정표 짜 구매",
        0.7: "법 정당 프로그램 가능성 해결 허용 공식 여행 책 표 진짜",
    }
)
BACKGROUND_PHRASES = ((re.compile(r"[은는이가] .*(?:인가|인가요|입니까|인지|은가|한가요|나요|는가|는가요)\??$"), 0.5),)
GENERAL_PHRASES = (
    (re.compile(r"(?:해야|되어야|돼야|져야|어야|아야) ?(?:하는|할|한다고|되는|될|하나|하는가)"), 2.4),
    (re.compile(r"(?:어떨까|어떤가|좋을까|나을까|될까|할까|있을까|일까|미칠까)\??$"), 1.5),
)
HEADLINE_SIGNS = (
    (re.compile(r"[“\"‘'][^”\"’']{2,}[”\"’']"), 0.9),
    (re.compile(r"…|\.\.\."), 1.1),
    (re.compile(r"[一-鿿]"), 0.9),
    (re.compile(r"\d[,.]?\s?(?:%|명|억|조|만|원|곳|건|일|시|대|년|배|㎝|도|위|선|차)"), 0.5),
    (re.compile(r"[가-힣], [가-힣]|[가-힣]·[가-힣]"), 0.5),
)
"""Signs with their weights that headlines use and questions do not ("…", quotation marks)."""
ASKING_FORMS = word_set("무엇 뭐 왜 누구 언제 어디 어떻 얼마 어느 몇")
_ENGLISH = {
    SearchType.NEWS: {
        3.0: r"""
\bnews\b|\bheadlines?\b
""",
        2.0: r"""
\blatest\b|\brecent(?:ly)?\b
\bupdates? (?:me )?(?:on|about)\b|\bupdate$
\bgoing on (?:in|with|at)\b|\bwhat(?:['’]?s| is) (?:new|happening|up with)\b|\bhappen(?:ed|ing)\b
""",
        1.1: r"""
\btoday\b|\byesterday\b|\bthis (?:week|month|year|quarter)\b|\bright now\b|\bat the moment\b|\bcurrent(?:ly)?\b
|\bso far\b|\blast (?:night|week|month|quarter|year)\b|\byet\b|\blately\b
\bstock price\b|\belections?\b|\bpolls?\b|\bpolitic\w*\b|\bscores?\b|\bwon\b|\bwinning\b|\blayoffs?\b|\brecall\b
|\bannounce[ds]?\b|\bstrike\b|\bscandal\b|\bearthquake\b|\blaunch date\b|\bpolic(?:y|ies)\b|\bshutdown\b|\bcrisis\b
|\bwar\b|\battacks?\b|\bsummit\b|\bcongress\b|\bsenate\b|\bgovernment\b|\bcouncil\b|\bpress conference\b|\bleague\b
|\bconference\b|\bmarket\b
""",
        0.9: r"""
\b(?:has|have|did) .*\b(?:cut|resign|die|win|lose|release|pass|get back|break up)\w*\b
\bleading\b|\bnew\b
""",
    },
    SearchType.BACKGROUND: {
        2.2: r"""
\bdefin(?:e|ition)\b|\bmeaning\b|\bmeans?\b|\bwhat does .* (?:mean|look like|stand for)\b|\bhistory\b|\borigins?\b
|\bdifferences? between\b|\bexplain\b|\bdescri(?:be|ption)\b|\bhow would .* look\b|\bwhat (?:type|kind|sort) of\b
""",
        1.8: r"""
^(?:please )?(?:tell me |can you tell me |do you know )?(?:who|what) (?:is|are|was|were|invented|made)\b
|^(?:who|what)['’]s\b|\bhow (?:tall|old|big|far|long|high|deep|large|heavy|wide|many|much|fast)\b
|\bwhen (?:was|did|is|were)\b|\bwhere (?:is|was|are|did)\b|\bwhy (?:is|are|do|does|did|was|were)\b
|\bhow (?:do|does|did|is|are|was|were)\b|\bwhich (?:is|was|are|country|city)\b|\bat what age\b
""",
        1.0: r"""
\bborn\b|\bbirthday\b|\bcapital of\b|\bpopulation\b|\bheight\b|\bage\b|\bnet worth\b|\bmarried\b|\binvented\b
|\bfounded\b|\bbuilt\b|\bdiscovered\b|\btheory\b|\badvantages\b|\brisks\b|\bbackground\b|\bexamples? of\b
|\bbio(?:graphy)?\b|\bfacts\b|\babout\b|\bdistance\b|\bwikipedia\b|\bword\b
""",
    },
    SearchType.GENERAL: {
        2.4: r"""
\brecommend\w*\b|\bhow to\b|\btips\b|\bbook (?:a|me|the)\b|\bdownload\b|\btranslate\b|\bset (?:a|an|my|the|up)\b
|\bplay\b|\bturn (?:on|off|up|down|the)\b|\bremind(?:ers?)?\b|\balarms?\b|\bcalendar\b|\be-?mails?\b|\bschedule\b
|\b(?:my|the|a|grocery|shopping|to ?do) lists?\b|\bvolume\b|\blights?\b|\bmusic\b|\bsongs?\b|\bplaylist\b|\bpodcast\b
|\bradio\b|\bjokes?\b|\bremove\b|\bdelete\b|\badd\b|\bcreate\b|\bsend\b|\breply\b|\border\b|\btakeaway\b|\bdeliver\w*\b
|\bmute\b|\bopen\b|\bsave\b|\bwrite\b|\bmessages?\b
""",
        1.8: r"""
\bweather\b|\brain\b|\btemperature\b|\bsnow\b|\bforecast\b|\bwhat time\b|\btime (?:is|in|zone|difference|now)\b
|\b(?:current|local|central|pacific|eastern) time\b|\bwhat(?:['’]?s| is)? (?:the )?(?:day|date)\b
|\bis it (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\brecipes?\b|\bcook\w*\b|\broast\b|\brestaurants?\b|\btrain\b
|\btaxi\b|\buber\b|\btickets?\b|\btraffic\b|\bdirections?\b|\bnear(?:by|est)?\b|\bmeetings?\b|\bappointments?\b
|\bevents?\b|\bmovies?\b|\btweet\b|\bfacebook\b|\btwitter\b|\bcontacts?\b|\bcoffee\b|\bvacuum\b|\bshould\b
|\bis .* better\b|\bbetter\b.*\bthan\b|\bpdf\b|\bofficial site\b|\bconcert\b|\btheater\b|\bumbrella\b|\bjacket\b
\bmy\b|\b(?:do|am|can|could|should|will|did|have) i\b|\bi (?:want|need|have|would)\b
""",
    },
}
"""Expressions by kind and weight, one on each line; a line that begins with ``|`` continues the line before."""
ENGLISH_CUES = tuple(
    (kind, weight, re.compile(expression, re.IGNORECASE))
    for kind, groups in _ENGLISH.items()
    for weight, expressions in groups.items()
    for expression in expressions.strip().replace("\n|", "|").splitlines()
)

_SHARPNESS = 2.0
"""How fast confidence grows with the lead of the best kind; set so that it equals the share right on the shipped questions."""
_PRIOR = {SearchType.NEWS: 0.0, SearchType.BACKGROUND: 0.1, SearchType.GENERAL: 0.35}
"""Weights before any word is read, so that a question without clues is general."""
_MIN_HEADLINE_NOUNS = 4
_LONG_HEADLINE_NOUNS = 6
_POLITE_END = re.compile(r"(?:요|까|가|나|지|니|냐|줘|세요|래|죠)\s*\??$")


def search_type(text: str) -> tuple[SearchType, float]:
    """Return the kind of material that *text* asks for, and how sure that is, in [1/3, 1]."""
    scores = dict(_PRIOR)
    if has_hangul(text):
        _add_korean(scores, text, morphemes(text))
    else:
        for kind, weight, cue in ENGLISH_CUES:
            if cue.search(text):
                scores[kind] += weight
    best = max(scores, key=lambda kind: scores[kind])
    total = sum(math.exp(_SHARPNESS * (score - scores[best])) for score in scores.values())
    return best, 1.0 / total


def _add_korean(scores: dict[SearchType, float], text: str, analysed: Sequence[Morpheme]) -> None:
    forms = dict.fromkeys(m.form for m in analysed)
    for kind, weights, phrases in (
        (SearchType.NEWS, NEWS_WORDS, ()),
        (SearchType.BACKGROUND, BACKGROUND_WORDS, BACKGROUND_PHRASES),
        (SearchType.GENERAL, GENERAL_WORDS, GENERAL_PHRASES),
    ):
        by_words = sum(weights.get(form, 0.0) for form in forms)
        scores[kind] += by_words + sum(weight for phrase, weight in phrases if phrase.search(text))
    scores[SearchType.NEWS] += _headline(text, analysed, scores[SearchType.NEWS])


def _headline(text: str, analysed: Sequence[Morpheme], news: float) -> float:
    """Return how much *text* reads like a headline: a row of nouns that neither asks nor requests.

    A short run of nouns is a headline only beside a headline's sign or a word of news (weight *news*); else it is a bare query.
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
