"""Events counted: how many ended how, and how long they took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from search_core.domain import SearchEvent, SearchStatus
from search_core.health.report import TimeSlice, Totals


def totals(events: Iterable[SearchEvent]) -> Totals:
    """Return the counts of *events*, in any order; only requests that went out count as asked."""
    seen = list(events)
    asked = [event for event in seen if event.asked]
    by_status = Counter(event.status for event in seen if not event.from_cache)
    success, no_results = by_status[SearchStatus.SUCCESS], by_status[SearchStatus.NO_RESULTS]
    timeout = by_status[SearchStatus.TIMEOUT]
    from_cache = sum(event.from_cache for event in seen)
    latencies = sorted(event.latency_ms for event in asked)
    found = [event.result_count for event in asked if event.status is SearchStatus.SUCCESS]
    return Totals(
        by_status=dict(by_status),
        asked=len(asked),
        success=success,
        no_results=no_results,
        timeout=timeout,
        error=len(asked) - success - no_results - timeout,
        from_cache=from_cache,
        not_asked=by_status[SearchStatus.COOLING_DOWN] + by_status[SearchStatus.API_KEY_MISSING],
        not_awaited=by_status[SearchStatus.NOT_AWAITED],
        success_rate=success / len(asked) if asked else None,
        timeout_rate=timeout / len(asked) if asked else None,
        average_results=sum(found) / len(found) if found else None,
        average_latency_ms=sum(latencies) / len(latencies) if latencies else None,
        p50_ms=percentile(latencies, 50),
        p95_ms=percentile(latencies, 95),
        p99_ms=percentile(latencies, 99),
    )


def totals_by_provider(events: Iterable[SearchEvent]) -> dict[str, Totals]:
    """Return the counts of each search service that occurs in *events*."""
    return {name: totals(own) for name, own in by_provider(events).items()}


def by_provider(events: Iterable[SearchEvent]) -> dict[str, list[SearchEvent]]:
    """Return the events of each search service, in the order they came in."""
    own: defaultdict[str, list[SearchEvent]] = defaultdict(list)
    for event in events:
        own[event.provider].append(event)
    return dict(own)


def percentile(ordered: Sequence[float], percent: int) -> float | None:
    """Return the smallest of the ascending values that *percent* (1–100) of them do not exceed; None without values.

    This is the nearest rank: always a value that was measured, never one in between.
    """
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def timeline(events: Iterable[SearchEvent], since: datetime, until: datetime, slices: int) -> tuple[TimeSlice, ...]:
    """Return the requests that went out, counted in *slices* equal stretches from *since* to *until*.

    Earlier events are left out. Later ones, of another machine with a faster clock, count in the last stretch. Raises ValueError
    for less than one stretch or a span that is not positive.
    """
    if slices < 1 or until <= since:
        raise ValueError(f"{slices} stretches from {since} until {until}")
    counts: list[Counter[str]] = [Counter() for _ in range(slices)]
    for event in events:
        if event.asked and event.timestamp >= since:
            place = min((event.timestamp - since) * slices // (until - since), slices - 1)
            counts[place][_kind(event.status)] += 1
    length = (until - since) / slices
    return tuple(TimeSlice(start=since + length * place, **count) for place, count in enumerate(counts))


def _kind(status: SearchStatus) -> str:
    own = (SearchStatus.SUCCESS, SearchStatus.NO_RESULTS, SearchStatus.TIMEOUT)
    return status.value if status in own else "error"
