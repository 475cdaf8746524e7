"""Builds the health report from events and facts, with alerts for the operator."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.health.metrics import timeline, totals
from search_core.health.report import (
    Alert,
    HealthReport,
    Overall,
    ProviderFacts,
    ProviderHealth,
    ProviderState,
    StoreState,
    Totals,
    counted_events,
    counted_facts,
    searches,
)

WARNING_BELOW = 0.5
CRITICAL_BELOW = 0.1
MIN_ASKED = 5
"""Fewest requests in an hour for an alert about their success rate."""
HEALTHY_FROM = 0.8
"""A service is healthy if it answered at least this share of its last requests."""
LOOKED_AT = 20
"""Number of a service's last requests that decide its current state."""
SLICES = 24
ALERT_SPAN = timedelta(hours=1)
Say = Callable[[SearchStatus], str]
"""Returns the meaning of a status and what to do, in Korean; see ``presenting.status_sentence``."""


def alerts(last_hour: Iterable[SearchEvent], facts: Sequence[ProviderFacts], store: StoreState) -> tuple[Alert, ...]:
    """Return the current alerts, most serious first.

    *last_hour* holds the events of the last hour. Critical: under 10 % of the requests succeeded, or no service can be asked.
    Warning: under 50 % succeeded, or the event store does not work. Info: a service of SEARCH_PROVIDERS lacks its key. The state
    of single services is in their rows. Rates need at least five requests, not counting probes. If web services are in use, the
    library does not count, because it answers even if the web cannot be reached.
    """
    counted = counted_facts(facts)
    hour = totals(counted_events(last_hour, facts))
    where = "웹 검색 서비스에 " if len(counted) < len(facts) else ""
    current = [*_success(hour, where)]
    if not any(each.available for each in counted):
        advice = "물어볼 수 있는 검색 서비스가 없어요. 설정에서 검색 서비스를 하나 이상 켜 주세요."
        current.append(Alert(level="critical", cause="No search service can be asked.", korean=advice))
    if not store.working:
        korean = store.korean or f"{store.label}에 검색 기록을 남기지 못하고 있어요."
        current.append(Alert(level="warning", cause="The event store does not work.", korean=korean))
    for each in facts:
        if each.absent_because:
            cause = f"{each.name} is named in SEARCH_PROVIDERS and not set up."
            current.append(Alert(level="info", cause=cause, korean=f"{each.label}: {each.absent_because}"))
    return tuple(sorted(current, key=lambda alert: ("critical", "warning", "info").index(alert.level)))


def _success(hour: Totals, where: str) -> Iterator[Alert]:
    rate = hour.success_rate
    if rate is None or hour.asked < MIN_ASKED or rate >= WARNING_BELOW:
        return
    yield Alert(
        level="critical" if rate < CRITICAL_BELOW else "warning",
        cause=f"{hour.success} of {hour.asked} requests of the last hour succeeded; {hour.no_results} found nothing.",
        korean=f"최근 1시간 동안 {where}물은 {hour.asked}건 중 {hour.success}건만 결과를 찾았어요. "
        f"{hour.no_results}건은 찾은 것이 없다고 답했고, {hour.timeout + hour.error}건은 답하지 못했어요.",
    )


def health_report(
    events: Iterable[SearchEvent],
    facts: Sequence[ProviderFacts],
    *,
    now: datetime,
    since: datetime,
    store: StoreState,
    say: Say,
) -> HealthReport:
    """Return the health of searching from *since* to *now*.

    *events* may come in any order and begin before *since*; alerts use all events of the last hour. *facts* has the services
    of SEARCH_PROVIDERS, in order of asking. Totals and timeline count ``counted_events``. A service's totals count only searches,
    but its current state also considers probes.
    """
    newest_first = sorted(events, key=lambda event: event.timestamp, reverse=True)
    shown = [event for event in newest_first if event.timestamp >= since]
    counted = counted_events(shown, facts)
    rows = [_row(each, [event for event in shown if event.provider == each.name], say) for each in facts]
    return HealthReport(
        since=since,
        until=now,
        totals=totals(counted),
        providers=tuple(sorted(rows, key=lambda row: row.state is ProviderState.ABSENT)),
        alerts=alerts([event for event in newest_first if event.timestamp >= now - ALERT_SPAN], facts, store),
        timeline=timeline(counted, since, now, SLICES),
        events=tuple(shown),
        store=store,
    )


def provider_states(events: Iterable[SearchEvent], facts: Sequence[ProviderFacts]) -> dict[str, ProviderState]:
    """Return the state of each service in *facts* by name; *events* may come in any order."""
    newest_first = sorted((event for event in events if event.asked), key=lambda event: event.timestamp, reverse=True)
    return {each.name: _state(each, [event for event in newest_first if event.provider == each.name]) for each in facts}


def overall(states: Iterable[ProviderState]) -> Overall:
    """Return the state of all services together: down if none can be asked, degraded if one is unwell."""
    in_use = [state for state in states if state is not ProviderState.ABSENT]
    if all(state is ProviderState.COOLING_DOWN for state in in_use):
        return "down"
    unwell = (ProviderState.COOLING_DOWN, ProviderState.DEGRADED)
    return "degraded" if any(state in unwell for state in in_use) else "ok"


def _row(facts: ProviderFacts, newest_first: Sequence[SearchEvent], say: Say) -> ProviderHealth:
    requests = [event for event in newest_first if event.asked]
    state = _state(facts, requests)
    last_error = next((event for event in requests if not event.status.answered), None)
    return ProviderHealth(
        name=facts.name,
        label=facts.label,
        state=state,
        korean=_sentence(facts, state, requests[:LOOKED_AT], say),
        totals=totals(searches(newest_first)),
        last_success=next((event.timestamp for event in requests if event.status is SearchStatus.SUCCESS), None),
        last_error=last_error,
        last_error_korean=say(last_error.status) if last_error is not None else "",
    )


def _state(facts: ProviderFacts, requests: Sequence[SearchEvent]) -> ProviderState:
    if not facts.available:
        return ProviderState.ABSENT
    if facts.wait_s > 0:
        return ProviderState.COOLING_DOWN
    if facts.fault:
        return ProviderState.DEGRADED
    if not requests:
        return ProviderState.UNASKED
    last = requests[:LOOKED_AT]
    if not last[0].status.answered or _count_answered(last) < HEALTHY_FROM * len(last):
        return ProviderState.DEGRADED
    return ProviderState.HEALTHY


def _count_answered(events: Iterable[SearchEvent]) -> int:
    return sum(event.status.answered for event in events)


def _sentence(facts: ProviderFacts, state: ProviderState, last: Sequence[SearchEvent], say: Say) -> str:
    if state is ProviderState.ABSENT:
        return facts.absent_because or ""
    if state is ProviderState.UNASKED:
        return "쓸 수 있어요. 이 기간에는 묻지 않았어요."
    if facts.fault:
        return facts.fault
    if state is ProviderState.COOLING_DOWN:
        failed = next((f" 마지막 오류: {say(event.status)}" for event in last if not event.status.answered), "")
        whole = math.ceil(facts.wait_s)
        pause = f"{whole}초" if whole < 60 else f"{math.ceil(whole / 60)}분"
        return f"실패해서 잠시 쉬고 있어요. {pause} 뒤에 다시 물어봐요.{failed}"
    counted = f"최근 요청 {len(last)}건 중 {_count_answered(last)}건에 답했어요."
    if state is ProviderState.HEALTHY:
        return f"잘 되고 있어요. {counted}"
    if not last[0].status.answered:
        return f"마지막 요청에 실패했어요. {say(last[0].status)} {counted}"
    failed_last = next(event for event in last if not event.status.answered)
    return f"지금은 답하지만 자주 실패해요. {counted} 마지막 오류: {say(failed_last.status)}"
