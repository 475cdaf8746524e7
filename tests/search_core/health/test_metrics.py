"""Counting events."""

from __future__ import annotations

import math
from datetime import timedelta

from prometheus_client.parser import text_string_to_metric_families

from search_core.domain.reply import SearchStatus
from search_core.health.metrics import Metrics, timeline, totals
from search_core.health.report import TimeSlice

from .played_events import DAY_AGO, NOW, S, event, many


def test_what_did_not_go_out_is_not_asked():
    """Kept answers, services left alone, without a key or not waited for are counted apart and change no rate."""
    kept = [event(from_cache=True, latency_ms=0.1, result_count=50), event(S.NO_RESULTS, from_cache=True)]
    counted = totals([*many(success=1, timeout=1, cooling_down=3, api_key_missing=2, not_awaited=4), *kept])
    assert (counted.asked, counted.from_cache) == (2, 2)
    assert (counted.success, counted.no_results, counted.timeout, counted.error) == (1, 0, 1, 0)
    assert (counted.success_rate, counted.timeout_rate) == (0.5, 0.5)
    assert (counted.average_results, counted.average_latency_ms) == (4.0, 1200.0)


def test_rates_are_of_what_was_asked():
    """Neither an answer nor a timeout is an error; only successes have results; without requests rates are unknown, not 0."""
    failures = ("invalid_api_key", "quota_exhausted", "rate_limited", "blocked", "network_error", "invalid_response")
    counted = totals(many(**dict.fromkeys(failures, 1), unknown_error=1))
    assert (counted.asked, counted.error, counted.success_rate, counted.average_results) == (7, 7, 0.0, None)
    counted = totals([event(result_count=3), event(result_count=6), event(S.NO_RESULTS), event(S.TIMEOUT)])
    assert counted.average_results == 4.5
    counted = totals(many(cooling_down=2))
    assert (counted.asked, counted.success_rate, counted.timeout_rate) == (0, None, None)
    assert (counted.p50_ms, counted.p95_ms, counted.average_latency_ms) == (None, None, None)


def test_percentiles_are_measured_values():
    """Of 1 to 200 ms, the nearest ranks are 100 and 190; of one value, it itself."""
    counted = totals([event(latency_ms=float(ms)) for ms in reversed(range(1, 201))])
    assert (counted.p50_ms, counted.p95_ms) == (100.0, 190.0)
    assert totals([event(latency_ms=7.0)]).p95_ms == 7.0
    assert totals([event(latency_ms=ms) for ms in (1.0, 2.0, 3.0)]).p50_ms == 2.0


def test_a_timeline_has_equal_stretches():
    """24 of a day are an hour each, with each kind of ending; earlier events are left out, later ones are in the last."""
    events = [
        event(minutes_ago=24 * 60 + 1),
        event(minutes_ago=24 * 60),
        event(S.NO_RESULTS, minutes_ago=61),
        event(S.TIMEOUT, minutes_ago=60),
        event(S.BLOCKED, minutes_ago=-3),
        event(S.COOLING_DOWN, minutes_ago=5),
        event(from_cache=True, minutes_ago=5),
    ]
    slices = timeline(events, DAY_AGO, NOW, 24)
    assert [each.start for each in slices] == [DAY_AGO + timedelta(hours=hour) for hour in range(24)]
    assert slices[0] == TimeSlice(start=DAY_AGO, success=1)
    assert slices[22] == TimeSlice(start=NOW - timedelta(hours=2), no_results=1)
    assert slices[23] == TimeSlice(start=NOW - timedelta(hours=1), timeout=1, error=1)
    assert sum(each.success + each.no_results + each.timeout + each.error for each in slices) == 4


def read(metrics: Metrics, day=()) -> dict[tuple[str, ...], float]:
    text, content_type = metrics.exposition(totals(day))
    assert content_type.startswith("text/plain; version=")
    return {
        (sample.name, *(f"{key}={value}" for key, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def test_requests_are_counted_by_status_and_service():
    """Each request counts once under its status and service; kept answers count apart and have no latency."""
    metrics = Metrics(["tavily", "brave"])
    for each in (event(), event(), event(S.TIMEOUT, provider="brave", latency_ms=10_000.0), event(from_cache=True)):
        metrics.count(each)
    found = read(metrics)
    assert found["web_search_total", "provider=tavily", "status=success"] == 2
    assert found["web_search_total", "provider=brave", "status=timeout"] == 1
    assert found["web_search_from_cache_total", "provider=tavily"] == 1
    assert found["web_search_latency_seconds_count", "provider=tavily"] == 2
    assert found["web_search_latency_seconds_sum", "provider=brave"] == 10.0
    assert found["web_search_latency_seconds_bucket", "le=1.0", "provider=tavily"] == 0
    assert found["web_search_latency_seconds_bucket", "le=2.0", "provider=tavily"] == 2


def test_every_series_is_there_from_the_start():
    """Each known service has each status at 0; what did not go out counts under its status and has no latency."""
    metrics = Metrics(["tavily", "brave"])
    series = {key: value for key, value in read(metrics).items() if key[0] == "web_search_total"}
    assert (len(series), set(series.values())) == (2 * len(SearchStatus), {0})
    metrics.count(event(S.COOLING_DOWN))
    found = read(metrics)
    assert found["web_search_total", "provider=tavily", "status=cooling_down"] == 1
    assert found["web_search_latency_seconds_count", "provider=tavily"] == 0


def test_rates_are_those_of_the_day():
    """The gauges hold the rates of the last 24 hours, and NaN when nobody was asked."""
    metrics = Metrics(["tavily"])
    found = read(metrics, many(success=45, no_results=3, timeout=1, network_error=1))
    assert found["web_search_success_rate",] == 0.9
    assert found["web_search_avg_results",] == 4.0
    assert found["web_search_timeout_rate",] == 0.02
    names = ("web_search_success_rate", "web_search_avg_results", "web_search_timeout_rate")
    assert all(math.isnan(read(metrics)[name,]) for name in names)
