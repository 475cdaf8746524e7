"""The health report in words and as a file."""

from __future__ import annotations

from datetime import timedelta

from search_core.health.assemble import health_report
from search_core.health.report import ProviderFacts, StoreState
from search_core.search.presenting.health_text import health_text
from search_core.search.presenting.ledger import status_sentence
from tests.search_core.health.played_events import NOW, S, event, many

TAVILY = ProviderFacts(name="tavily", label="Tavily")
STORE = StoreState(label="이 서버의 기록")


def report(events, facts=(TAVILY,), hours: float = 24, store: StoreState = STORE):
    return health_report(events, facts, now=NOW, since=NOW - timedelta(hours=hours), store=store, say=status_sentence)


def test_the_text_is_the_dashboard_of_the_specification():
    """45, 3, 1 and 1 of 50 requests are 90, 6, 2 and 2 %, with average results and times, and a line per service."""
    events = many(success=45, no_results=3)
    events += [event(S.TIMEOUT, minutes_ago=30, latency_ms=10_000.0), event(S.NETWORK_ERROR, minutes_ago=45, latency_ms=50.0)]
    events += [event(from_cache=True)]
    assert health_text(report(events), NOW).splitlines() == [
        "📊 웹 검색 상태 (최근 24시간)",
        "",
        "- 성공: 45 (90%)",
        "- 결과 없음: 3 (6%)",
        "- 시간 초과: 1 (2%)",
        "- 오류: 1 (2%)",
        "",
        "- 평균 결과 수: 4.0",
        "- 평균 응답 시간: 1.4초",
        "- 응답 시간 p50 / p95: 1.2초 / 1.2초",
        "- 저장된 답을 쓴 횟수: 1 (요청으로 세지 않아요)",
        "",
        "검색 서비스",
        (
            "- Tavily (tavily): [정상] 잘 되고 있어요. 최근 요청 20건 중 20건에 답했어요."
            " · p50 1.2초, p95 1.2초 · 마지막 성공 10분 전 · 마지막 오류 30분 전"
        ),
        "",
        "기록: 이 서버의 기록",
    ]


def test_what_is_wrong_is_told():
    """Alerts have their level, the store what is wrong; no question or error of a user is in the text."""
    naver = ProviderFacts(name="naver", label="네이버", absent_because="키가 없어요.")
    store = StoreState(label="Redis", working=False, korean="Redis가 답하지 않아요.")
    text = health_text(report([event(S.TIMEOUT) for _ in range(5)], (TAVILY, naver), store=store), NOW)
    alerts = text.split("알림\n")[1].splitlines()
    assert [line.split("]")[0] for line in alerts[:3]] == ["- [심각", "- [주의", "- [안내"]
    assert alerts[-1].startswith("기록: Redis · Redis가 답하지 않아요.")
    assert "- 네이버 (naver): [꺼둠] 키가 없어요." in text
    assert "마지막 요청에 실패했어요. 시간 안에 답하지 않았어요. 다시 시도해 주세요." in text
    assert "비밀" not in health_text(report([event(S.TIMEOUT, query="비밀 질문", error_message="비밀 오류")]), NOW)
    assert "- 시간 초과: 1 (<1%)" in health_text(report([event(S.TIMEOUT), *[event()] * 999]), NOW)
