"""The health report, put together."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from search_core.domain.reply import SearchStatus
from search_core.health.assemble import alerts, health_report, overall, provider_states
from search_core.health.report import ProviderFacts, ProviderState, StoreState

from .played_events import DAY_AGO, NOW, S, event, many

WORKS = StoreState(label="이 서버의 기록")
TAVILY = ProviderFacts(name="tavily", label="Tavily")
BRAVE = ProviderFacts(name="brave", label="Brave")


def said(status: SearchStatus) -> str:
    return f"<{status.value}>."


def report(events, facts=(TAVILY,), **changes):
    return health_report(events, facts, **{"now": NOW, "since": DAY_AGO, "store": WORKS, "say": said, **changes})


def row(events, facts: ProviderFacts = TAVILY):
    (found,) = report(events, (facts,)).providers
    return found


def test_the_last_request_decides_first():
    """Answers, empty ones among them, make a service healthy; one failure at the end makes it degraded, with the event."""
    found = row([event(minutes_ago=30), event(S.NO_RESULTS, minutes_ago=5)])
    assert (found.state, found.korean) == (ProviderState.HEALTHY, "잘 되고 있어요. 최근 요청 2건 중 2건에 답했어요.")
    assert (found.totals.asked, found.last_success) == (2, NOW - timedelta(minutes=30))
    assert (found.last_error, found.last_error_korean) == (None, "")
    failure = event(S.TIMEOUT, minutes_ago=1)
    found = row([*[event(minutes_ago=9)] * 30, failure])
    assert found.state is ProviderState.DEGRADED
    assert found.korean == "마지막 요청에 실패했어요. <timeout>. 최근 요청 20건 중 19건에 답했어요."
    assert (found.last_error, found.last_error_korean) == (failure, "<timeout>.")


@pytest.mark.parametrize(("failures", "state"), [(4, ProviderState.HEALTHY), (5, ProviderState.DEGRADED)])
def test_the_last_twenty_requests_decide(failures: int, state: ProviderState):
    """Under 80 % answered of the last twenty is degraded although it answers now; what was before does not count."""
    old = [event(S.TIMEOUT, minutes_ago=600)] * 50
    failed = [event(S.BLOCKED, minutes_ago=20)] * failures
    answered = [event(minutes_ago=2)] * (20 - failures)
    found = row([*answered, *old, *failed])
    assert found.state is state
    if state is ProviderState.DEGRADED:
        assert found.korean == "지금은 답하지만 자주 실패해요. 최근 요청 20건 중 15건에 답했어요. 마지막 오류: <blocked>."


@pytest.mark.parametrize(("wait_s", "pause"), [(0.2, "1초"), (59.0, "59초"), (60.0, "1분"), (61.0, "2분")])
def test_a_service_left_alone_says_for_how_long(wait_s: float, pause: str):
    """A service in its pause tells why and the rest of it, rounded up, in seconds under a minute."""
    resting = replace(TAVILY, wait_s=wait_s)
    found = row([event(S.COOLING_DOWN, minutes_ago=1), event(S.RATE_LIMITED, minutes_ago=2)], resting)
    assert found.state is ProviderState.COOLING_DOWN
    assert found.korean == f"실패해서 잠시 쉬고 있어요. {pause} 뒤에 다시 물어봐요. 마지막 오류: <rate_limited>."


def test_a_service_that_is_off_says_why():
    """Off by choice is neither well nor unwell, even with old failures or a pause."""
    keyless = ProviderFacts(name="tavily", label="Tavily", absent_because="키가 없어요.", wait_s=5)
    failed = [event(S.INVALID_API_KEY)]
    assert (row(failed, keyless).state, row(failed, keyless).korean) == (ProviderState.ABSENT, "키가 없어요.")


@pytest.mark.parametrize("events", [[], [event(from_cache=True)], [event(minutes_ago=60 * 25)]])
def test_a_service_nobody_asked_is_unasked(events):
    """Kept answers and requests of another day say nothing about how a service is doing now."""
    assert row(events).state is ProviderState.UNASKED
    assert row(events).korean == "쓸 수 있어요. 이 기간에는 묻지 않았어요."
    given_up = row([*events, event(S.NOT_AWAITED)])
    assert (given_up.state, given_up.last_error) == (ProviderState.UNASKED, None)


def test_a_service_whose_store_is_damaged_is_not_well():
    """What it rests on cannot be used: nobody asked it, and still it is not said to be there for asking."""
    damaged = ProviderFacts(name="library", label="내 자료", fault="자료 저장소가 손상되었어요.")
    for events in ([], [event(provider="library")]):
        assert row(events, damaged).state is ProviderState.DEGRADED
        assert row(events, damaged).korean == "자료 저장소가 손상되었어요."


def test_checks_tell_how_a_service_is_doing_and_count_for_nothing():
    """A check that failed makes the row say so; totals, timeline and alerts are of searches alone."""
    checks = [event(S.TIMEOUT, minutes_ago=5, type="probe") for _ in range(6)]
    made = report([event(minutes_ago=20), *checks])
    assert (made.totals.asked, made.totals.timeout, made.providers[0].totals.asked) == (1, 0, 1)
    assert (made.timeline[-1].success, made.timeline[-1].timeout) == (1, 0)
    assert made.providers[0].state is ProviderState.DEGRADED
    assert len(made.events) == 7
    assert made.alerts == ()


def test_services_off_by_choice_come_last():
    """The order is that of asking, those off by choice behind it."""
    facts = [ProviderFacts(name=name, label=name, absent_because="키가 없어요." if name in "ac" else None) for name in "abcd"]
    assert [each.name for each in report([], facts).providers] == ["b", "d", "a", "c"]


def test_the_report_looks_at_its_span_and_alerts_at_the_last_hour():
    """Events before the span count for nothing but alerts; events come newest first whatever order they came in."""
    half_hour = NOW - timedelta(minutes=30)
    events = [event(minutes_ago=29), event(S.TIMEOUT, minutes_ago=5), *[event(S.TIMEOUT, minutes_ago=50)] * 10]
    made = report(events, since=half_hour)
    assert (made.totals.asked, made.since, made.until) == (2, half_hour, NOW)
    assert [each.status for each in made.events] == [S.TIMEOUT, S.SUCCESS]
    ends = [(place, each.success, each.timeout) for place, each in enumerate(made.timeline) if each.success or each.timeout]
    assert (ends, len(made.timeline)) == ([(0, 1, 0), (20, 0, 1)], 24)
    assert made.alerts[0].cause == "1 of 12 requests of the last hour succeeded; 0 found nothing."
    assert report([*many(), event(minutes_ago=61)]).alerts == ()


def test_states_alone_are_those_of_the_report():
    """The quick look and the report agree."""
    resting = ProviderFacts(name="brave", label="Brave", wait_s=3)
    facts = [TAVILY, resting, ProviderFacts(name="library", label="내 자료")]
    events = [event(S.TIMEOUT, minutes_ago=5), event(minutes_ago=3), event(provider="brave")]
    states = provider_states(events, facts)
    assert [state.value for state in states.values()] == ["degraded", "cooling_down", "unasked"]
    assert {each.name: each.state for each in report(events, facts).providers} == states


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
    ("success", "failed", "level"),
    [(10, 10, None), (9, 11, "warning"), (2, 18, "warning"), (1, 19, "critical"), (0, 5, "critical"), (0, 4, None)],
)
def test_success_of_the_last_hour_is_watched(success: int, failed: int, level: str | None):
    """Under 50 % is a warning, under 10 % critical, the bounds themselves not; fewer than five requests say nothing."""
    found = alerts(many(success=success, network_error=failed), [TAVILY], WORKS)
    assert [each.level for each in found] == ([level] if level else [])


def test_the_alert_tells_the_numbers():
    """It has the counts of the hour; services that did not answer and services that found nothing are told apart."""
    (alert,) = alerts(many(success=1, timeout=9, network_error=10), [TAVILY], WORKS)
    assert alert.cause == "1 of 20 requests of the last hour succeeded; 0 found nothing."
    assert "물은 20건 중 1건만 결과를 찾았어요. 0건은 찾은 것이 없다고 답했고, 19건은 답하지 못했어요." in alert.korean
    (alert,) = alerts(many(success=1, no_results=18, timeout=1), [TAVILY], WORKS)
    assert alert.level == "critical"
    assert "18건은 찾은 것이 없다고 답했고, 1건은 답하지 못했어요." in alert.korean


def test_what_did_not_go_out_is_no_miss():
    """Services left alone, without a key, and kept answers change nothing."""
    quiet = [*many(success=5, cooling_down=50, api_key_missing=50), event(from_cache=True)]
    assert alerts(quiet, [TAVILY], WORKS) == ()


def test_the_most_serious_comes_first():
    """Critical, then warnings, then services of SEARCH_PROVIDERS that are not set up."""
    broken = StoreState(label="Redis", working=False, korean="Redis에 닿지 않아요.")
    naver = ProviderFacts(name="naver", label="네이버", absent_because="NAVER_CLIENT_ID가 비어 있어요.")
    found = alerts(many(timeout=20), [naver, TAVILY], broken)
    assert [each.level for each in found] == ["critical", "warning", "info"]
    assert [each.korean for each in found[1:]] == ["Redis에 닿지 않아요.", "네이버: NAVER_CLIENT_ID가 비어 있어요."]


def test_the_library_does_not_hide_an_outage():
    """The library answering counts for no success of the web, and being able to ask it is not being able to ask somebody."""
    library = ProviderFacts(name="library", label="내 자료", web=False)
    own = [event(provider="library") for _ in range(50)]
    found = alerts([*many(network_error=5), *own], [TAVILY, library], WORKS)
    assert [each.level for each in found] == ["critical"]
    keyless = replace(BRAVE, absent_because="키가 없어요.")
    for facts in ([keyless, library], [keyless]):
        nobody, _ = alerts([], facts, WORKS)
        assert (nobody.level, nobody.cause) == ("critical", "No search service can be asked.")
    assert alerts(own, [library], WORKS) == ()
