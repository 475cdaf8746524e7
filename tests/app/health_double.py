"""A health report written by hand, in the numbers of the specification's dashboard, and a check of all services."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from search_core.domain import ProviderReply, SearchEvent, SearchStatus
from search_core.health import Alert, HealthReport, ProviderHealth, ProviderState, StoreState, TimeSlice, Totals

HOSTILE_QUERY = "<img src=x onerror=alert(1)> ![그림](http://203.0.113.7/b.png) [눌러](javascript:alert(1)) | # :red[빨강] $x^2$"
QUERIES = (
    "HBM4 대역폭 가람반도체",
    "한지우 최근 인터뷰",
    "메모리 포럼 2026 발표 요약",
    "NVIDIA GTC 2026 keynote 요약",
    HOSTILE_QUERY,
)
_ERRORS = {
    SearchStatus.TIMEOUT: "wikipedia did not answer within 10 s.",
    SearchStatus.RATE_LIMITED: "DuckDuckGo answered 429.",
}


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
        error_message=_ERRORS.get(status),
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


def _totals(asked: int, success: int, **more: float) -> Totals:
    return Totals(
        asked=asked,
        success=success,
        no_results=int(more.get("no_results", 0)),
        timeout=int(more.get("timeout", 0)),
        error=int(more.get("error", 0)),
        from_cache=int(more.get("from_cache", 0)),
        success_rate=success / asked,
        average_results=4.2,
        average_latency_ms=1200.0,
        p50_ms=840.0,
        p95_ms=2300.0,
    )


def _slices(now: datetime, found: tuple[SearchEvent, ...]) -> tuple[TimeSlice, ...]:
    length = timedelta(hours=1)
    since = now - timedelta(days=1)
    slices = [TimeSlice(start=since + length * place) for place in range(24)]
    for each in found:
        if each.asked:
            place = min(23, max(0, int((each.timestamp - since) / length)))
            name = each.status.value if each.status.value in ("success", "no_results", "timeout") else "error"
            slices[place] = replace(slices[place], **{name: getattr(slices[place], name) + 1})
    return tuple(slices)


def _provider(
    name: str, label: str, state: ProviderState, korean: str, totals: Totals | None = None, **more: object
) -> ProviderHealth:
    return ProviderHealth(name=name, label=label, state=state, korean=korean, totals=totals or Totals(), **more)


def report(now: datetime | None = None) -> HealthReport:
    """Return the report of a day with 50 requests."""
    now = now or datetime.now(UTC)
    found = events(now)
    slow = next(each for each in found if each.status is SearchStatus.TIMEOUT)
    refused = next(each for each in found if each.status is SearchStatus.RATE_LIMITED)
    last = {
        name: next(each.timestamp for each in found if each.provider == name) for name in ("library", "wikipedia", "duckduckgo")
    }
    return HealthReport(
        since=now - timedelta(days=1),
        until=now,
        totals=_totals(50, 45, no_results=3, timeout=1, error=1, from_cache=2),
        providers=(
            _provider(
                "library", "내 자료", ProviderState.HEALTHY, "잘 답하고 있어요.", _totals(15, 15), last_success=last["library"]
            ),
            _provider(
                "wikipedia",
                "위키백과",
                ProviderState.DEGRADED,
                "가끔 늦어요. 인터넷 연결을 확인해 주세요.",
                _totals(16, 15, timeout=1),
                last_success=last["wikipedia"],
                last_error=slow,
                last_error_korean="시간 안에 답하지 않았어요",
            ),
            _provider(
                "duckduckgo",
                "DuckDuckGo",
                ProviderState.COOLING_DOWN,
                "잇따라 실패해서 2분 동안 쉬고 있어요.",
                _totals(19, 15, no_results=3, error=1),
                last_success=last["duckduckgo"],
                last_error=refused,
                last_error_korean="요청 한도를 넘었어요",
            ),
            _provider("browser", "브라우저", ProviderState.UNASKED, "아직 물어볼 일이 없었어요."),
            _provider("searxng", "SearXNG", ProviderState.ABSENT, "SEARXNG_URL을 정하면 켜져요."),
            _provider("brave", "Brave", ProviderState.ABSENT, "BRAVE_SEARCH_API_KEY를 넣으면 켜져요."),
        ),
        alerts=(
            Alert(
                level="warning",
                cause="duckduckgo: 40 % in the last hour",
                korean="DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요.",
                provider="duckduckgo",
            ),
        ),
        timeline=_slices(now, found),
        events=found,
        store=StoreState(label="이 컴퓨터의 파일 (events.sqlite)"),
    )


def silence() -> HealthReport:
    """Return the report of a machine without any search yet."""
    idle = (_provider("library", "내 자료", ProviderState.UNASKED, "쓸 수 있어요. 이 기간에는 묻지 않았어요."),)
    return replace(report(), totals=Totals(), providers=idle, alerts=(), timeline=(), events=())


@dataclass
class Probe:
    """A check under way until ``done`` is set."""

    done: bool = False
    replies: tuple[ProviderReply, ...] = field(
        default_factory=lambda: (ProviderReply(provider="wikipedia", status=SearchStatus.NO_RESULTS, latency_ms=310.0),)
    )
    waiting: tuple[str, ...] = ("duckduckgo",)

    def end(self) -> None:
        """Let the last service refuse, and the check be over."""
        refused = ProviderReply(provider="duckduckgo", status=SearchStatus.RATE_LIMITED, latency_ms=200.0, retry_after_s=120.0)
        self.replies, self.waiting, self.done = (*self.replies, refused), (), True
