"""Counting events."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.health import TimeSlice, timeline, totals, totals_by_provider
from search_core.health.metrics import percentile

from .played_events import DAY_AGO, NOW, S, event, many


def test_the_dashboard_of_the_specification():
    """45 successes, 3 without results, 1 timeout and 1 error are 90 % success of 50 asked."""
    counted = totals(many(success=45, no_results=3, timeout=1, network_error=1))
    assert (counted.asked, counted.success, counted.no_results, counted.timeout, counted.error) == (50, 45, 3, 1, 1)
    assert (counted.success_rate, counted.timeout_rate) == (0.9, 0.02)
    assert counted.by_status == {S.SUCCESS: 45, S.NO_RESULTS: 3, S.TIMEOUT: 1, S.NETWORK_ERROR: 1}


def test_what_did_not_go_out_is_not_asked():
    """Kept answers, services left alone, without a key or not waited for are counted apart and change no rate."""
    kept = [event(from_cache=True, latency_ms=0.1, result_count=50), event(S.NO_RESULTS, from_cache=True)]
    counted = totals([*many(success=1, timeout=1, cooling_down=3, api_key_missing=2, not_awaited=4), *kept])
    assert (counted.asked, counted.from_cache, counted.not_asked, counted.not_awaited) == (2, 2, 5, 4)
    assert (counted.success, counted.no_results, counted.timeout, counted.error) == (1, 0, 1, 0)
    assert (counted.success_rate, counted.average_results, counted.average_latency_ms) == (0.5, 4.0, 1200.0)
    assert counted.by_status == {S.SUCCESS: 1, S.TIMEOUT: 1, S.COOLING_DOWN: 3, S.API_KEY_MISSING: 2, S.NOT_AWAITED: 4}


def test_rates_are_of_what_was_asked():
    """Neither an answer nor a timeout is an error; only successes have results; without requests rates are unknown, not 0."""
    failures = ("invalid_api_key", "quota_exhausted", "rate_limited", "blocked", "network_error", "invalid_response")
    counted = totals(many(**dict.fromkeys(failures, 1), unknown_error=1))
    assert (counted.asked, counted.error, counted.success_rate, counted.average_results) == (7, 7, 0.0, None)
    counted = totals([event(result_count=3), event(result_count=6), event(S.NO_RESULTS), event(S.TIMEOUT)])
    assert counted.average_results == 4.5
    counted = totals(many(cooling_down=2))
    assert (counted.asked, counted.success_rate, counted.timeout_rate) == (0, None, None)
    assert (counted.p50_ms, counted.p95_ms, counted.p99_ms, counted.average_latency_ms) == (None, None, None, None)


def test_percentiles_are_measured_values():
    """Of 1 to 200 ms, the nearest ranks are 100, 190 and 198; of one value, it itself."""
    counted = totals([event(latency_ms=float(ms)) for ms in reversed(range(1, 201))])
    assert (counted.p50_ms, counted.p95_ms, counted.p99_ms) == (100.0, 190.0, 198.0)
    assert totals([event(latency_ms=7.0)]).p99_ms == 7.0
    assert totals([event(latency_ms=ms) for ms in (1.0, 2.0, 3.0)]).p50_ms == 2.0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.integers(1, 100))
def test_a_percentile_leaves_that_share_below(values: list[float], percent: int):
    """At least that share of values is not above the percentile, and with the next smaller value it would not be."""
    ordered = sorted(values)
    found = percentile(ordered, percent)
    assert found in ordered
    assert 100 * sum(value <= found for value in ordered) >= percent * len(ordered)
    assert 100 * sum(value < found for value in ordered) < percent * len(ordered)


def test_each_service_has_its_own_counts():
    """Events are counted by service."""
    own = totals_by_provider([event(provider="brave"), event(S.TIMEOUT, provider="naver"), event(provider="brave")])
    assert {name: (each.asked, each.success) for name, each in own.items()} == {"brave": (2, 2), "naver": (1, 0)}


def test_a_timeline_has_equal_stretches():
    """24 stretches of a day are an hour each; empty ones are there, and so is each kind of ending."""
    events = [
        event(minutes_ago=24 * 60),
        event(S.NO_RESULTS, minutes_ago=61),
        event(S.TIMEOUT, minutes_ago=60),
        event(S.BLOCKED, minutes_ago=0),
        event(S.COOLING_DOWN, minutes_ago=5),
        event(from_cache=True, minutes_ago=5),
    ]
    slices = timeline(events, DAY_AGO, NOW, 24)
    assert [each.start for each in slices] == [DAY_AGO + timedelta(hours=hour) for hour in range(24)]
    assert slices[0] == TimeSlice(start=DAY_AGO, success=1)
    assert slices[22] == TimeSlice(start=NOW - timedelta(hours=2), no_results=1)
    assert slices[23] == TimeSlice(start=NOW - timedelta(hours=1), timeout=1, error=1)
    assert sum(each.success + each.no_results + each.timeout + each.error for each in slices) == 4


def test_a_timeline_has_clear_ends():
    """Earlier events are left out; one of a faster clock counts in the last stretch."""
    slices = timeline([event(minutes_ago=121), event(S.TIMEOUT, minutes_ago=-3)], NOW - timedelta(hours=2), NOW, 2)
    assert [(each.success, each.timeout) for each in slices] == [(0, 0), (0, 1)]


@pytest.mark.parametrize(("since", "slices"), [(NOW, 3), (DAY_AGO, 0)])
def test_an_impossible_timeline_is_an_error(since, slices: int):
    """No time and no stretches raise."""
    with pytest.raises(ValueError, match="stretches"):
        timeline([], since, NOW, slices)
