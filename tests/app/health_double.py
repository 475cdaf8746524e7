"""A health report in the numbers of the specification's dashboard, and a check of all services."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.health.assemble import health_report
from search_core.health.report import Alert, HealthReport, ProviderFacts, StoreState
from search_core.search.presenting.ledger import status_sentence

HOSTILE_QUERY = "<img src=x onerror=alert(1)> ![그림](http://203.0.113.7/b.png) [눌러](javascript:alert(1)) | # :red[빨강] $x^2$"
QUERIES = (
    "HBM4 대역폭 가람반도체",
    "한지우 최근 인터뷰",
    "메모리 포럼 2026 발표 요약",
    "NVIDIA GTC 2026 keynote 요약",
    f"\u202e{HOSTILE_QUERY}\n",
)


def event(
    minutes: float, provider: str, status: SearchStatus, now: datetime, *, place: int = 0, kept: bool = False
) -> SearchEvent:
    """Return a request that ended *minutes* before *now*."""
    return SearchEvent(
        query=QUERIES[place % len(QUERIES)],
        status=status,
        result_count=(3 + place % 4) if status is SearchStatus.SUCCESS else 0,
        provider=provider,
        latency_ms=0.4 if kept else 400.0 + 137 * (place % 13),
        timestamp=now - timedelta(minutes=minutes),
        from_cache=kept,
    )


def events(now: datetime) -> tuple[SearchEvent, ...]:
    """Return 50 requests of the last day and two answers from the cache, newest first."""
    good, none = SearchStatus.SUCCESS, SearchStatus.NO_RESULTS
    made = [
        event(27.0 * place + 2, ("wikipedia", "duckduckgo", "library")[place % 3], good, now, place=place) for place in range(45)
    ]
    made += [event(300 + 200 * place, "duckduckgo", none, now, place=place) for place in range(3)]
    made += [event(95, "wikipedia", SearchStatus.TIMEOUT, now, place=1)]
    made += [event(40, "duckduckgo", SearchStatus.RATE_LIMITED, now, place=2)]
    made += [event(10 + place, "wikipedia", good, now, place=place, kept=True) for place in range(2)]
    return tuple(sorted(made, key=lambda each: each.timestamp, reverse=True))


FACTS = (
    ProviderFacts(name="library", label="내 자료"),
    ProviderFacts(name="wikipedia", label="위키백과", fault="가끔 늦어요. 인터넷 연결을 확인해 주세요."),
    ProviderFacts(name="duckduckgo", label="DuckDuckGo", wait_s=120.0),
    ProviderFacts(name="browser", label="브라우저"),
    ProviderFacts(name="searxng", label="SearXNG", absent_because="SEARXNG_URL을 정하면 켜져요."),
    ProviderFacts(name="brave", label="Brave", absent_because="BRAVE_SEARCH_API_KEY를 넣으면 켜져요."),
)
ALERT = Alert(level="warning", cause="40 % in the last hour", korean="DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요.")


def report(*, silent: bool = False) -> HealthReport:
    """Return the real report of a day with 50 requests, or of a machine without any search yet."""
    now = datetime.now(UTC)
    made = health_report(
        () if silent else events(now),
        FACTS[:1] if silent else FACTS,
        now=now,
        since=now - timedelta(days=1),
        store=StoreState(label="이 컴퓨터의 파일 (events.sqlite)"),
        say=status_sentence,
    )
    return made if silent else replace(made, alerts=(ALERT,))
