"""Numbers as Prometheus reads them."""

from __future__ import annotations

import math

from prometheus_client.parser import text_string_to_metric_families

from search_core.domain import SearchStatus
from search_core.health import Metrics, totals

from .played_events import S, event, many


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


def test_unknown_services_share_one_label():
    """Label values do not grow with names nobody knew at the start."""
    metrics = Metrics(["tavily"])
    for number in range(50):
        metrics.count(event(provider=f"made-up-{number}"))
    found = read(metrics)
    assert found["web_search_total", "provider=other", "status=success"] == 50
    assert not [key for key in found if "made-up" in str(key)]


def test_rates_are_those_of_the_day():
    """The gauges hold the rates of the last 24 hours, and NaN when nobody was asked."""
    metrics = Metrics(["tavily"])
    found = read(metrics, many(success=45, no_results=3, timeout=1, network_error=1))
    assert found["web_search_success_rate",] == 0.9
    assert found["web_search_avg_results",] == 4.0
    assert found["web_search_timeout_rate",] == 0.02
    later = read(metrics)
    assert all(
        math.isnan(later[name,]) for name in ("web_search_success_rate", "web_search_avg_results", "web_search_timeout_rate")
    )


def test_lost_events_are_counted_and_no_query_is_told():
    """The text holds neither what was asked nor what went wrong; another instance counts for itself."""
    metrics = Metrics(["tavily"])
    metrics.lost(3)
    metrics.lost(4)
    metrics.count(event(S.TIMEOUT, query="비밀 질문", error_message="https://host/path timed out"))
    assert read(metrics)["web_search_events_lost_total",] == 7
    assert read(Metrics(["tavily"]))["web_search_events_lost_total",] == 0
    text, _ = metrics.exposition(totals([]))
    assert [word for word in ("비밀", "host") if word in text.decode()] == []
