"""What an operator should look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from search_core.domain import SearchEvent
from search_core.health.facts import ProviderFacts, counted_events, counted_facts, searches
from search_core.health.metrics import totals, totals_by_provider
from search_core.health.report import Alert, StoreState, Totals

WARNING_BELOW = 0.5
CRITICAL_BELOW = 0.1
MIN_ASKED = 5
"""Fewer requests in the hour say too little about success."""

_OTHERS_ANSWER = "다른 검색 서비스가 대신 답하고 있어요. 계속되면 마지막 오류를 확인해 주세요."
_NOBODY_ANSWERS = "대신 답한 검색 서비스도 없어요. 인터넷 연결과 마지막 오류를 확인해 주세요."
_SERIOUSNESS = ("critical", "warning", "info")


def alerts(last_hour: Iterable[SearchEvent], facts: Sequence[ProviderFacts], store: StoreState) -> tuple[Alert, ...]:
    """Return what is wrong, the most serious first.

    *last_hour* holds the events of the last hour. Critical: under 10 % of the requests succeeded, or no service can be asked.
    Warning: under 50 % succeeded, a service answered under 50 % of its own, the event store does not work. Info: a key that a
    service of SEARCH_PROVIDERS lacks; callers publish it once. Rates need at least five requests, and checks of a service
    are none. Where services of the web are in use, the library counts for neither: it answers while the web is away.
    """
    events = searches(last_hour)
    counted = counted_facts(facts)
    asked = totals(counted_events(events, facts))
    where = "웹 검색 서비스에 " if len(counted) < sum(each.in_use for each in facts) else ""
    found = [*_success(asked, where), *_nobody(counted), *_per_provider(events, facts), *_store(store), *_keys(facts)]
    return tuple(sorted(found, key=lambda alert: _SERIOUSNESS.index(alert.level)))


def _success(hour: Totals, where: str) -> Iterator[Alert]:
    rate = hour.success_rate
    if rate is None or hour.asked < MIN_ASKED or rate >= WARNING_BELOW:
        return
    counted = f"최근 1시간 동안 {where}물은 {hour.asked}건 중 {hour.success}건만 결과를 찾았어요."
    if 2 * hour.no_results > hour.asked - hour.success:
        why = (
            f"{hour.no_results}건은 검색 서비스가 답했지만 찾은 것이 없었어요. "
            "검색 서비스의 장애가 아니라 검색어 때문일 수 있어요."
        )
    else:
        failed = hour.timeout + hour.error
        why = f"{failed}건은 검색 서비스가 답하지 못했어요. 검색 서비스별 상태를 확인해 주세요."
    yield Alert(
        level="critical" if rate < CRITICAL_BELOW else "warning",
        cause=f"{hour.success} of {hour.asked} requests of the last hour succeeded; {hour.no_results} found nothing.",
        korean=f"{counted} {why}",
    )


def _nobody(facts: Sequence[ProviderFacts]) -> Iterator[Alert]:
    if not any(each.usable for each in facts):
        yield Alert(
            level="critical",
            cause="No search service can be asked.",
            korean="물어볼 수 있는 검색 서비스가 없어요. 설정에서 검색 서비스를 하나 이상 켜 주세요.",
        )


def _per_provider(events: Sequence[SearchEvent], facts: Sequence[ProviderFacts]) -> Iterator[Alert]:
    """An empty answer is an answer: a small library may often have nothing and still do its work."""
    own = totals_by_provider(events)
    answering = {name for name, hour in own.items() if hour.success + hour.no_results}
    for each in facts:
        hour = own.get(each.name)
        if hour is None or not each.usable or hour.asked < MIN_ASKED:
            continue
        answered = hour.success + hour.no_results
        others = any(fact.web and fact.name in answering for fact in facts if fact is not each)
        if answered < WARNING_BELOW * hour.asked:
            yield Alert(
                level="warning",
                cause=f"{each.name} answered {answered} of {hour.asked} requests of the last hour.",
                korean=f"{each.label}: 최근 1시간 동안 물은 {hour.asked}건 중 {answered}건에만 답했어요. "
                + (_OTHERS_ANSWER if others else _NOBODY_ANSWERS),
                provider=each.name,
            )


def _store(store: StoreState) -> Iterator[Alert]:
    if not store.working:
        korean = store.korean or f"{store.label}에 검색 기록을 남기지 못하고 있어요."
        yield Alert(level="warning", cause="The event store does not work.", korean=korean)


def _keys(facts: Sequence[ProviderFacts]) -> Iterator[Alert]:
    for each in facts:
        for key in each.missing_keys if each.in_use else ():
            yield Alert(
                level="info",
                cause=f"{each.name} is off: {key} is not set.",
                korean=f"{each.label}: {key} 설정이 비어 있어서 쓰지 않아요. 쓰려면 키를 넣어 주세요.",
                provider=each.name,
            )
