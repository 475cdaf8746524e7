"""The health report, put together."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.health.assemble import alerts, health_report, overall, provider_states
from search_core.health.report import ProviderFacts, ProviderState, StoreState

from .played_events import DAY_AGO, NOW, S, event, many

WORKS = StoreState(label="이 서버의 기록")
TAVILY = ProviderFacts(name="tavily", label="Tavily")
DAMAGED = replace(TAVILY, fault="자료 저장소가 손상되었어요.")
KEYLESS = replace(TAVILY, absent_because="키가 없어요.")
LIBRARY = ProviderFacts(name="library", label="내 자료", web=False)
UNASKED = "쓸 수 있어요. 이 기간에는 묻지 않았어요."


def said(status: SearchStatus) -> str:
    return f"<{status.value}>."


def report(events, facts=(TAVILY,), **changes):
    return health_report(events, facts, **{"now": NOW, "since": DAY_AGO, "store": WORKS, "say": said, **changes})


def of_twenty(failures: int) -> list[SearchEvent]:
    """Return twenty requests, so many failed in the middle and the last answered, and old failures before them."""
    failed = [event(S.BLOCKED, minutes_ago=20)] * failures
    return [*[event(minutes_ago=2)] * (20 - failures), *[event(S.TIMEOUT, minutes_ago=600)] * 50, *failed]


def resting(wait_s: float, pause: str) -> tuple[list[SearchEvent], ProviderFacts, str, str]:
    """Return a row of the table for a service that is left alone for *wait_s*."""
    words = f"실패해서 잠시 쉬고 있어요. {pause} 뒤에 다시 물어봐요. 마지막 오류: <rate_limited>."
    failed = [event(S.COOLING_DOWN, minutes_ago=1), event(S.RATE_LIMITED, minutes_ago=2)]
    return failed, replace(TAVILY, wait_s=wait_s), "cooling_down", words


@pytest.mark.parametrize(
    ("events", "facts", "state", "korean"),
    [
        ([event(), event(S.NO_RESULTS, minutes_ago=5)], TAVILY, "healthy", "잘 되고 있어요. 최근 요청 2건 중 2건에 답했어요."),
        (of_twenty(4), TAVILY, "healthy", "잘 되고 있어요. 최근 요청 20건 중 16건에 답했어요."),
        (
            of_twenty(5),
            TAVILY,
            "degraded",
            "지금은 답하지만 자주 실패해요. 최근 요청 20건 중 15건에 답했어요. 마지막 오류: <blocked>.",
        ),
        (
            [*[event(minutes_ago=9)] * 30, event(S.TIMEOUT, minutes_ago=1)],
            TAVILY,
            "degraded",
            "마지막 요청에 실패했어요. <timeout>. 최근 요청 20건 중 19건에 답했어요.",
        ),
        resting(0.2, "1초"),
        resting(59.0, "59초"),
        resting(60.0, "1분"),
        resting(61.0, "2분"),
        ([event(S.INVALID_API_KEY)], replace(KEYLESS, wait_s=5), "absent", "키가 없어요."),
        ([], TAVILY, "unasked", UNASKED),
        ([event(from_cache=True)], TAVILY, "unasked", UNASKED),
        ([event(minutes_ago=60 * 25)], TAVILY, "unasked", UNASKED),
        ([event(S.NOT_AWAITED)], TAVILY, "unasked", UNASKED),
        ([], DAMAGED, "degraded", DAMAGED.fault),
        ([event()], DAMAGED, "degraded", DAMAGED.fault),
    ],
)
def test_a_row_says_how_a_service_is_doing(events: list[SearchEvent], facts: ProviderFacts, state: str, korean: str):
    """Its last request decides, then 80 % of the last twenty; a pause is rounded up; the quick look agrees with the report."""
    (row,) = report(events, (facts,)).providers
    assert (row.state.value, row.korean) == (state, korean)
    assert provider_states([each for each in events if each.timestamp >= DAY_AGO], [facts]) == {"tavily": row.state}


def test_a_row_counts_the_requests_of_its_service():
    """It has the last success and the last failure in words; another service's events, and what was given up, are not its own."""
    failure = event(S.TIMEOUT, minutes_ago=1)
    events = [event(minutes_ago=30), failure, event(S.NOT_AWAITED), event(provider="brave", minutes_ago=2)]
    row = report(events).providers[0]
    assert (row.totals.asked, row.last_success) == (2, NOW - timedelta(minutes=30))
    assert (row.last_error, row.last_error_korean) == (failure, "<timeout>.")
    row = report(events[:1]).providers[0]
    assert (row.last_error, row.last_error_korean) == (None, "")


def test_checks_tell_how_a_service_is_doing_and_count_for_nothing():
    """A check that failed makes the row say so; totals, timeline and alerts are of searches alone."""
    checks = [event(S.TIMEOUT, minutes_ago=5, type="probe") for _ in range(6)]
    made = report([event(minutes_ago=20), *checks])
    assert (made.totals.asked, made.totals.timeout, made.providers[0].totals.asked) == (1, 0, 1)
    assert (made.timeline[-1].success, made.timeline[-1].timeout) == (1, 0)
    assert made.providers[0].state is ProviderState.DEGRADED
    assert len(made.events) == 7
    assert made.alerts == ()


def test_the_report_looks_at_its_span_and_alerts_at_the_last_hour():
    """Earlier events count for nothing but alerts; events come newest first, services off by choice last."""
    half_hour = NOW - timedelta(minutes=30)
    events = [event(minutes_ago=29), event(S.TIMEOUT, minutes_ago=5), *[event(S.TIMEOUT, minutes_ago=50)] * 10]
    facts = [replace(KEYLESS if name in "ac" else TAVILY, name=name) for name in "abcd"]
    made = report(events, facts, since=half_hour)
    assert (made.totals.asked, made.since, made.until) == (2, half_hour, NOW)
    assert [each.status for each in made.events] == [S.TIMEOUT, S.SUCCESS]
    ends = [(place, each.success, each.timeout) for place, each in enumerate(made.timeline) if each.success or each.timeout]
    assert (ends, len(made.timeline)) == ([(0, 1, 0), (20, 0, 1)], 24)
    assert made.alerts[0].cause == "1 of 12 requests of the last hour succeeded; 0 found nothing."
    assert [each.name for each in made.providers] == ["b", "d", "a", "c"]


@pytest.mark.parametrize(
    ("states", "whole"),
    [
        (["healthy", "unasked", "absent"], "ok"),
        (["healthy", "degraded"], "degraded"),
        (["healthy", "cooling_down"], "degraded"),
        (["degraded", "degraded"], "degraded"),
        (["cooling_down", "cooling_down", "absent"], "down"),
        (["absent"], "down"),
        ([], "down"),
    ],
)
def test_the_whole_is_as_its_parts(states: list[str], whole: str):
    """Services off by choice do not count; all resting or none at all is down, one unwell is degraded."""
    assert overall([ProviderState(state) for state in states]) == whole


@pytest.mark.parametrize(
    ("hour", "level", "korean"),
    [
        ({"success": 10, "network_error": 10}, None, ""),
        ({"success": 9, "network_error": 11}, "warning", "물은 20건 중 9건만"),
        ({"success": 2, "network_error": 18}, "warning", "2건만"),
        ({"success": 1, "timeout": 9, "network_error": 10}, "critical", "0건은 찾은 것이 없다고 답했고, 19건은 답하지 못했어요."),
        ({"success": 1, "no_results": 18, "timeout": 1}, "critical", "18건은 찾은 것이 없다고 답했고, 1건은 답하지 못했어요."),
        ({"network_error": 5}, "critical", "5건 중 0건만"),
        ({"network_error": 4}, None, ""),
        ({"success": 5, "cooling_down": 50, "api_key_missing": 50}, None, ""),
    ],
)
def test_success_of_the_last_hour_is_watched(hour: dict[str, int], level: str | None, korean: str):
    """Under 50 % is a warning, under 10 % critical, the bounds not; fewer than five requests say nothing."""
    found = alerts([*many(**hour), event(from_cache=True)], [TAVILY], WORKS)
    assert [each.level for each in found] == ([level] if level else [])
    assert all(korean in each.korean for each in found)


def test_the_most_serious_comes_first():
    """Critical, then warnings, then services of SEARCH_PROVIDERS that are not set up."""
    broken = StoreState(label="Redis", working=False, korean="Redis에 닿지 않아요.")
    naver = ProviderFacts(name="naver", label="네이버", absent_because="NAVER_CLIENT_ID가 비어 있어요.")
    found = alerts(many(timeout=20), [naver, TAVILY], broken)
    assert [each.level for each in found] == ["critical", "warning", "info"]
    assert [each.korean for each in found[1:]] == ["Redis에 닿지 않아요.", "네이버: NAVER_CLIENT_ID가 비어 있어요."]


def test_the_library_does_not_hide_an_outage():
    """The library answering counts for no success of the web, and being able to ask it is not being able to ask somebody."""
    own = [event(provider="library") for _ in range(50)]
    found = alerts([*many(network_error=5), *own], [TAVILY, LIBRARY], WORKS)
    assert [each.level for each in found] == ["critical"]
    for facts in ([KEYLESS, LIBRARY], [KEYLESS]):
        nobody, _ = alerts([], facts, WORKS)
        assert (nobody.level, nobody.cause) == ("critical", "No search service can be asked.")
    assert alerts(own, [LIBRARY], WORKS) == ()
